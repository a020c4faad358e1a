import { type RawBuilder, sql } from 'kysely';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import { openBeside, sealBeside } from '../submissions/sealed-submission.ts';
import type { Evidence } from '../submissions/signature.ts';

/** How long the link of a signer is good for. */
export const SIGNER_DAYS = 30;
const DAY_MS = 24 * 3600_000;

/** Whom the link of a signer goes to. */
export interface Contact {
  address: string;
  name: string | null;
}

/** Somebody who is to sign a submission, or has, beside whoever sent it. */
export interface Signer {
  id: string;
  ordinal: number;
  role: string;
  required: boolean;
  state: 'waiting' | 'signed' | 'declined';
  contact: Contact | null;
  /** Until when their link is good; null where there is none yet. */
  expiresAt: Date | null;
  settledAt: Date | null;
  signature: Evidence | null;
}

/** A signer as the database gives one along with the submission; what is sealed comes in hex. */
export interface StoredSigner {
  id: string;
  ordinal: number;
  role: string;
  required: boolean;
  state: Signer['state'];
  expires_at: string | null;
  settled_at: string | null;
  sealed: string | null;
  signature: string | null;
}

/** A submission and its key, which all of this is sealed under. */
export interface Sealed {
  customerId: number;
  id: string;
  key: Buffer;
}

/** The signers of a submission `s`, in their order. */
export const SIGNERS: RawBuilder<StoredSigner[] | null> = sql`(
  select json_agg(json_build_object('id', g.id, 'ordinal', g.ordinal, 'role', g.role, 'required', g.required,
    'state', g.state, 'expires_at', g.expires_at, 'settled_at', g.settled_at, 'sealed', encode(g.sealed, 'hex'),
    'signature', encode(e.sealed, 'hex')) order by g.ordinal, g.id)
  from submission_signers g
  left join submission_signatures e on e.customer_id = g.customer_id and e.signer_id = g.id
  where g.customer_id = s.customer_id and g.submission_id = s.id)`;

/** Opens the signers of a submission with what they signed. */
export function openSigners(keys: CustomerVault, submission: Sealed, stored: StoredSigner[] | null): Signer[] {
  return (stored ?? []).map(({ sealed, signature, expires_at: until, settled_at: settled, ...row }) => ({
    ...row,
    contact: sealed === null ? null : openContact(keys, submission, row.id, Buffer.from(sealed, 'hex')),
    expiresAt: until === null ? null : new Date(until),
    settledAt: settled === null ? null : new Date(settled),
    signature: signature === null ? null : openEvidence(keys, submission, row.id, Buffer.from(signature, 'hex')),
  }));
}

/** Until when a link is good that leaves now. */
export function signerExpiry(now: Date): Date {
  return new Date(now.getTime() + SIGNER_DAYS * DAY_MS);
}

export function sealContact(keys: CustomerVault, submission: Sealed, signerId: string, contact: Contact): Buffer {
  return sealBeside(keys, submission, contactPlace(signerId), JSON.stringify(contact));
}

export function openContact(keys: CustomerVault, submission: Sealed, signerId: string, sealed: Buffer): Contact {
  return JSON.parse(openBeside(keys, submission, contactPlace(signerId), sealed).toString()) as Contact;
}

export function sealEvidence(keys: CustomerVault, submission: Sealed, signerId: string, evidence: Evidence): Buffer {
  return sealBeside(keys, submission, evidencePlace(signerId), JSON.stringify(evidence));
}

function openEvidence(keys: CustomerVault, submission: Sealed, signerId: string, sealed: Buffer): Evidence {
  return JSON.parse(openBeside(keys, submission, evidencePlace(signerId), sealed).toString()) as Evidence;
}

function contactPlace(id: string) {
  return { table: 'submission_signers', row: id, column: 'sealed' };
}

function evidencePlace(id: string) {
  return { table: 'submission_signatures', row: id, column: 'sealed' };
}
