import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import { AppError, invalidField } from '../../../platform/errors.ts';
import type { CustomerVault } from '../../../platform/vault/vault.ts';
import { createBulkJob } from '../../bulk/bulk-job.ts';
import type { Graph, Node } from '../graph/graph.ts';
import { nodeById } from '../graph/links.ts';
import { requireUsable } from './bind.ts';
import { bindingOf, type SaveDeps } from './create.ts';
import type { Drip } from './drip.ts';
import { setInterests, versionsInUse } from './interests.ts';
import { requireUnderWay } from './publish.ts';
import { makeSends } from './sends.ts';
import { findVersion, selectVersions, type Version } from './version.ts';
import '../tables.ts';

export interface MoveWish {
  /** All older versions where it is null. */
  fromVersion: number | null;
  toVersion: number;
  /** Where those go who stand at a step, by that step. */
  steps: Record<string, string>;
}

/** Lets whoever goes by older versions go on by a newer one; answers the id of the job that does so. */
export async function moveToVersion(
  tx: Tx,
  deps: SaveDeps & { keys: CustomerVault },
  drip: Drip,
  { fromVersion, toVersion, steps }: MoveWish,
): Promise<string> {
  requireUnderWay(drip);
  const to = await findVersion(tx, drip, toVersion, 'to_version');
  if (to.graph.first === null) throw new AppError('conflict', 'to_version: has no steps');
  const from = await olderVersions(tx, drip, fromVersion, toVersion);
  await requirePlaces(tx, drip, from, to.graph, steps);
  await makeSends(tx, deps, drip, to);
  await requireUsable(tx, bindingOf(deps), to, 'to_version');
  await setInterests(tx, drip, [...(await versionsInUse(tx, drip)), to]);
  const fromVersions = from.map(({ version }) => version);
  return createBulkJob(tx, deps, 'move', { dripId: drip.id, fromVersions, toVersion, steps });
}

/** Where somebody goes who stands at a step: where it is said, or on at a step of the same id and type. */
export function placeIn(
  to: ReadonlyMap<string, Node>,
  { id, type }: Node,
  steps: Record<string, string>,
): string | null {
  const said = Object.hasOwn(steps, id) ? steps[id] : undefined;
  if (said !== undefined) return to.has(said) ? said : null;
  return to.get(id)?.type === type ? id : null;
}

async function olderVersions(tx: Tx, drip: Drip, only: number | null, toVersion: number): Promise<Version[]> {
  if (only === null) {
    return selectVersions(tx, drip.customer_id, drip.id).where('version', '<', toVersion).execute();
  }
  if (only >= toVersion) throw invalidField('from_version', 'takes a version that is older than to_version');
  return [await findVersion(tx, drip, only, 'from_version')];
}

/** Throws where somebody would not know where to go on, naming the steps at which they stand. */
async function requirePlaces(
  tx: Tx,
  { id, customer_id: customerId }: Drip,
  from: readonly Version[],
  to: Graph,
  steps: Record<string, string>,
): Promise<void> {
  const places = nodeById(to);
  if (!Object.values(steps).every((step) => places.has(step)))
    throw unfit('names a step that the new version does not have');
  const { rows } = await sql<{ version: number; step: string }>`
    select version, step from drip_enrolments where customer_id = ${customerId} and drip_id = ${id}
      and state = 'active' and version = any(${from.map(({ version }) => version)}::int[])
    group by version, step`.execute(tx);
  const nodes = new Map(from.map(({ version, graph }) => [version, nodeById(graph)]));
  const lost = rows.filter(({ version, step }) => {
    const node = nodes.get(version)?.get(step);
    return node === undefined || placeIn(places, node, steps) === null;
  });
  if (lost.length === 0) return;
  const names = [...new Set(lost.map(({ step }) => step))].toSorted();
  throw unfit(`must say where people go on who stand at ${names.join(', ')}`);
}

function unfit(rule: string): AppError {
  return new AppError('unprocessable', `steps ${rule}`, { fields: { steps: [rule] } });
}
