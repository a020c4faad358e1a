import type { Act } from '../../../platform/act.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Role } from '../../../platform/http/access.ts';
import type { CustomerVault } from '../../../platform/vault/vault.ts';
import { recordAct } from '../../audit/record.ts';
import { listTeam } from '../../team.ts';
import { notesPlace, type Review } from './review.ts';
import '../tables.ts';

const SIGNERS: Role[] = ['owner', 'admin', 'operator'];

/**
 * Signs a review, once and for all, with what the reviewer has to say about it. Whoever is in its findings signs only where
 * there is nobody else who may and is not, and the audit log says so.
 */
export async function signReview(
  tx: Tx,
  { clock, keys }: { clock: Clock; keys: CustomerVault },
  act: Act,
  { review, notes }: { review: Review; notes: string },
): Promise<void> {
  const isOwn = isAbout(review, act.actor.id);
  if (isOwn && review.signedAt === null) await requireNobodyElse(tx, review);
  const { numUpdatedRows } = await tx
    .updateTable('activity_reviews')
    .set({ signed_at: clock.now(), signed_by: act.actor.id, notes: keys.seal(notesPlace(review.id), notes) })
    .where('customer_id', '=', act.customerId)
    .where('id', '=', review.id)
    .where('signed_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new AppError('conflict', 'It is signed already');
  const details = { findings: review.findings.length, ...(isOwn && { own: true }) };
  await recordAct(tx, clock, act, { target: review.id, details });
}

async function requireNobodyElse(tx: Tx, review: Review): Promise<void> {
  const team = await listTeam(tx, review.customerId);
  const others = team.filter(({ state, role }) => state === 'active' && SIGNERS.includes(role));
  if (others.some(({ id }) => !isAbout(review, id)))
    throw new AppError('conflict', 'You are in its findings, so that somebody else has to sign it');
}

/** Anybody can fail to sign in as somebody: that says nothing about them. */
function isAbout({ findings }: Review, userId: string): boolean {
  return findings.some(
    ({ kind, actor }) => kind !== 'sign_in_failures' && actor.kind === 'user' && actor.id === userId,
  );
}
