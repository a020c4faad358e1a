import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { download, PNG, submitted } from '../submissions/submitting.ts';
import type { TestApp, TestCustomer } from '../support/app.ts';
import { addForm } from '../support/forms.ts';

export interface Signed {
  customer: TestCustomer;
  formId: string;
  id: string;
  /** Where its certificate is. */
  path: string;
}

/** A signed submission with a file, of a customer of its own. */
export async function addSigned(app: TestApp, customer?: TestCustomer): Promise<Signed> {
  const owner = customer ?? (await app.createCustomer());
  const formId = await addForm(app, owner.id, {
    title: 'Consent <to> treatment',
    signable: true,
    signature_confirmation_label: 'I have told the truth.',
    form_json: {
      fields: [
        { name: 'name', label: 'Your name', type: 'text', required: true },
        { name: 'smoker', label: 'Do you smoke?', type: 'radio', options: ['yes', 'no'] },
        { name: 'years', label: 'For how long?', type: 'number', show_when: 'smoker == "yes"' },
      ],
    },
  });
  const id = await submitted(app, formId, {
    form_data: { name: 'Ann Lee', smoker: 'no' },
    attachments: [{ name: 'card.txt', content: Buffer.from('a card').toString('base64') }],
    signature: { confirmed: true, name: 'Ann Lee', image: PNG.toString('base64') },
  });
  return { customer: owner, formId, id, path: `/v1/forms/api/forms/${formId}/submissions/${id}/certificate` };
}

/** The certificate of a signed submission, as bytes. */
export async function certificateOf(app: TestApp, { customer, path }: Signed): Promise<Buffer> {
  const { status, headers, bytes } = await download(app, customer, path);
  assert.equal(status, 200, bytes.toString());
  assert.equal(headers.get('content-type'), 'application/pdf');
  return bytes;
}

/** A folder that goes with the test. */
export function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'carepost-certificates-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
