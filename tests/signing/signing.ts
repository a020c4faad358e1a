import assert from 'node:assert/strict';
import { lastMail, mailedCode } from '../drafts/saving.ts';
import { open, type Page, SUBMIT } from '../page/visitor.ts';
import { base64, submitted } from '../submissions/submitting.ts';
import type { Reply, TestApp, TestCustomer } from '../support/app.ts';
import { addForm } from '../support/forms.ts';

export const DECLINE: [string, string] = ['_go', 'decline'];
export const GUARDIAN_TEXT = 'I agree for the child.';

/** A submission that others are to sign. */
export interface ToBeSigned {
  formId: string;
  id: string;
  guardian: string;
  witness: string;
}

let counter = 0;

/** A signed submission with a file that a guardian and a witness are to sign as well. */
export async function addToBeSigned(app: TestApp, { id: customerId }: TestCustomer): Promise<ToBeSigned> {
  counter += 1;
  const [guardian, witness] = [`guardian-${counter}@example.com`, `witness-${counter}@example.com`];
  const formId = await addForm(app, customerId, {
    title: 'Secret treatment',
    signable: true,
    signature_confirmation_label: 'I have told the truth.',
    form_json: {
      fields: [
        { name: 'name', label: 'Your name', type: 'text', required: true },
        { name: 'guardian_email', label: 'Address of your guardian', type: 'email' },
        { name: 'witness_email', label: 'Address of your witness', type: 'email' },
        { name: 'card', label: 'Your card', type: 'file' },
      ],
      signers: [
        { role: 'guardian', label: GUARDIAN_TEXT, email_question: 'guardian_email', required: true },
        { role: 'witness', email_question: 'witness_email' },
      ],
    },
  });
  const id = await submitted(app, formId, {
    form_data: { name: 'Ann Secretly', guardian_email: guardian, witness_email: witness },
    attachments: [{ name: 'private-card.txt', content: base64('the card'), field: 'card' }],
    signature: { confirmed: true, name: 'Ann Secretly' },
  });
  return { formId, id, guardian, witness };
}

/** The link that was mailed last to an address. */
export async function signingLink(app: TestApp, customer: TestCustomer, address: string): Promise<string> {
  const mail = await lastMail(app, customer, address);
  return /\/s\/[\w-]{43}/.exec(mail)?.[0] ?? assert.fail('no link');
}

/** Goes in by a link with the code that is mailed for it. */
export async function goIn(app: TestApp, customer: TestCustomer, link: string, address: string): Promise<Page> {
  const waiting = await (await open(app, link)).press(null);
  return waiting.press(null, { code: await mailedCode(app, customer, address) });
}

/** Goes in and signs by typing a name. */
export async function signBy(app: TestApp, customer: TestCustomer, address: string, name: string): Promise<Page> {
  const page = await goIn(app, customer, await signingLink(app, customer, address), address);
  return page.press(SUBMIT, typed(name));
}

export function typed(name: string) {
  return { '_signature.name': name, '_signature.confirmed': 'true' };
}

/** What the customer asks of the signers of a submission. */
export function askSigners(
  app: TestApp,
  { key }: TestCustomer,
  { formId, id }: Pick<ToBeSigned, 'formId' | 'id'>,
  method = 'GET',
  rest: { path?: string; body?: object } = {},
): Promise<Reply> {
  const path = `/api/forms/${formId}/submissions/${id}/signers${rest.path ?? ''}`;
  return app.request(method, path, { key, ...(rest.body && { body: rest.body }) });
}

/** The state of each signer by role. */
export async function statesOf(app: TestApp, customer: TestCustomer, wanted: ToBeSigned) {
  const { body } = await askSigners(app, customer, wanted);
  return Object.fromEntries(body.data.map((each: { role: string; state: string }) => [each.role, each.state]));
}
