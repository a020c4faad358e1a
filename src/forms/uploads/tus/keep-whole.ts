import { recordAct } from '../../../accounts/index.ts';
import { writeBlobRow } from '../../../platform/blob/sealed-blobs.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors.ts';
import type { CustomerVault } from '../../../platform/vault/vault.ts';
import type { ReceivedFile } from '../../submissions/receive.ts';
import { actAt, type StoredUpload, sealWords } from '../upload-row.ts';
import '../../tables.ts';

/** Makes a file that is in the store the whole of an upload; throws where the upload went on or away meanwhile. */
export async function keepWhole(
  tx: Tx,
  { clock, keys }: { clock: Clock; keys: CustomerVault },
  upload: StoredUpload,
  { blob, type }: ReceivedFile,
): Promise<void> {
  const { id, customerId, formId, received, length, words } = upload;
  await writeBlobRow(tx, clock, blob);
  const kept = await tx
    .updateTable('form_uploads')
    .set({
      blob_id: blob.id,
      received: length,
      sealed: sealWords(keys, id, { ...words, type: type ?? words.type }),
    })
    .where('customer_id', '=', customerId)
    .where('id', '=', id)
    .where('received', '=', received)
    .where('blob_id', 'is', null)
    .where('expires_at', '>', clock.now())
    .executeTakeFirst();
  if (kept.numUpdatedRows === 0n) throw wentOn();
  const act = actAt({ customerId, id: formId }, 'upload.received');
  await recordAct(tx, clock, act, { target: id, details: { form: formId } });
}

/** The refusal of bytes that another request has brought before. */
export function wentOn(): AppError {
  return new AppError('conflict', 'The file has gone on meanwhile');
}
