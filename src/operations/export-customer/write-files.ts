import { sql } from 'kysely';
import { INSTALLATION } from '../../accounts/index.ts';
import type { SealedBlobs } from '../../platform/blob/sealed-blobs.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import type { Folder } from './folder.ts';

const PAGE = 1_000;

interface Deps {
  db: Database;
  blobs: SealedBlobs;
}

/**
 * Writes the signed agreements, and every file that is not with its submission, under the id that rows refer to it by. Of
 * a customer without keys, only what the installation has sealed can be read.
 */
export async function writeFiles(
  { db, blobs }: Deps,
  { customerId, isReadable }: { customerId: number; isReadable: boolean },
  folder: Folder,
): Promise<void> {
  for (const { id, blobId, owner } of await db.tenant([INSTALLATION, customerId], (tx) => signed(tx, customerId))) {
    if (isReadable || owner === INSTALLATION)
      await folder.write(`accounts/agreements/${id}.pdf`, () => blobs.read(owner, blobId));
  }
  if (!isReadable) return;
  for (let after = ''; ; ) {
    const ids = await db.tenant([customerId], (tx) => otherFiles(tx, customerId, after));
    for (const id of ids) await folder.write(`files/${id}`, () => blobs.read(customerId, id));
    if (ids.length < PAGE) return;
    after = ids.at(-1) as string;
  }
}

/** Those of a customer that was destroyed are the installation's. */
function signed(tx: Tx, customerId: number) {
  return tx
    .selectFrom('agreements as a')
    .innerJoin('blobs as b', 'b.id', 'a.pdf_blob_id')
    .select(['a.id', 'b.id as blobId', 'b.customer_id as owner'])
    .where('a.customer_id', '=', customerId)
    .orderBy('a.id')
    .execute();
}

async function otherFiles(tx: Tx, customerId: number, after: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select b.id from blobs b where b.customer_id = ${customerId} and (${after} = '' or b.id > nullif(${after}, '')::uuid)
      and not exists (select from submission_files f where f.customer_id = ${customerId} and f.blob_id = b.id)
      and not exists (select from submission_certificates c where c.customer_id = ${customerId} and c.blob_id = b.id)
      and not exists (select from agreements a where a.customer_id = ${customerId} and a.pdf_blob_id = b.id)
    order by b.id limit ${PAGE}`.execute(tx);
  return rows.map(({ id }) => id);
}
