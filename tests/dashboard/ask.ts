import assert from 'node:assert/strict';
import type { Reply, TestApp, TestCustomer } from '../support/app.ts';

/** Calls the API and answers the body; fails where it refuses. */
export type Ask = (method: string, path: string, body?: object) => Promise<Reply['body']>;

/** Calls by the key of a customer, below an address. */
export function askAs(app: TestApp, { key }: TestCustomer, base = ''): Ask {
  return async (method, path, body) => {
    const reply = await app.request(method, base + path, { key, ...(body === undefined ? {} : { body }) });
    assert.ok(reply.status < 300, `${method} ${path} ${reply.status} ${reply.text}`);
    return reply.body;
  };
}
