import { createHash, randomUUID } from 'node:crypto';
import { withConnection } from '../../src/platform/db/pool.ts';
import type { TestApp } from './app.ts';

/** What comes before a submission: a part of a file, and a draft with a code. */
export async function addUnsent(
  app: TestApp,
  { id: customerId, mark }: { id: number; mark: string },
  formId: string,
): Promise<void> {
  const bytes = Buffer.from(mark);
  const tus = { 'tus-resumable': '1.0.0' };
  const { headers } = await app.request('POST', `/f/${formId}/files`, {
    headers: {
      ...tus,
      'upload-length': String(bytes.length + 1),
      'upload-metadata': `filename ${bytes.toString('base64')}`,
    },
  });
  await app.request('PATCH', headers.get('location') as string, {
    headers: { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    raw: bytes,
  });
  const hash = createHash('sha256').update(mark).digest();
  const draftId = randomUUID();
  await withConnection(app.installation.ownerUrl, async (client) => {
    await client.query(
      `insert into form_drafts
         (id, customer_id, form_id, token_hash, held_hash, once_index, sealed, created_at, updated_at, expires_at)
       values ($1, $2, $3, $4, $4, $4, $5, now(), now(), now() + interval '30 days')`,
      [draftId, customerId, formId, hash, bytes],
    );
    await client.query(
      'insert into form_draft_codes (id, customer_id, draft_id, code_index, created_at) values ($1, $2, $3, $4, now())',
      [randomUUID(), customerId, draftId, bytes],
    );
  });
}
