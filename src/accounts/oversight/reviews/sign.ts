import type { Act } from '../../../platform/act.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors.ts';
import type { CustomerVault } from '../../../platform/vault/vault.ts';
import { recordAct } from '../../audit/record.ts';
import { notesPlace, type Review } from './review.ts';
import '../tables.ts';

/** Signs a review, once and for all, with what the reviewer has to say about it. */
export async function signReview(
  tx: Tx,
  { clock, keys }: { clock: Clock; keys: CustomerVault },
  act: Act,
  { review, notes }: { review: Review; notes: string },
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('activity_reviews')
    .set({ signed_at: clock.now(), signed_by: act.actor.id, notes: keys.seal(notesPlace(review.id), notes) })
    .where('customer_id', '=', act.customerId)
    .where('id', '=', review.id)
    .where('signed_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new AppError('conflict', 'It is signed already');
  await recordAct(tx, clock, act, { target: review.id, details: { findings: review.findings.length } });
}
