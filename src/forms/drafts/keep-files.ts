import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import { hashSecret } from '../../platform/secret.ts';
import type { Draft } from './draft.ts';
import '../tables.ts';

/** Keeps the files of a draft for as long as the draft itself. */
export async function keepFilesUntil(tx: Tx, clock: Clock, draft: Draft): Promise<void> {
  const { customerId, formId, state, expiresAt } = draft;
  const hashes = Object.values(state.files)
    .flat()
    .flatMap((token) => hashSecret(token) ?? []);
  if (hashes.length === 0) return;
  await sql`update form_uploads set expires_at = greatest(expires_at, ${expiresAt})
    where customer_id = ${customerId} and form_id = ${formId} and token_hash = any(${hashes}::bytea[])
      and expires_at > ${clock.now()}`.execute(tx);
}
