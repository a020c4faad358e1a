import type { ReadWhole, RecordRef } from '../../accounts/index.ts';
import { messagesBefore, suppressionsAt } from '../../email/index.ts';
import { submissionsTaken } from '../../forms/index.ts';
import { peopleBefore } from '../../marketing/index.ts';
import type { Database, Tx } from '../../platform/db/database.ts';

/** The same whole, taken once or again and again. */
export interface Taken extends Pick<ReadWhole, 'kind' | 'id'> {
  /** The earliest first. */
  moments: [ReadWhole, ...ReadWhole[]];
}

/** A record that was there at one of the moments at least. */
export interface TakenRecord extends RecordRef {
  /** It is in what was taken before a later id than this. */
  came: string;
  /** The row of the audit log that tells of its end, where it is gone since. */
  gone: string | null;
}

/**
 * What was taken, each form and everybody on the lists once: a key may fetch a form's answers every minute, and each look at
 * a report takes everybody. Everything of a customer is taken too seldom to put it together.
 */
export function takenOf(wholes: ReadWhole[]): Taken[] {
  const inTurn = wholes.toSorted((one, other) => (one.before < other.before ? -1 : 1));
  const taken = new Map<string, Taken>();
  for (const whole of inTurn) {
    const { kind, id, before } = whole;
    const name = `${kind}/${kind === 'everything' ? before : id}`;
    const known = taken.get(name);
    if (known === undefined) taken.set(name, { kind, id, moments: [whole] });
    else known.moments.push(whole);
  }
  return [...taken.values()];
}

/** The records in what was taken as a whole, page by page, each in a transaction of its own. */
export async function* recordsIn(db: Database, customerId: number, taken: Taken): AsyncGenerator<TakenRecord[]> {
  const { kind, moments } = taken;
  const { before, at } = moments.at(-1) ?? moments[0];
  if (kind !== 'everybody') {
    const which = { formId: kind === 'form' ? taken.id : null, first: moments[0].before, last: before };
    const submissions = await db.tenant([customerId], (tx) => submissionsTaken(tx, customerId, which));
    yield submissions.map(({ id, gone }) => ({ kind: 'submission', id, came: id, gone }));
  }
  if (kind !== 'form')
    yield* pagesOf(db, customerId, 'subscriber', (tx, after) => peopleBefore(tx, customerId, { before, after }));
  if (kind === 'everything') {
    yield* pagesOf(db, customerId, 'message', (tx, after) => messagesBefore(tx, customerId, { before, after }));
    yield* pagesOf(db, customerId, 'suppression', (tx, after) => suppressionsAt(tx, customerId, { at, after }));
  }
}

async function* pagesOf(
  db: Database,
  customerId: number,
  kind: RecordRef['kind'],
  read: (tx: Tx, after: string | null) => Promise<string[]>,
): AsyncGenerator<TakenRecord[]> {
  for (let after: string | null = null; ; ) {
    const last: string | null = after;
    const ids: string[] = await db.tenant([customerId], (tx) => read(tx, last));
    if (ids.length === 0) return;
    // A suppression goes by its address, and says nothing of when it came: it was there at the one moment.
    yield ids.map((id) => ({ kind, id, came: kind === 'suppression' ? '' : id, gone: null }));
    after = ids.at(-1) ?? null;
  }
}
