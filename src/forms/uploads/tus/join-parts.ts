import type { Database } from '../../../platform/db/database.ts';
import { toAppError } from '../../../platform/http/error-replies.ts';
import { removeFiles } from '../../submissions/delete.ts';
import type { ReceivedFile } from '../../submissions/receive.ts';
import { removeBlobRows } from '../destroy-uploads.ts';
import type { StoredUpload } from '../upload-row.ts';
import { keepWhole } from './keep-whole.ts';
import type { PartDeps } from './take-part.ts';
import '../../tables.ts';

/** Joins the parts of a file of which the last byte is there: hashed, scanned and sealed as one. */
export async function joinParts(deps: PartDeps, upload: StoredUpload): Promise<void> {
  const { db, vault, blobStore, clock } = deps;
  const { customerId, id } = upload;
  const keys = await vault.of(customerId);
  const parts = await findParts(db, upload);
  const whole = await pourTogether(deps, upload, parts);
  try {
    await db.tenant([customerId], async (tx) => {
      await keepWhole(tx, { clock, keys }, upload, whole);
      await tx
        .deleteFrom('form_upload_parts')
        .where('customer_id', '=', customerId)
        .where('upload_id', '=', id)
        .execute();
      await removeBlobRows(tx, customerId, parts);
    });
  } catch (error) {
    // After a failure of ours the rows may be there all the same; a file that nothing refers to is swept.
    if (toAppError(error).status < 500) await removeFiles(blobStore, [whole.blob.id]);
    throw error;
  }
  await removeFiles(blobStore, parts);
}

async function findParts(db: Database, { customerId, id }: StoredUpload): Promise<string[]> {
  const rows = await db.tenant([customerId], (tx) =>
    tx
      .selectFrom('form_upload_parts')
      .select('blob_id')
      .where('customer_id', '=', customerId)
      .where('upload_id', '=', id)
      .orderBy('start')
      .execute(),
  );
  return rows.map((row) => row.blob_id);
}

async function pourTogether(
  { vault, blobs, beginBlob }: PartDeps,
  { customerId }: StoredUpload,
  parts: string[],
): Promise<ReceivedFile> {
  const file = beginBlob(await vault.of(customerId), customerId, { base64: false });
  try {
    for (const part of parts) {
      for await (const bytes of blobs.read(customerId, part)) await file.write(bytes);
    }
  } catch (error) {
    file.abort();
    throw error;
  }
  return file.end();
}
