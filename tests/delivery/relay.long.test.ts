import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { SMTPServer } from 'smtp-server';
import { readRelay } from '../../src/email/delivery/onward/relay.ts';
import { startApp } from '../support/app.ts';
import { type Authority, createAuthority } from '../support/authority.ts';
import { eventually } from '../support/eventually.ts';
import { deliveredReceipt, messageTo, receiptOf, send } from '../support/mail.ts';
import { asOwner } from '../support/owner.ts';

const USER = 'relay user';
const PASSWORD = 'p@ss:word/%';
const SECRET = 'the-result-of-ann';

interface NextHop {
  port: number;
  taken: string[];
}

/** A next hop that wants a name and a password, with a certificate for its address. */
async function startNextHop(t: TestContext, authority: Authority, secure: boolean): Promise<NextHop> {
  const taken: string[] = [];
  const { cert, key } = await authority.issue({ names: ['127.0.0.1'] });
  const server = new SMTPServer({
    cert,
    key,
    secure,
    disableReverseLookup: true,
    closeTimeout: 50,
    authMethods: ['PLAIN'],
    onAuth: ({ username, password }, _session, done) =>
      username === USER && password === PASSWORD ? done(null, { user: USER }) : done(new Error('no')),
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.once('end', () => {
        taken.push(Buffer.concat(chunks).toString());
        done();
      });
    },
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => new Promise<void>((resolve) => server.close(resolve)));
  return { port: (server.server.address() as { port: number }).port, taken };
}

function urlOf(scheme: string, { port }: NextHop, password = PASSWORD): string {
  return `${scheme}://${encodeURIComponent(USER)}:${encodeURIComponent(password)}@127.0.0.1:${port}`;
}

async function startRelaying(t: TestContext, authority: Authority, url: string) {
  const folder = mkdtempSync(join(tmpdir(), 'carepost-relay-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const trusted = join(folder, 'authority.pem');
  writeFileSync(trusted, authority.caPem);
  const env = {
    CAREPOST_DELIVERY: 'relay',
    CAREPOST_RELAY_URL: url,
    CAREPOST_TRUSTED_CA_FILE: trusted,
    CAREPOST_ROLES: 'http,worker',
  };
  const app = await startApp(t, { env });
  const customer = await app.createCustomer();
  await asOwner(app, (owner) =>
    owner.query(
      `insert into sending_domains (id, customer_id, domain, challenge, state, verified_at, warm_up, created_at)
       values (gen_random_uuid(), $1, 'example.org', 'x', 'verified', now(), false, now())`,
      [customer.id],
    ),
  );
  return { app, customer };
}

const letter = messageTo('ann@example.com', { content: { 'text/plain': SECRET } });

for (const scheme of ['smtp', 'smtps'] as const) {
  test(`all mail goes to the next hop over verified TLS, once it has taken the password (${scheme})`, async (t) => {
    const authority = await createAuthority();
    const hop = await startNextHop(t, authority, scheme === 'smtps');
    const { app, customer } = await startRelaying(t, authority, urlOf(scheme, hop));
    const id = await send(app, customer.key, letter);
    const receipt = await deliveredReceipt(app, customer.key, id);
    const [delivery] = receipt.body.data.message.message_deliveries;
    assert.deepEqual([delivery.tls.policy, delivery.tls.verified], ['pkix', true]);
    assert.equal(hop.taken.length, 1);
    assert.ok(hop.taken[0]?.includes(SECRET));
  });
}

test('what a test key sends goes to the sandbox, whatever the mode', async (t) => {
  const authority = await createAuthority();
  const hop = await startNextHop(t, authority, false);
  const { app, customer } = await startRelaying(t, authority, urlOf('smtp', hop));
  const { key } = await app.createKey(customer, ['email'], { mode: 'test' });
  const id = await send(app, key, messageTo('ann@example.com', { headers: { from: 'any@unverified.example' } }));
  await deliveredReceipt(app, key, id);
  const inbox = await app.request('GET', '/v1/email/sandbox/messages?to=ann@example.com', { key });
  assert.equal(inbox.body.data.length, 1);
  assert.deepEqual(hop.taken, []);
});

test('a next hop that cannot be verified, or refuses the password, gets nothing', async (t) => {
  const [authority, stranger] = await Promise.all([createAuthority(), createAuthority()]);
  const hop = await startNextHop(t, authority, false);
  const cases = [
    { trusted: stranger, url: urlOf('smtp', hop), why: /certificate of the next hop/ },
    { trusted: authority, url: urlOf('smtp', hop, 'wrong'), why: /refused the sign-in/ },
  ];
  for (const { trusted, url, why } of cases) {
    const { app, customer } = await startRelaying(t, trusted, url);
    const id = await send(app, customer.key, letter);
    const said = await eventually(async () => {
      const { body } = await receiptOf(app, customer.key, id);
      return body.data.message.message_deliveries[0].smtpResponse as string | undefined;
    });
    assert.match(said, why);
    assert.deepEqual(hop.taken, []);
    await app.stop();
  }
});

test('a relay URL says host, port, name, password and how TLS begins', () => {
  const rest = {
    heloName: 'a.example',
    authorities: undefined,
    patience: { connectMs: 1, commandMs: 1, finalDotMs: 1 },
  };
  const read = (url: string) => readRelay(url, rest).target;
  assert.deepEqual(read('smtp://hop.example'), {
    host: 'hop.example',
    port: 587,
    serverName: 'hop.example',
    heloName: 'a.example',
    tlsFirst: false,
  });
  assert.deepEqual([read('smtps://hop.example').port, read('smtps://hop.example').tlsFirst], [465, true]);
  assert.equal(read('smtp://[::1]:2525').host, '::1');
});
