import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import '../tables.ts';

interface OfList {
  customerId: number;
  listId: number;
}

/** Sets the words that people agree to on joining a list; texts that somebody may have agreed to stay as they were. */
export async function setConsentText(
  tx: Tx,
  clock: Clock,
  { customerId, listId }: OfList,
  text: string | null,
): Promise<void> {
  const words = text?.trim() ?? '';
  if (words === ((await readConsentText(tx, { customerId, listId })) ?? '')) return;
  const added = words === '' ? null : await addConsentText(tx, clock, { customerId, listId }, words);
  await tx
    .updateTable('subscription_lists')
    .set({ consent_text_id: added })
    .where('customer_id', '=', customerId)
    .where('id', '=', listId)
    .execute();
}

/** The words that people agree to on joining a list now. */
async function readConsentText(tx: Tx, { customerId, listId }: OfList): Promise<string | null> {
  const row = await tx
    .selectFrom('subscription_lists as l')
    .innerJoin('consent_texts as t', (join) =>
      join.onRef('t.customer_id', '=', 'l.customer_id').onRef('t.id', '=', 'l.consent_text_id'),
    )
    .select('t.text')
    .where('l.customer_id', '=', customerId)
    .where('l.id', '=', listId)
    .executeTakeFirst();
  return row?.text ?? null;
}

/** Keeps words for as long as the customer is one; those of an import are of no list. Answers their number. */
export async function addConsentText(
  tx: Tx,
  clock: Clock,
  { customerId, listId }: { customerId: number; listId: number | null },
  text: string,
): Promise<number> {
  const { id } = await tx
    .insertInto('consent_texts')
    .values({ customer_id: customerId, subscription_list_id: listId, text, created_at: clock.now() })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
