import { sql } from 'kysely';
import { hasAgreement } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { hashSecret } from '../../platform/secret.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { type Contact, openContact, type Signer } from './signer.ts';
import '../tables.ts';

/** Somebody who came by their link. */
export interface InvitedSigner extends Pick<Signer, 'id' | 'ordinal' | 'role' | 'state'> {
  customerId: number;
  formId: string;
  submissionId: string;
  formVersion: number;
  contact: Contact;
  /** Of the link, which another replaces. */
  tokenHash: Buffer;
}

interface Deps {
  db: Database;
  vault: Vault;
  clock: Clock;
}

/**
 * Whom a link was sent to. Unknown, replaced, withdrawn, expired and destroyed are all the same: null; and so is that of a
 * customer without an agreement, for whom nothing is taken in.
 */
export async function findSigner({ db, vault, clock }: Deps, token: string): Promise<InvitedSigner | null> {
  const hash = hashSecret(token);
  if (hash === null) return null;
  const { rows } = await db.untenanted((tx) =>
    sql<{ id: string; customer_id: number }>`select id, customer_id from find_signer(${hash})`.execute(tx),
  );
  const [found] = rows;
  if (found === undefined) return null;
  const { id, customer_id: customerId } = found;
  const row = await db.tenant([customerId], async (tx) => {
    if (!(await hasAgreement(tx, clock, customerId))) return undefined;
    return tx
      .selectFrom('submission_signers as g')
      .innerJoin('submission_keys as k', (join) =>
        join.onRef('k.submission_id', '=', 'g.submission_id').onRef('k.customer_id', '=', 'g.customer_id'),
      )
      .innerJoin('submissions as s', (join) =>
        join.onRef('s.id', '=', 'g.submission_id').onRef('s.customer_id', '=', 'g.customer_id'),
      )
      .select(['s.form_version', 'g.form_id', 'g.submission_id', 'g.ordinal', 'g.role', 'g.state', 'g.sealed', 'k.key'])
      .where('g.customer_id', '=', customerId)
      .where('g.id', '=', id)
      .where('g.token_hash', '=', hash)
      .where((is) => is.or([is('g.state', '<>', 'waiting'), is('g.expires_at', '>', clock.now())]))
      .executeTakeFirst();
  });
  if (row === undefined || row.sealed === null) return null;
  const { ordinal, role, state, sealed, key } = row;
  const ids = { id, customerId, formId: row.form_id, submissionId: row.submission_id };
  const contact = openContact(await vault.of(customerId), { customerId, id: ids.submissionId, key }, id, sealed);
  return { ...ids, formVersion: row.form_version, ordinal, role, state, contact, tokenHash: hash };
}

/** What a signer does: `public` until they have shown a code that was mailed to them. */
export function actOf(
  { customerId, id }: InvitedSigner,
  kind: 'public' | 'recipient',
  action: string,
  requestId: string,
): Act {
  return { customerId, actor: { kind, id }, action, requestId };
}
