import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { Clock } from '../../../platform/clock.ts';
import type { Database, Tx } from '../../../platform/db/database.ts';
import { BEFORE_ALL_IDS } from '../../../platform/ids.ts';
import type { CustomerVault, Vault } from '../../../platform/vault/vault.ts';
import { type BulkJob, holdOpenJob, type MoveRequest, openMoveRequest, type WhichJob } from '../../bulk/bulk-job.ts';
import { writeProgress } from '../../bulk/write-progress.ts';
import type { Person } from '../engine/who-fits.ts';
import type { Graph, Node } from '../graph/graph.ts';
import { nodeById } from '../graph/links.ts';
import { type Drip, selectDrips } from './drip.ts';
import { holdAlone } from './hold.ts';
import { setInterests, versionsInUse } from './interests.ts';
import { placeIn } from './move.ts';
import { findVersion, selectVersions } from './version.ts';
import { wakeMoved } from './wake-moved.ts';
import '../tables.ts';

const PAGE = 5_000;
const SLICE_MS = 3_000;

interface Deps {
  db: Database;
  vault: Vault;
  clock: Clock;
}

/** Moves people to another version for a few seconds, from where the job stands. Answers whether there is more to do. */
export async function movePeople({ db, vault, clock }: Deps, which: WhichJob): Promise<boolean> {
  const keys = await vault.of(which.customerId);
  const endsAt = performance.now() + SLICE_MS;
  while (await db.tenant([which.customerId], (tx) => movePage(tx, { clock, keys }, which))) {
    if (performance.now() > endsAt) return true;
  }
  return false;
}

async function movePage(tx: Tx, { clock, keys }: { clock: Clock; keys: CustomerVault }, which: WhichJob) {
  const job = await holdOpenJob(tx, which);
  if (job === undefined) return false;
  const request = openMoveRequest(keys, job);
  // Nobody takes a step meanwhile: whoever leads people on holds the drip too.
  await holdAlone(tx, request.dripId);
  const drip = await selectDrips(tx)
    .where('customer_id', '=', which.customerId)
    .where('id', '=', request.dripId)
    .where('state', 'in', ['running', 'paused'])
    .executeTakeFirst();
  const moved = drip === undefined ? [] : await moveNext(tx, clock, drip, request, job);
  if (drip !== undefined) await setInterests(tx, drip, await versionsInUse(tx, drip));
  const isLast = moved.length < PAGE;
  const done = { place: moved.at(-1), people: moved.length, total: job.done + moved.length, isLast };
  await writeProgress(tx, clock, which, job, done);
  return !isLast;
}

/** Moves the next people; whoever came to a step meanwhile that leads nowhere in the new version stays with the old. */
async function moveNext(tx: Tx, clock: Clock, drip: Drip, request: MoveRequest, { place }: BulkJob): Promise<string[]> {
  const { id, customer_id: customerId } = drip;
  const { graph } = await findVersion(tx, drip, request.toVersion);
  const places = await placesOf(tx, drip, graph, request);
  const now = clock.now();
  const { rows } = await sql<Person & { step: string; elsewhere: boolean }>`
    with places as (
      select * from json_to_recordset(${JSON.stringify(places)}::json)
        as p (version int, old text, new text, said boolean, other boolean, elsewhere boolean)
    ), page as (
      select e.id, p.new, p.said or (p.other and e.inside and not e.woken) as anew, p.elsewhere
      from drip_enrolments e join places p on p.version = e.version and p.old = e.step
      where e.customer_id = ${customerId} and e.drip_id = ${id} and e.state = 'active'
        and e.id > ${place ?? BEFORE_ALL_IDS}::uuid
      order by e.id limit ${PAGE} for update of e
    ), moved as (
      update drip_enrolments e set version = ${request.toVersion}, step = page.new,
        inside = e.inside and not page.anew, woken = e.woken and not page.anew,
        due_at = case when page.anew then ${now} else e.due_at end,
        pauses = case when page.anew then ${drip.pauses.length} else e.pauses end,
        arrived_at = case when page.anew then ${now} else e.arrived_at end
      from page where e.id = page.id
      returning e.id, e.subscriber_id, e.entered_at, e.step, page.elsewhere and e.inside and not e.woken as elsewhere
    )
    select * from moved order by id`.execute(tx);
  await wakeMoved(
    tx,
    { customerId, at: now },
    graph,
    rows.filter(({ elsewhere }) => elsewhere),
  );
  await sql`select pg_notify('carepost_drips', '')`.execute(tx);
  return rows.map((row) => row.id);
}

/** Where people of older versions go, by where they stand; whether that was said; and how they wait otherwise there. */
async function placesOf(tx: Tx, drip: Drip, graph: Graph, { fromVersions, steps }: MoveRequest) {
  const to = nodeById(graph);
  if (fromVersions.length === 0) return [];
  const from = await selectVersions(tx, drip.customer_id, drip.id).where('version', 'in', fromVersions).execute();
  return from.flatMap(({ version, graph: { nodes } }) =>
    nodes.flatMap((node) => {
      const place = to.get(placeIn(to, node, steps) ?? '');
      if (place === undefined) return [];
      const other = !isDeepStrictEqual(howLong(node), howLong(place));
      const elsewhere = !isDeepStrictEqual(whatFor(node), whatFor(place));
      return [{ version, old: node.id, new: place.id, said: Object.hasOwn(steps, node.id), other, elsewhere }];
    }),
  );
}

/** How long a step lets people wait: who may wait for as long elsewhere has no reason to begin anew. */
function howLong(node: Node): unknown {
  if (node.type === 'delay') return 'span' in node ? node.span : node.until;
  return node.type === 'wait' ? (node.timeout ?? null) : null;
}

/** What a step lets people wait for. */
function whatFor(node: Node): unknown {
  return node.type === 'wait' ? node.for : null;
}
