import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, type TestContext, test } from 'node:test';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { addForm } from '../support/forms.ts';
import { asOwner } from '../support/owner.ts';
import { base64, leavingNothing, submit } from './submitting.ts';

const DAY = 24 * 3600_000;
const TOLD = ['location', 'x-submission-id', 'submission-receipt'];

const clock = createMovableClock();
let app: TestApp;
let customer: TestCustomer;
before(async (t) => {
  app = await startApp(t as TestContext, { clock });
  customer = await app.createCustomer();
});

const BODY = { form_data: { name: 'Ann' }, attachments: [{ name: 'a.txt', content: base64('one') }] };

const keyed = (key: string) => ({ 'idempotency-key': key });

function manage(call: string, formId: string, body?: unknown) {
  const [method = '', rest = ''] = call.split(' ');
  return app.request(method, `/v1/forms/api/forms/${formId}${rest}`, { key: customer.key, body });
}

/** What a reply says to whoever sent the request, without what is different in each. */
const seen = ({ status, text, headers }: { status: number; text: string; headers: Headers }) => ({
  status,
  text: text.replaceAll(headers.get('x-request-id') ?? '-', 'ID'),
  told: [...TOLD, 'idempotency-replayed'].map((name) => headers.get(name)),
});

/** How an id that there never was looks, to the same request. */
const nowhere = async (body: unknown, headers: Record<string, string>) =>
  seen(await submit(app, randomUUID(), body, headers));

const CLOSINGS: [call: string, body?: unknown][] = [['POST /archive'], ['PUT ', { active: false }], ['DELETE ']];

test('a form that was closed since answers the same submission as when it took it, and looks gone to all others', async () => {
  for (const [call, change] of CLOSINGS) {
    const [formId, key] = [await addForm(app, customer.id), randomUUID()];
    const first = await submit(app, formId, BODY, keyed(key));
    assert.equal(first.status, 201, first.text);
    assert.equal((await manage(call, formId, change)).status, 200);
    const again = await leavingNothing(app, () => submit(app, formId, BODY, keyed(key)));
    assert.equal(again.status, 201, call);
    assert.equal(again.text, '');
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
    for (const name of TOLD) assert.equal(again.headers.get(name), first.headers.get(name), name);
    const others: [body: unknown, headers: Record<string, string>][] = [
      [BODY, {}],
      [BODY, keyed(randomUUID())],
      [BODY, keyed('')],
      [BODY, keyed('x'.repeat(256))],
      [{ ...BODY, form_data: { name: 'Bob' } }, keyed(key)],
      [{ ...BODY, attachments: [{ name: 'a.txt', content: base64('two') }] }, keyed(key)],
      [{ form_data: 7 }, keyed(key)],
      [{}, keyed(key)],
    ];
    for (const [body, headers] of others) {
      const reply = await leavingNothing(app, () => submit(app, formId, body, headers));
      assert.deepEqual(seen(reply), await nowhere(body, headers), JSON.stringify([call, body]));
      assert.equal(reply.status, 404);
    }
  }
});

function inParts() {
  const body = new FormData();
  body.append('name', 'Ann');
  body.append('scan', new Blob(['one'.repeat(100_000)]), 'a.txt');
  return { body };
}

function streamed() {
  return { body: new Blob([JSON.stringify(BODY)]).stream(), duplex: 'half' as const };
}

test('a submission in parts, or without a length, is known again by a closed form', async () => {
  const [formId, key] = [await addForm(app, customer.id), randomUUID()];
  const url = `${app.url}/v1/forms/api/forms/${formId}/submissions`;
  for (const [i, make] of [inParts, streamed].entries()) {
    const send = () => fetch(url, { method: 'POST', headers: keyed(`${key}-${i}`), ...make() });
    await manage('PUT ', formId, { active: true });
    const first = await send();
    assert.equal(first.status, 201);
    await manage('PUT ', formId, { active: false });
    const again = await leavingNothing(app, send);
    assert.equal(again.status, 201);
    assert.equal(again.headers.get('x-submission-id'), first.headers.get('x-submission-id'));
  }
});

test('what a closed form refused, took a day ago or took for a customer without an agreement is gone', async () => {
  const [formId, key, bad] = [await addForm(app, customer.id), randomUUID(), randomUUID()];
  const wrong = { form_data: 7 };
  assert.equal((await submit(app, formId, BODY, keyed(key))).status, 201);
  assert.equal((await submit(app, formId, wrong, keyed(bad))).status, 400);
  await manage('POST /archive', formId);
  assert.deepEqual(seen(await submit(app, formId, wrong, keyed(bad))), await nowhere(wrong, keyed(bad)));
  const end = (day: string) =>
    asOwner(app, (client) =>
      client.query('update agreements set ends_on = $2 where customer_id = $1', [customer.id, day]),
    );
  await end('2001-01-01');
  assert.equal((await submit(app, formId, BODY, keyed(key))).status, 404);
  await end('2101-01-01');
  assert.equal((await submit(app, formId, BODY, keyed(key))).status, 201);
  clock.advance(DAY + 1);
  assert.equal((await submit(app, formId, BODY, keyed(key))).status, 404);
});
