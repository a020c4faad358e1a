import { recordAct } from '../../accounts/index.ts';
import type { BlobStore } from '../../platform/blob/blob-store.ts';
import { type StoredBlob, writeBlobRow } from '../../platform/blob/sealed-blobs.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { timeOrderedId } from '../../platform/ids.ts';
import { hashSecret, newSecret } from '../../platform/secret.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import type { PublicForm } from '../definition/public-forms.ts';
import { removeFiles } from '../submissions/delete.ts';
import { type FileWords, readFileField, readFileName, readFileType } from '../submissions/read-file-words.ts';
import { destroyUploads } from './destroy-uploads.ts';
import { refuseTooMany } from './refuse-too-many.ts';
import { actAt, expiryOf, openWords, sealWords } from './upload-row.ts';
import type { Upload, Uploads } from './uploads.ts';
import '../tables.ts';

interface Deps {
  db: Database;
  vault: Vault;
  blobStore: BlobStore;
  clock: Clock;
}

/** The files that came ahead of their submissions, as forms keep, find and drop them. */
export function createUploads({ db, vault, blobStore, clock }: Deps): Uploads {
  return {
    async keep(form, { blob, type }, as, network) {
      const { customerId } = form;
      const keys = await vault.of(customerId);
      const id = timeOrderedId(clock);
      const token = newSecret();
      const words: FileWords = {
        name: readFileName('name', as.name),
        type: type ?? readFileType('contentType', as.type),
        field: readFileField('field', as.field),
      };
      await db.tenant([customerId], async (tx) => {
        await refuseTooMany(tx, clock, form, network);
        await writeBlobRow(tx, clock, blob);
        await tx
          .insertInto('form_uploads')
          .values({
            id,
            customer_id: customerId,
            form_id: form.id,
            token_hash: hashSecret(token) as Buffer,
            sealed: sealWords(keys, id, words),
            length: blob.size,
            received: blob.size,
            blob_id: blob.id,
            network,
            created_at: clock.now(),
            expires_at: expiryOf(clock),
          })
          .execute();
        await recordAct(tx, clock, actAt(form, 'upload.received'), { target: id, details: { form: form.id } });
      });
      return describe(token, words, blob);
    },

    async find(form, tokens) {
      const hashes = new Map(tokens.flatMap((token) => withHash(token)));
      if (hashes.size === 0) return [];
      const keys = await vault.of(form.customerId);
      const rows = await db.tenant([form.customerId], (tx) => selectWhole(tx, clock, form, [...hashes.values()]));
      const found = new Map(rows.map((row) => [row.token_hash.toString('hex'), row]));
      return [...hashes].flatMap(([token, hash]) => {
        const row = found.get(hash.toString('hex'));
        return row === undefined ? [] : [describe(token, openWords(keys, row.upload_id, row.sealed), row)];
      });
    },

    async drop(form, token) {
      const hash = hashSecret(token);
      if (hash === null) return;
      const { customerId, id: formId } = form;
      const files = await db.tenant([customerId], async (tx) => {
        const row = await tx
          .selectFrom('form_uploads')
          .select('id')
          .where('customer_id', '=', customerId)
          .where('form_id', '=', formId)
          .where('token_hash', '=', hash)
          .forUpdate()
          .executeTakeFirst();
        if (row === undefined) return [];
        await recordAct(tx, clock, actAt(form, 'upload.dropped'), { target: row.id, details: { form: formId } });
        return destroyUploads(tx, customerId, [row.id]);
      });
      await removeFiles(blobStore, files);
    },
  };
}

function withHash(token: string): [string, Buffer][] {
  const hash = hashSecret(token);
  return hash === null ? [] : [[token, hash]];
}

function selectWhole(tx: Tx, clock: Clock, { customerId, id: formId }: PublicForm, hashes: Buffer[]) {
  return tx
    .selectFrom('form_uploads as u')
    .innerJoin('blobs as b', (join) =>
      join.onRef('b.id', '=', 'u.blob_id').onRef('b.customer_id', '=', 'u.customer_id'),
    )
    .select(['u.id as upload_id', 'u.token_hash', 'u.sealed', 'b.id', 'b.size', 'b.sha256'])
    .where('u.customer_id', '=', customerId)
    .where('u.form_id', '=', formId)
    .where('u.token_hash', 'in', hashes)
    .where('u.expires_at', '>', clock.now())
    .execute();
}

function describe(token: string, words: FileWords, blob: Pick<StoredBlob, 'id' | 'size' | 'sha256'>): Upload {
  return { token, file: { id: blob.id, ...words, size: blob.size, sha256: blob.sha256.toString('hex') } };
}
