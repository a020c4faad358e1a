import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/app.ts';
import { addForm } from '../support/forms.ts';

interface Line {
  time: string;
  level: string;
  msg: string;
  requestId: string;
  method: string;
  route: string;
  status: number;
  customerId?: number;
}

test('what is refused is logged: when in UTC, what, to whom and under which request, one line of JSON each', async (t) => {
  const app = await startApp(t);
  const [one, other] = [await app.createCustomer(), await app.createCustomer()];
  const { key: formsOnly } = await app.createKey(one, ['forms']);
  const foreign = await addForm(app, other.id);
  const message = { data: { message: {} } };
  const refused = [
    { status: 401, reply: await app.request('GET', '/v1/forms/api/forms', { key: `${one.key}x` }) },
    { status: 401, reply: await app.request('POST', '/v1/email/messages', { key: formsOnly, body: message }) },
    { status: 403, customer: one.id, reply: await app.request('GET', `/v1/forms/api/forms/${foreign}`, one) },
    {
      status: 400,
      customer: one.id,
      reply: await app.request('POST', '/v1/email/messages', { key: one.key, body: message }),
    },
    { status: 404, reply: await app.request('GET', '/v1/forms/%0D%0A{"level":"fatal"}') },
  ];
  const lines = app
    .logged()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
  for (const { status, customer, reply } of refused) {
    assert.equal(reply.status, status, reply.text);
    const found = lines.filter(
      ({ requestId, msg }) => requestId === reply.headers.get('x-request-id') && msg === 'refused',
    );
    assert.equal(found.length, 1);
    const [line] = found as [Line];
    assert.match(line.time, /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
    assert.deepEqual([line.status, line.customerId], [status, customer]);
    assert.ok(line.method.length > 0 && line.route.length > 0);
  }
  assert.equal(lines.filter(({ level }) => level === 'fatal').length, 0);
  assert.ok(!app.logged().includes(foreign), 'what was asked for is no part of a line');
});
