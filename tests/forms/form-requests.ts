import assert from 'node:assert/strict';
import { type Reply, type TestApp, type TestCustomer } from '../support/app.ts';
import { asOwner } from '../support/owner.ts';

export const FORMS = '/v1/forms/api/forms';

/** What makes a form, with whatever is to be otherwise. */
export function postForm(
  app: TestApp,
  { id, key }: TestCustomer,
  fields: object = {},
  headers: Record<string, string> = {},
): Promise<Reply> {
  return app.request('POST', FORMS, {
    key,
    headers,
    body: { title: 'Intake', form_json: {}, customer_id: id, ...fields },
  });
}

/** A form made over HTTP. */
export async function makeForm(app: TestApp, customer: TestCustomer, fields: object = {}): Promise<string> {
  const { status, body, text } = await postForm(app, customer, fields);
  assert.equal(status, 200, text);
  return body.id;
}

/** Asks something of a form: the path goes on after its id. */
export function askForm(app: TestApp, { key }: TestCustomer, call: string, body?: object): Promise<Reply> {
  const [method = '', path = ''] = call.split(' ');
  return app.request(method, `${FORMS}/${path}`, { key, ...(body && { body }) });
}

/** Changes a form, which has to work. */
export async function changeForm(app: TestApp, customer: TestCustomer, id: string, change: object): Promise<void> {
  const { status, text } = await askForm(app, customer, `PUT ${id}`, change);
  assert.equal(status, 200, text);
}

export async function readForm(app: TestApp, customer: TestCustomer, id: string): Promise<Reply['body']> {
  const { status, body, text } = await askForm(app, customer, `GET ${id}`);
  assert.equal(status, 200, text);
  return body.data;
}

/** A marketing list of the customer. */
export async function makeList(app: TestApp, { id }: TestCustomer): Promise<number> {
  const now = app.installation.clock.now();
  const { id: listId } = await app.installation.db.tenant([id], (tx) =>
    tx
      .insertInto('subscription_lists')
      .values({ customer_id: id, name: 'News', is_default: false, created_at: now, updated_at: now })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );
  return listId;
}

/** The rows that a query gives to somebody whom no policy holds back. */
export function rowsOf(app: TestApp, query: string, values: unknown[] = []): Promise<Reply['body'][]> {
  return asOwner(app, async (client) => (await client.query(query, values)).rows);
}

/** Refused in the words of the Forms area, with the field that is wrong and no other. */
export function assertRefuses({ status, body, text }: Reply, wanted: number, field?: string, what = text): void {
  assert.equal(status, wanted, what);
  const keys = ['message', 'detail', 'error', 'errors', ...(field === undefined ? [] : ['fields'])];
  assert.deepEqual(Object.keys(body), keys, what);
  assert.equal(body.errors[0].code, wanted, what);
  if (field !== undefined) assert.deepEqual(Object.keys(body.fields), [field], what);
}

/** How often each status was answered. */
export function tally(replies: Reply[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
