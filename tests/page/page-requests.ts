import type { Reply, TestApp, TestCustomer } from '../support/app.ts';
import { addForm } from '../support/forms.ts';

/** A form with one question, open as the settings say. */
export async function addOpenForm(app: TestApp, { id, key }: TestCustomer, settings: object = {}, wanted: object = {}) {
  const formId = await addForm(app, id, { form_json: { fields: [{ name: 'name', type: 'text' }] }, ...wanted });
  const { status, text } = await app.request('PUT', `/api/forms/${formId}/page`, { key, body: settings });
  if (status !== 200) throw new Error(text);
  return formId;
}

/** The submissions of a form, the newest first. */
export async function submissionsOf(app: TestApp, { key }: TestCustomer, formId: string): Promise<Reply['body'][]> {
  const { body } = await app.request('GET', `/api/forms/${formId}/submissions`, { key });
  return body.data;
}

export function answersOf(submission: Reply['body']): Record<string, unknown> {
  return JSON.parse(submission.form_data);
}

/** Submits by the API. */
export function submit(app: TestApp, formId: string, more: object = {}, headers: Record<string, string> = {}) {
  return app.request('POST', `/api/forms/${formId}/submissions`, {
    body: { form_data: { name: 'Ann' }, ...more },
    headers,
  });
}
