import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { type RequestOptions, request } from 'node:https';
import { before, type TestContext, test } from 'node:test';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { addForm } from '../support/forms.ts';
import { type Nginx, startNginx } from './nginx.ts';

const PROXY = '127.0.0.9';
const LIMIT = 20;

let app: TestApp;
let customer: TestCustomer;
let nginx: Nginx;
before(async (t) => {
  app = await startApp(t as TestContext, {
    clock: createMovableClock(new Date('2026-01-01T00:00:01Z')),
    env: {
      CAREPOST_PUBLIC_URL: 'https://care.example.org',
      CAREPOST_TRUSTED_PROXIES: PROXY,
      CAREPOST_LIMITS: `network=${LIMIT}/60s,free-disk=1MB`,
    },
  });
  customer = await app.createCustomer();
  nginx = await startNginx(t as TestContext, Number(new URL(app.url).port), PROXY);
});

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

function ask(path: string, options: RequestOptions = {}, body?: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const call = request(
      {
        host: '127.0.0.1',
        port: nginx.port,
        path,
        ca: nginx.cert,
        servername: 'care.example.org',
        agent: false,
        ...options,
      },
      (reply) => {
        let text = '';
        reply.on('data', (chunk) => (text += chunk));
        reply.once('end', () => resolve({ status: reply.statusCode ?? 0, headers: reply.headers, text }));
      },
    );
    call.once('error', reject).end(body);
  });
}

const asStranger = (localAddress: string, claimed: string) =>
  ask('/v1/forms/api/forms', { localAddress, headers: { 'x-forwarded-for': claimed, forwarded: `for=${claimed}` } });

test('each client counts by the address that the proxy saw, whatever it says of itself', async () => {
  for (const client of ['127.0.1.1', '127.0.1.2']) {
    for (let time = 0; time < LIMIT; time += 1) {
      assert.equal((await asStranger(client, `203.0.113.${time}`)).status, 401);
    }
    assert.equal((await asStranger(client, '203.0.113.99')).status, 429);
  }
});

test('whoever goes round the proxy is not believed', async () => {
  for (let time = 0; time < LIMIT; time += 1) {
    const headers = { 'x-forwarded-for': `198.51.100.${time}` };
    assert.equal((await app.request('GET', '/v1/forms/api/forms', { headers })).status, 401);
  }
  const headers = { 'x-forwarded-for': '198.51.100.99' };
  assert.equal((await app.request('GET', '/v1/forms/api/forms', { headers })).status, 429);
});

test('browsers are told to stay with TLS, and metrics stay inside', async () => {
  const from = { localAddress: '127.0.2.1' };
  assert.match(String((await ask('/healthz', from)).headers['strict-transport-security']), /max-age=\d{8}/);
  assert.equal((await ask('/metrics', from)).status, 404);
  const origin = { origin: 'https://care.example.org', 'content-type': 'application/json' };
  const body = Buffer.from(JSON.stringify({ email: 'nobody@example.org', password: 'wrong' }));
  const page = await ask('/app/api/sign_in', { ...from, method: 'POST', headers: origin }, body);
  assert.equal(page.status, 401, page.text);
});

test('a large submission goes through as it comes and never lies on the disk of the proxy', async () => {
  rmSync(nginx.bodies, { recursive: true }); // where a body that waits would have to go
  const formId = await addForm(app, customer.id, { form_json: {} });
  const file = Buffer.alloc(24 * 2 ** 20, 'large').toString('base64');
  const body = Buffer.from(JSON.stringify({ form_data: {}, attachments: [{ name: 'scan.txt', content: file }] }));
  const headers = { 'content-type': 'application/json', 'content-length': body.length };
  const sent = { method: 'POST', localAddress: '127.0.3.1', headers };
  const { status, text } = await ask(`/v1/forms/api/forms/${formId}/submissions`, sent, body);
  assert.equal(status, 201, text);
});
