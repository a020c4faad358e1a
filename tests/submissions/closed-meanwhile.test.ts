import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, type TestContext, test } from 'node:test';
import { addOpenForm } from '../page/page-requests.ts';
import { open, SUBMIT } from '../page/visitor.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';
import { addForm } from '../support/forms.ts';
import { asOwner } from '../support/owner.ts';
import { base64, blobFiles, idOf, leavingNothing, openLine, submit } from './submitting.ts';

const clock = createMovableClock();
let app: TestApp;
let customer: TestCustomer;
before(async (t) => {
  app = await startApp(t as TestContext, { clock });
  customer = await app.createCustomer();
  const hook = { target_url: 'http://127.0.0.1:9/', events: ['forms.submission.created'] };
  const { status } = await app.request('POST', '/v1/webhooks/endpoints', { key: customer.key, body: hook });
  assert.equal(status, 201);
});

function manage(call: string, formId: string, body?: unknown) {
  const [method = '', rest = ''] = call.split(' ');
  return app.request(method, `/v1/forms/api/forms/${formId}${rest}`, { key: customer.key, body });
}

function endAgreement(day: string | null) {
  return asOwner(app, (client) =>
    client.query('update agreements set ends_on = $2 where customer_id = $1', [customer.id, day]),
  );
}

/** All ways in which a form stops being public, and how it comes back where it does. */
const CLOSINGS: Record<string, { close(formId: string): Promise<unknown>; reopen?(formId: string): Promise<unknown> }> =
  {
    archived: {
      close: (id) => manage('POST /archive', id),
      reopen: async (id) => {
        await manage('POST /unarchive', id);
        await manage('PUT ', id, { active: true });
      },
    },
    deactivated: {
      close: (id) => manage('PUT ', id, { active: false }),
      reopen: (id) => manage('PUT ', id, { active: true }),
    },
    deleted: { close: (id) => manage('DELETE ', id) },
    'without an agreement': { close: () => endAgreement('2001-01-01'), reopen: () => endAgreement(null) },
  };

/** Does something else while what was sent waits half-way through being stored. */
function whileStored<T>(send: () => Promise<T>, meanwhile: () => Promise<unknown>): Promise<T> {
  return asOwner(app, async (client) => {
    await client.query('begin');
    await client.query('select from webhook_endpoints for update');
    const reply = send();
    const waits = 'select from pg_locks where not granted and transactionid = pg_current_xact_id()::xid';
    await eventually(async () => (await client.query(waits)).rows.length > 0);
    await meanwhile();
    await client.query('rollback');
    return reply;
  });
}

/** Does something else while a body comes in, of which a file has come already. */
async function whileComing(
  path: string,
  body: string,
  key: string,
  meanwhile: () => Promise<unknown>,
): Promise<string> {
  const [known, { socket, answer }] = [blobFiles(app).length, await openLine(app)];
  const half = body.indexOf(',"form_data"');
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nIdempotency-Key: ${key}\r\nContent-Length: ${body.length}\r\n\r\n`;
  socket.write(head + body.slice(0, half));
  await eventually(async () => blobFiles(app).length > known, 20_000);
  await meanwhile();
  socket.write(body.slice(half));
  const line = await answer;
  socket.destroy();
  return line;
}

const FORM_DATA = { name: 'Ann', email: 'ann@example.com' };
const BODY = { attachments: [{ name: 'a.txt', content: base64('one'.repeat(200_000)) }], form_data: FORM_DATA };

for (const [name, { close, reopen }] of Object.entries(CLOSINGS)) {
  test(`a form that is ${name} while a submission comes in does not take it, and nothing of it stays`, async () => {
    const formId = await addForm(app, customer.id, { recipient: 'desk@example.com' });
    const path = `/v1/forms/api/forms/${formId}/submissions`;
    const key = randomUUID();
    const line = await leavingNothing(app, () => whileComing(path, JSON.stringify(BODY), key, () => close(formId)));
    assert.match(line, /^HTTP\/1\.1 404 /);
    if (reopen === undefined) return;
    await reopen(formId);
    // Nothing remembers the refusal, or confirms what was not taken.
    const taken = await submit(app, formId, BODY, { 'idempotency-key': key });
    assert.equal(taken.status, 201, taken.text);
    assert.equal(taken.headers.get('idempotency-replayed'), null);
    const reply = await leavingNothing(app, () =>
      whileStored(
        () => submit(app, formId, { form_data: FORM_DATA }),
        () => close(formId),
      ),
    );
    assert.equal(reply.status, 404);
    const { errors } = (await submit(app, randomUUID(), { form_data: FORM_DATA })).body;
    assert.deepEqual(reply.body.errors, errors);
    await reopen(formId);
    idOf(await submit(app, formId, { form_data: FORM_DATA }));
  });
}

test('a page that is sent while its form is closed is answered like one that never was', async () => {
  const formId = await addOpenForm(app, customer);
  const page = await open(app, `/f/${formId}`);
  clock.advance(5_000);
  const sent = await leavingNothing(app, () =>
    whileStored(
      () => page.press(SUBMIT, { 'q.name': 'Ann' }),
      () => manage('POST /archive', formId),
    ),
  );
  const nowhere = await open(app, `/f/${randomUUID()}`);
  assert.deepEqual([sent.status, sent.title], [404, nowhere.title]);
});
