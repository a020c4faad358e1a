import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import '../tables.ts';

/** Removes uploads with all that has come of them. Returns the files that have to leave the store after the commit. */
export async function destroyUploads(tx: Tx, customerId: number, ids: readonly string[]): Promise<string[]> {
  // Parts refer to uploads and both to blobs, so that they go one after the other.
  const parts = await sql<{ blob_id: string }>`
    delete from form_upload_parts where customer_id = ${customerId} and upload_id = any(${ids}::uuid[])
    returning blob_id`.execute(tx);
  const wholes = await sql<{ blob_id: string | null }>`
    delete from form_uploads where customer_id = ${customerId} and id = any(${ids}::uuid[])
    returning blob_id`.execute(tx);
  const blobs = [...parts.rows, ...wholes.rows].flatMap(({ blob_id: blob }) => blob ?? []);
  await removeBlobRows(tx, customerId, blobs);
  return blobs;
}

export async function removeBlobRows(tx: Tx, customerId: number, ids: readonly string[]): Promise<void> {
  await sql`delete from blobs where customer_id = ${customerId} and id = any(${ids}::uuid[])`.execute(tx);
}
