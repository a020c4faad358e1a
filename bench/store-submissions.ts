import { sql } from 'kysely';
import { readConfig } from '../src/config.ts';
import { sealSubmission } from '../src/forms/submissions/sealed-submission.ts';
import { openInstallation } from '../src/installation.ts';
import { PackedBytes } from '../src/platform/db/packed-bytes.ts';
import { timeOrderedId } from '../src/platform/ids.ts';
import type { Installation } from './product.ts';

const BATCH = 1_000;
const CUSTOMER = 1;

/** Puts many submissions into the database of a product that runs, sealed as the product seals them. */
export async function storeSubmissions(product: Installation, formId: string, count: number): Promise<void> {
  const installation = await openInstallation(
    readConfig({ CAREPOST_DATA_DIR: product.dataDir, CAREPOST_LOG_LEVEL: 'silent' }),
  );
  const { db, vault, clock } = installation;
  for (let stored = 0; stored < count; stored += BATCH) {
    const keys = await vault.of(CUSTOMER);
    const packed = new PackedBytes();
    const rows = Array.from({ length: Math.min(BATCH, count - stored) }, (_, index) => {
      const id = timeOrderedId(clock);
      const answers = {
        first_name: `Ann ${stored + index}`,
        email: `ann-${stored + index}@example.com`,
        born: '1980-02-29',
        reason: 'A cough that does not go away, and a rash on the left arm since Monday.',
        again: true,
      };
      const content = { answers, unasked: [], files: [], signature: null };
      const { sealed, key } = sealSubmission(keys, { customerId: CUSTOMER, id }, content, null);
      return {
        id,
        customer_id: CUSTOMER,
        form_id: formId,
        form_version: 1,
        at: clock.now(),
        sealed_at: packed.place(sealed),
        sealed_length: sealed.length,
        key_at: packed.place(key),
        key_length: key.length,
      };
    });
    await db.tenant([CUSTOMER], (tx) =>
      sql`select accept_submissions(${[CUSTOMER]}, ${JSON.stringify(rows)}, ${packed.bytes}, '[]', null, null, null, null, '[]', now())`.execute(
        tx,
      ),
    );
  }
  await installation.close();
}
