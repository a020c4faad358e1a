import assert from 'node:assert/strict';
import type { Reply, TestApp, TestCustomer } from '../support/app.ts';

export const EVERYBODY = [[{ field: 'email', op: 'is_not_empty', terms: [] }]];

export type Calls = ReturnType<typeof callsOf>;

/** What a customer asks of the Marketing area. */
export function callsOf(app: TestApp, { key }: TestCustomer) {
  const call = (method: string, path: string, body?: unknown): Promise<Reply> =>
    app.request(method, `/v1/marketing${path}`, { key, ...(body === undefined ? {} : { body }) });
  const made = async (path: string, body: object) => {
    const reply = await call('POST', path, body);
    assert.equal(reply.status, 200, reply.text);
    return reply.body.data;
  };
  return {
    call,
    create: (body: object) => made('/dynamic_lists', body),
    addPerson: async (subscriber: object): Promise<string> => (await made('/subscribers', { subscriber })).id,
  };
}

/** A refusal with this status, of this field by this rule. */
export function assertRefused({ status, body }: Reply, wanted: number, field?: string, rule?: RegExp): void {
  assert.equal(status, wanted, JSON.stringify(body));
  if (field === undefined) return;
  assert.deepEqual(Object.keys(body.details), [field]);
  assert.match(body.details[field][0], rule ?? /./);
}
