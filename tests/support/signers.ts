import { createHash, randomUUID } from 'node:crypto';
import { withConnection } from '../../src/platform/db/pool.ts';
import type { TestApp } from './app.ts';

interface Asking {
  id: number;
  key: string;
  mark: string;
  recipient: string;
}

/**
 * Somebody who has signed a submission, whose id is answered, and somebody with a signature and a code at a submission
 * that nobody opens.
 */
export async function addSigner(
  app: TestApp,
  { id: customerId, key, mark, recipient }: Asking,
  { formId, submissionId }: { formId: string; submissionId: string },
): Promise<string> {
  const path = `/api/forms/${formId}/submissions/${submissionId}/signers`;
  const { body } = await app.request('POST', path, { key, body: { role: mark, email: recipient } });
  const [other, elsewhere, bytes] = [randomUUID(), randomUUID(), Buffer.from(mark)];
  const hash = createHash('sha256').update(mark).digest();
  await withConnection(app.installation.ownerUrl, async (client) => {
    await client.query(`update submission_signers set state = 'signed' where id = $1`, [body.data.id]);
    await client.query(
      `insert into submission_signers (id, customer_id, form_id, submission_id, ordinal, role, required, state,
         token_hash, sealed, created_at, expires_at, settled_at)
       values ($1, $2, $3, $4, 0, $5, true, 'signed', $6, $7, now(), now() + interval '30 days', now())`,
      [other, customerId, formId, elsewhere, mark, hash, bytes],
    );
    await client.query('insert into submission_signatures values ($1, $2, $3, $4, now())', [
      other,
      customerId,
      elsewhere,
      bytes,
    ]);
    await client.query(
      'insert into submission_signer_codes (id, customer_id, signer_id, code_index, created_at) values ($1, $2, $3, $4, now())',
      [randomUUID(), customerId, other, bytes],
    );
  });
  return body.data.id;
}
