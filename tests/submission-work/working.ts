import assert from 'node:assert/strict';
import type { Reply, TestApp, TestCustomer } from '../support/app.ts';

/** Asks as a customer, below a form. */
export function askAs(app: TestApp, { key }: Pick<TestCustomer, 'key'>) {
  const ask = (method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<Reply> =>
    app.request(method, `/v1/forms/api/forms${path}`, { key, headers, ...(body === undefined ? {} : { body }) });
  const take = async (method: string, path: string, body?: object) => {
    const reply = await ask(method, path, body);
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.text}`);
    return reply.body;
  };
  return { ask, take };
}
