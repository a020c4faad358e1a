import assert from 'node:assert/strict';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { sealTo } from '../../src/forms/end-to-end/age.ts';
import type { TestApp, TestCustomer } from '../support/app.ts';
import { addForm } from '../support/forms.ts';

export interface Key {
  identity: string;
  recipient: string;
}

export async function newKey(): Promise<Key> {
  const identity = await generateX25519Identity();
  return { identity, recipient: await identityToRecipient(identity) };
}

/** A form whose answers only these can read. */
export async function addSealedForm(
  app: TestApp,
  customer: TestCustomer,
  keys: Key[],
  wanted: Parameters<typeof addForm>[2],
): Promise<string> {
  const formId = await addForm(app, customer.id, wanted);
  const body = { sealed_to: keys.map(({ recipient }) => recipient) };
  const { status, text } = await app.request('PUT', `/api/forms/${formId}/page`, { key: customer.key, body });
  assert.equal(status, 200, text);
  return formId;
}

/** Answers as a browser encrypts them. */
export async function sealAnswers(keys: Key[], formId: string, answers: object, more: object = {}): Promise<string> {
  const content = { form: formId, version: 1, answers, signature: null, files: [], ...more };
  const sealed = await sealTo(
    keys.map(({ recipient }) => recipient),
    JSON.stringify(content),
  );
  return Buffer.from(sealed).toString('base64');
}
