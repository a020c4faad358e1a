import { recordAct, requireNothingHeld } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors.ts';
import { timeOrderedId } from '../../platform/ids.ts';
import type { SegmentWish } from './read-segment.ts';
import { SEGMENT_COLUMNS, type Segment } from './segment.ts';
import '../tables.ts';

/** How many segments a customer may have: they are listed all at once. */
const MOST_SEGMENTS = 1_000;

interface Doing {
  clock: Clock;
  act: Act;
}

/** Makes a segment. */
export async function createSegment(tx: Tx, { clock, act }: Doing, wanted: Required<SegmentWish>): Promise<Segment> {
  const { customerId } = act;
  await requireRoom(tx, customerId);
  const now = clock.now();
  const made = await tx
    .insertInto('segments')
    .values({
      id: timeOrderedId(clock),
      customer_id: customerId,
      name: wanted.name,
      filters: JSON.stringify(wanted.filters),
      subscriber_count: null,
      counted_at: null,
      created_at: now,
      updated_at: now,
    })
    .returning(SEGMENT_COLUMNS)
    .$castTo<Segment>()
    .executeTakeFirstOrThrow();
  await recordAct(tx, clock, act, { target: made.id });
  return made;
}

/** Changes a segment; under other filters it is yet to be counted. */
export async function updateSegment(
  tx: Tx,
  { clock, act }: Doing,
  before: Segment,
  { name, filters }: SegmentWish,
): Promise<Segment> {
  const changed = await tx
    .updateTable('segments')
    .set({
      ...(name === undefined ? {} : { name }),
      ...(filters === undefined ? {} : { filters: JSON.stringify(filters), subscriber_count: null, counted_at: null }),
      updated_at: clock.now(),
    })
    .where('customer_id', '=', act.customerId)
    .where('id', '=', before.id)
    .returning(SEGMENT_COLUMNS)
    .$castTo<Segment>()
    .executeTakeFirstOrThrow();
  const changes = [...(name === undefined ? [] : ['name']), ...(filters === undefined ? [] : ['filters'])];
  await recordAct(tx, clock, act, { target: before.id, details: { changes } });
  return changed;
}

/** Takes a segment away; the people stay. Throws while anything is held: it tells to whom mailings went. */
export async function deleteSegment(tx: Tx, { clock, act }: Doing, { id }: Segment): Promise<void> {
  await requireNothingHeld(tx, act.customerId);
  await tx.deleteFrom('segments').where('customer_id', '=', act.customerId).where('id', '=', id).execute();
  await recordAct(tx, clock, act, { target: id });
}

async function requireRoom(tx: Tx, customerId: number): Promise<void> {
  const { segments } = await tx
    .selectFrom('segments')
    .select((select) => select.fn.countAll<number>().as('segments'))
    .where('customer_id', '=', customerId)
    .executeTakeFirstOrThrow();
  if (segments >= MOST_SEGMENTS) {
    throw new AppError('unprocessable', `A customer has at most ${MOST_SEGMENTS} dynamic lists`);
  }
}
