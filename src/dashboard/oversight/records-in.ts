import type { ReadWhole, RecordRef } from '../../accounts/index.ts';
import { messagesBefore, suppressionsAt } from '../../email/index.ts';
import { submissionsBefore } from '../../forms/index.ts';
import { peopleBefore } from '../../marketing/index.ts';
import type { Database, Tx } from '../../platform/db/database.ts';

/** The records in what was taken as a whole, page by page, each in a transaction of its own. */
export async function* recordsIn(db: Database, customerId: number, whole: ReadWhole): AsyncGenerator<RecordRef[]> {
  const { kind, before, at } = whole;
  if (kind !== 'everybody') {
    const formId = kind === 'form' ? whole.id : null;
    const ids = await db.tenant([customerId], (tx) => submissionsBefore(tx, customerId, { formId, before }));
    yield ids.map((id) => ({ kind: 'submission', id }));
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
): AsyncGenerator<RecordRef[]> {
  for (let after: string | null = null; ; ) {
    const last: string | null = after;
    const ids: string[] = await db.tenant([customerId], (tx) => read(tx, last));
    if (ids.length === 0) return;
    yield ids.map((id) => ({ kind, id }));
    after = ids.at(-1) ?? null;
  }
}
