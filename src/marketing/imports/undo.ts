import { type RawBuilder, sql } from 'kysely';
import { hasHoldsBeyondPeople, shareHolds } from '../../accounts/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { BEFORE_ALL_IDS, firstIdAt } from '../../platform/ids.ts';
import type { CustomerVault, Vault } from '../../platform/vault/vault.ts';
import { JOINED_BY_IMPORT } from '../consent/joined-by-import.ts';
import { heldSubscribers } from '../subscribers/held-subscribers.ts';
import type { UndoStep } from './import.ts';
import { restorePeople } from './restore-people.ts';
import type { Which } from './which.ts';
import '../tables.ts';

interface Deps {
  clock: Clock;
  keys: CustomerVault;
}

interface Undoing {
  customerId: number;
  importId: string;
  startedAt: Date;
  /** What an import made has ids of the time in which it ran, so that it is found without an index of its own. */
  from: string;
  to: string;
  /** People whom a legal hold keeps as they are. */
  held: readonly string[];
}

/** What a page did, and the id it ended with; null where there was nothing left. */
interface Page {
  place: string | null;
  removed?: number;
  restored?: number;
  kept?: number;
  /** Whom it passed over, as they are held. */
  held: string[];
}

const PAGE = 2_000;
const SLICE_MS = 3_000;
/** The clocks of several nodes need not agree to the second. */
const CLOCK_MARGIN_MS = 3_600_000;
const AFTER: Record<UndoStep, UndoStep | null> = { subscriptions: 'people', people: 'changes', changes: null };

/** Takes an import back for a few seconds, page by page. Answers whether there is more to do. */
export async function undoImport({ db, vault, clock }: { db: Database; vault: Vault; clock: Clock }, which: Which) {
  const endsAt = performance.now() + SLICE_MS;
  while (performance.now() < endsAt) {
    const keys = await vault.of(which.customerId);
    if (!(await db.tenant([which.customerId], (tx) => undoPage(tx, { clock, keys }, which)))) return false;
  }
  return true;
}

async function undoPage(tx: Tx, deps: Deps, { customerId, importId }: Which) {
  const found = await tx
    .selectFrom('imports')
    .select(['undo_step', 'undo_place', 'started_at', 'finished_at'])
    .where('customer_id', '=', customerId)
    .where('id', '=', importId)
    .where('state', '=', 'undoing')
    .forUpdate()
    .executeTakeFirst();
  if (found === undefined) return false;
  await shareHolds(tx, customerId);
  if (await hasHoldsBeyondPeople(tx, customerId)) {
    await waitOn(tx, deps.clock, { customerId, importId });
    return false;
  }
  const startedAt = found.started_at as Date;
  const step = found.undo_step as UndoStep;
  const undoing: Undoing = {
    customerId,
    importId,
    startedAt,
    from: firstIdAt(new Date(startedAt.getTime() - CLOCK_MARGIN_MS)),
    to: firstIdAt(new Date((found.finished_at as Date).getTime() + CLOCK_MARGIN_MS)),
    held: await heldSubscribers(tx, deps.keys, customerId),
  };
  const page = await STEPS[step](tx, undoing, found.undo_place, deps);
  const next = page.place === null ? AFTER[step] : step;
  const now = deps.clock.now();
  await tx
    .updateTable('imports')
    .set((row) => ({
      removed: row('removed', '+', page.removed ?? 0),
      restored: row('restored', '+', page.restored ?? 0),
      kept: row('kept', '+', page.kept ?? 0),
      held: sql<string[]>`array(select unnest(held) union select unnest(${page.held}::uuid[]) order by 1)`,
      undo_step: next,
      undo_place: page.place,
      attempts: 0,
      updated_at: now,
      ...(next === null ? { state: 'undone' as const, undone_at: now } : {}),
    }))
    .where('customer_id', '=', customerId)
    .where('id', '=', importId)
    .execute();
  return next !== null;
}

/** However long a hold stands, the undo that waits for it has not come to a standstill, and is taken up once it is released. */
async function waitOn(tx: Tx, clock: Clock, { customerId, importId }: Which): Promise<void> {
  await tx
    .updateTable('imports')
    .set({ attempts: 0, updated_at: clock.now() })
    .where('customer_id', '=', customerId)
    .where('id', '=', importId)
    .execute();
}

const STEPS: Record<UndoStep, (tx: Tx, of: Undoing, place: string | null, deps: Deps) => Promise<Page>> = {
  subscriptions: removeSubscriptions,
  people: removePeople,
  changes: restoreChanged,
};

/**
 * Takes people off the lists that the import put them on; who has left or confirmed one since decided for themselves, also
 * where they came back, as did who opted in again. The default list waited with the one that was confirmed. On a list that is
 * gone nothing is decided any more. How they came there was told by the place alone: from then on their consent tells it, and
 * that it was taken back.
 */
function removeSubscriptions(tx: Tx, of: Undoing, place: string | null, { clock }: Deps): Promise<Page> {
  const { customerId, importId, from, to, held } = of;
  return pageOf(
    tx,
    sql<Page>`
      with page as materialized (
        select c.id, c.subscriber_id, c.subscriber_id = any(${held}::uuid[]) as held,
          l.id is null or (c.unsubscribed_at is null and (c.pending or not (l.double_opt_in or (l.is_default and exists (
          select from subscriptions o
          join subscription_lists ol on ol.customer_id = ${customerId} and ol.id = o.subscription_list_id and ol.double_opt_in
          where o.customer_id = ${customerId} and o.subscriber_id = c.subscriber_id and o.import_id = ${importId}
            and not o.pending)))) and not exists (
          select from consent_changes h where h.customer_id = ${customerId} and h.subscriber_id = c.subscriber_id
            and h.id > ${from} and h.at >= c.created_at and (h.change = 'opted_in'
              or (h.subscription_list_id = c.subscription_list_id and h.change in ('left', 'confirmed'))))) as ours
        from subscriptions c left join subscription_lists l on l.customer_id = ${customerId}
          and l.id = c.subscription_list_id
        where c.customer_id = ${customerId} and c.import_id = ${importId} and c.id > ${place ?? from} and c.id < ${to}
        order by c.id limit ${PAGE} for update of c
      ), gone as (
        delete from subscriptions c using page
        where c.customer_id = ${customerId} and c.id = page.id and page.ours and not page.held
        returning c.subscription_list_id, c.subscriber_id, c.import_id, c.consent_text_id, c.created_at
      ), evidence as (
        insert into consent_changes (id, customer_id, subscriber_id, subscription_list_id, change, source, evidence, at)
        select time_ordered_id(${clock.now()}), ${customerId}, subscriber_id, subscription_list_id, told.change, 'import',
          ${JOINED_BY_IMPORT}, told.at
        from gone cross join lateral (values ('joined', created_at), ('taken_back', ${clock.now()})) told (change, at)
      ), told as (
        select tell_drips(${customerId}, 'left', subscription_list_id::text, array_agg(subscriber_id), ${clock.now()})
        from gone group by subscription_list_id
      )
      select (select id from page order by id desc limit 1) as place, (select count(*) from told) as lists,
        array(select distinct subscriber_id from page where held) as held`,
  );
}

/**
 * Removes whom the import made, unless somebody has changed them or they are on a list still. From then on what is known of
 * their consent is kept for its time.
 */
async function removePeople(tx: Tx, of: Undoing, place: string | null, { clock }: Deps): Promise<Page> {
  const { customerId, importId, startedAt, from, to, held } = of;
  // Held before anything is looked at: somebody may be putting them on a list.
  const { rows: people } = await sql<{ id: string }>`
    select id from subscribers where customer_id = ${customerId} and import_id = ${importId} and id > ${place ?? from}
      and id < ${to} order by id limit ${PAGE} for update`.execute(tx);
  const ids = people.map(({ id }) => id);
  return pageOf(
    tx,
    sql<Page>`
      with page as materialized (
        select s.id, s.id = any(${held}::uuid[]) as held, s.updated_at = ${startedAt} and not exists (
          select from subscriptions c where c.customer_id = ${customerId} and c.subscriber_id = s.id) as ours
        from subscribers s
        where s.customer_id = ${customerId} and s.import_id = ${importId} and s.id = any(${ids}::uuid[])
      ), gone as (
        delete from subscribers s using page where s.customer_id = ${customerId} and s.id = page.id and page.ours and not page.held
        returning s.id
      ), told as (
        insert into consent_changes (id, customer_id, subscriber_id, change, source, evidence, at)
        select time_ordered_id(${clock.now()}), ${customerId}, gone.id, 'removed', 'import',
          jsonb_build_object('import', ${importId}::text), ${clock.now()}
        from gone cross join lateral (
          select from consent_changes c where c.customer_id = ${customerId} and c.subscriber_id = gone.id limit 1) known
      )
      select (select id from page order by id desc limit 1) as place, count(*) filter (where ours and not held) as removed,
        count(*) filter (where not ours and not held) as kept, coalesce(array_agg(id) filter (where held), '{}') as held
      from page`,
  );
}

/** Gives back what the import changed of people who were known. */
function restoreChanged(tx: Tx, of: Undoing, place: string | null, deps: Deps): Promise<Page> {
  const { customerId, importId, held } = of;
  return restorePeople(tx, deps, { customerId, importId, held, after: place ?? BEFORE_ALL_IDS, most: PAGE });
}

async function pageOf(tx: Tx, query: RawBuilder<Page>): Promise<Page> {
  const { rows } = await query.execute(tx);
  return rows[0] as Page;
}
