import { sql } from 'kysely';
import type { SigningKey } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors.ts';
import type { OwnershipCheck } from '../../platform/http/ownership.ts';
import { isUuid, timeOrderedId } from '../../platform/ids.ts';
import {
  certifyDestruction,
  type DestructionCertificate,
  type DestructionContents,
} from './destruction-certificate.ts';
import '../tables.ts';

/** Why submissions are destroyed: somebody asked for it, or they have been kept for as long as their form says. */
export type DestructionReason = { reason: 'request' } | { reason: 'retention'; days: number };

/** A submission that is gone, as far as a certificate tells of it. */
export interface Destroyed {
  id: string;
  sha256: string;
  receivedAt: Date;
  files: number;
}

/** Writes the certificate of an act that destroyed submissions, in the transaction of that act; answers its id. */
export async function writeDestruction(
  tx: Tx,
  { clock, act, signingKey }: { clock: Clock; act: Act; signingKey: SigningKey },
  { formId, why, destroyed }: { formId: string; why: DestructionReason; destroyed: Destroyed[] },
): Promise<string> {
  const id = timeOrderedId(clock);
  const at = clock.now();
  const inOrder = destroyed.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const received = destroyed.map(({ receivedAt }) => receivedAt.getTime());
  const certificate = certifyDestruction(signingKey, {
    id,
    customerId: act.customerId,
    formId,
    at: at.toISOString(),
    actor: act.actor,
    reason: why.reason,
    retentionDays: why.reason === 'retention' ? why.days : null,
    count: destroyed.length,
    files: destroyed.reduce((sum, { files }) => sum + files, 0),
    firstReceived: new Date(Math.min(...received)).toISOString(),
    lastReceived: new Date(Math.max(...received)).toISOString(),
    submissions: inOrder.map(({ id: submission, sha256 }) => ({ id: submission, sha256 })),
  });
  await tx
    .insertInto('destructions')
    .values({
      id,
      customer_id: act.customerId,
      form_id: formId,
      submission_count: destroyed.length,
      reason: why.reason,
      at,
      certificate: JSON.stringify(certificate),
    })
    .execute();
  return id;
}

/** The certificates of a customer or of one of its forms, the newest first, and how many there are. */
export async function listDestructions(
  tx: Tx,
  customerId: number,
  { formId, page, items }: { formId: string | null; page: number; items: number },
): Promise<{ destructions: Omit<DestructionContents, 'submissions'>[]; total: number }> {
  const all = tx.selectFrom('destructions').where('customer_id', '=', customerId);
  const mine = formId === null ? all : all.where('form_id', '=', formId);
  const { total } = await mine.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await mine
    .select(sql<Omit<DestructionContents, 'submissions'>>`(certificate -> 'contents') - 'submissions'`.as('contents'))
    .orderBy('id', 'desc')
    .limit(items)
    .offset((page - 1) * items)
    .execute();
  return { destructions: rows.map(({ contents }) => contents), total };
}

/** One certificate of the customer. */
export async function findDestruction(
  tx: Tx,
  requireOwn: OwnershipCheck,
  customerId: number,
  id: string,
): Promise<DestructionCertificate> {
  const missing = 'No such destruction';
  if (!isUuid(id)) throw new AppError('not_found', missing);
  await requireOwn(tx, customerId, sql<number | null>`find_destruction_customer(${id})`, missing);
  const row = await tx
    .selectFrom('destructions')
    .select('certificate')
    .where('customer_id', '=', customerId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) throw new AppError('not_found', missing);
  return row.certificate;
}
