import type { Act } from '../../platform/act.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors.ts';
import { hashSecret } from '../../platform/secret.ts';
import type { CustomerVault, Vault } from '../../platform/vault/vault.ts';
import type { PublicForm } from '../definition/public-forms.ts';
import type { FileWords } from '../submissions/read-file-words.ts';
import '../tables.ts';

const LIFETIME_MS = 24 * 3600_000;

/** A file that came ahead, or is about to. */
export interface StoredUpload {
  id: string;
  customerId: number;
  formId: string;
  /** How many bytes it has, and how many of them are durable. */
  length: number;
  received: number;
  /** Where it is, once it is whole. */
  blobId: string | null;
  words: FileWords;
  expiresAt: Date;
}

/** When a file that comes now is too old to be sent along. */
export function expiryOf(clock: Clock): Date {
  return new Date(clock.now().getTime() + LIFETIME_MS);
}

/** What somebody who has nothing but the address of a form does there with a file. */
export function actAt({ customerId, id }: Pick<PublicForm, 'customerId' | 'id'>, action: string): Act {
  return { customerId, actor: { kind: 'public', id }, action, requestId: null };
}

export function sealWords(keys: CustomerVault, id: string, words: FileWords): Buffer {
  return keys.seal(placeOf(id), JSON.stringify(words));
}

export function openWords(keys: CustomerVault, id: string, sealed: Buffer): FileWords {
  return JSON.parse(keys.open(placeOf(id), sealed).toString()) as FileWords;
}

function placeOf(id: string) {
  return { table: 'form_uploads', row: id, column: 'sealed' };
}

/** The upload of a token at its form; throws where there is none, for whatever reason. */
export async function findUpload(
  { db, vault, clock }: { db: Database; vault: Vault; clock: Clock },
  { customerId, id: formId }: PublicForm,
  token: string,
): Promise<StoredUpload> {
  const hash = hashSecret(token);
  const row =
    hash === null
      ? undefined
      : await db.tenant([customerId], (tx) =>
          selectLiving(tx, clock, { customerId, formId }).where('token_hash', '=', hash).executeTakeFirst(),
        );
  if (row === undefined) throw new AppError('not_found', 'No such upload');
  return {
    id: row.id,
    customerId,
    formId,
    length: row.length,
    received: row.received,
    blobId: row.blob_id,
    words: openWords(await vault.of(customerId), row.id, row.sealed),
    expiresAt: row.expires_at,
  };
}

function selectLiving(tx: Tx, clock: Clock, { customerId, formId }: { customerId: number; formId: string }) {
  return tx
    .selectFrom('form_uploads')
    .select(['id', 'length', 'received', 'blob_id', 'sealed', 'expires_at'])
    .where('customer_id', '=', customerId)
    .where('form_id', '=', formId)
    .where('expires_at', '>', clock.now());
}
