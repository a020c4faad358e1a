import { INSTALLATION } from '../../accounts/index.ts';
import { type SealedBlobs, writeBlobRow } from '../../platform/blob/sealed-blobs.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';

/**
 * Seals the signed agreements of a customer under the keys of the installation, where its own are about to be destroyed:
 * they are to be shown for six years after their end (45 CFR 164.316(b)(2)(i)).
 */
export async function keepAgreements(
  { db, blobs, clock }: { db: Database; blobs: SealedBlobs; clock: Clock },
  customerId: number,
): Promise<void> {
  const signed = await db.tenant([customerId], (tx) =>
    tx
      .selectFrom('agreements as a')
      .innerJoin('blobs as b', 'b.id', 'a.pdf_blob_id')
      .select(['a.id', 'b.id as blobId'])
      .where('a.customer_id', '=', customerId)
      .where('b.customer_id', '=', customerId)
      .execute(),
  );
  for (const { id, blobId } of signed) {
    const kept = await blobs.write(INSTALLATION, blobs.read(customerId, blobId));
    await db.tenant([INSTALLATION, customerId], async (tx) => {
      await writeBlobRow(tx, clock, kept);
      await tx
        .updateTable('agreements')
        .set({ pdf_blob_id: kept.id })
        .where('customer_id', '=', customerId)
        .where('id', '=', id)
        .execute();
    });
  }
}

/** Without keys nobody reads the files of the agreements again: they go with all others, and the agreements stay. */
export async function letGoOfFiles({ db }: { db: Database }, customerId: number): Promise<void> {
  await db.tenant([customerId], (tx) =>
    tx
      .updateTable('agreements')
      .set({ pdf_blob_id: null })
      .where('customer_id', '=', customerId)
      .where((eb) => eb('pdf_blob_id', 'in', eb.selectFrom('blobs').select('id').where('customer_id', '=', customerId)))
      .execute(),
  );
}
