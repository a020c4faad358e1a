import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { INSTALLATION } from '../../src/accounts/index.ts';
import { chooseKeys } from '../../src/email/domains/choose-keys.ts';
import { createReturnPaths } from '../../src/email/domains/return-path.ts';
import { createSigners, type SignerFor } from '../../src/email/domains/signers.ts';
import { addDomain, checkDomain, findDomainNamed, preparePair, rotateKeys } from '../../src/email/index.ts';
import { openDatabase } from '../../src/platform/db/database.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { asOwner } from '../support/owner.ts';
import { createFakeDns, publishAll } from './fake-dns.ts';

const SYSTEM = 'system.example';
const dns = createFakeDns();
const clock = createMovableClock();
let app: TestApp;
let deps: { db: ReturnType<typeof openDatabase>; systemFrom: string } & Pick<
  TestApp['installation'],
  'vault' | 'clock' | 'log'
>;
before(async (t) => {
  app = await startApp(t as TestContext, { clock, overrides: { domainDns: dns } });
  const { ownerUrl, vault, log } = app.installation;
  const db = openDatabase({ ownerUrl, log }, 'worker', 2);
  (t as TestContext).after(() => db.close());
  deps = { db, vault, clock, log, systemFrom: `no-reply@${SYSTEM}` };
});

const context = () => ({ now: clock.now(), returnPathDomain: 'bounces.post.example' });
const act = (customerId: number) => app.act(customerId, 'test');

async function addTo(customerId: number, domain: string) {
  const { db } = app.installation;
  const pair = await preparePair(app.installation, customerId, domain);
  return db.tenant([customerId], (tx) => addDomain({ tx, clock, act: act(customerId) }, context(), domain, pair));
}

async function publishAndCheck(customerId: number, domain: string, purposes?: string[]) {
  const { db } = app.installation;
  const found = await db.tenant([customerId], (tx) => findDomainNamed(tx, context(), customerId, domain));
  assert.ok(found);
  publishAll(dns, found, purposes);
  return checkDomain({ db, dns, clock, returnPathDomain: 'bounces.post.example' }, act(customerId), found);
}

const resolver = async (name: string) => [[dns.records.get(`TXT ${name}`)?.[0] ?? '']];

/** Which keys have signed a message from a domain, all of which hold by what is in DNS. */
async function signedBy(signerFor: SignerFor, customerId: number, from: string): Promise<string[]> {
  const headers = `From: a@${from}\r\nTo: b@x.example\r\nSubject: Hello\r\n`;
  const signer = await signerFor(customerId, from);
  const signature = await signer.sign(headers, Buffer.from('Hello\r\n'));
  const { results } = await dkimVerify(Buffer.from(`${signature}${headers}\r\nHello\r\n`), { resolver });
  return results
    .filter(({ status }) => status.result !== 'none')
    .map(({ status, signingDomain, algo }) => {
      assert.equal(status.result, 'pass');
      assert.equal(status.aligned, signingDomain);
      return `${algo} ${signingDomain}`;
    });
}
const both = (domain: string) => [`rsa-sha256 ${domain}`, `ed25519-sha256 ${domain}`];

test('outside the sandbox only keys sign whose records have been seen', async () => {
  const { id } = await app.createCustomer();
  const signerFor = createSigners({ ...deps, mode: 'direct' });
  await addTo(id, 'seen.example');
  assert.deepEqual(await signedBy(signerFor, id, 'seen.example'), []);
  dns.isDown = true;
  await publishAndCheck(id, 'seen.example');
  dns.isDown = false;
  clock.advance(60_000);
  assert.deepEqual(await signedBy(signerFor, id, 'seen.example'), []);
  await publishAndCheck(id, 'seen.example');
  assert.deepEqual(await signedBy(signerFor, id, 'seen.example'), [], 'for a minute it is as it was');
  clock.advance(60_000);
  assert.deepEqual(await signedBy(signerFor, id, 'seen.example'), both('seen.example'));
  assert.deepEqual(await signedBy(signerFor, id, 'mail.ward.seen.example'), both('seen.example'));
  const other = await app.createCustomer();
  assert.deepEqual(await signedBy(signerFor, other.id, 'seen.example'), []);
});

test('a new pair signs once it was seen, and a domain that was taken away signs what is left of its mail', async () => {
  const { id } = await app.createCustomer();
  const { db } = app.installation;
  const signerFor = createSigners({ ...deps, mode: 'direct' });
  const selectors = async () => {
    clock.advance(60_000);
    const signature = await (await signerFor(id, 'turn.example')).sign('From: a@turn.example\r\n', Buffer.from(''));
    return [...signature.matchAll(/ s=cp[a-z2-7]{8}(\w+);/g)].map(([, key]) => key);
  };
  const domain = await addTo(id, 'turn.example');
  await publishAndCheck(id, 'turn.example');
  assert.deepEqual(await selectors(), ['r1', 'e1']);
  const pair = await preparePair(app.installation, id, 'turn.example');
  await db.tenant([id], (tx) => rotateKeys({ tx, clock, act: act(id) }, domain, pair));
  assert.deepEqual(await selectors(), ['r1', 'e1']);
  await publishAndCheck(id, 'turn.example');
  assert.deepEqual(await selectors(), ['r2', 'e2']);
  const { key } = await app.createKey({ id, username: '', key: '', keyId: '' }, ['email']);
  assert.equal((await app.request('DELETE', `/v1/email/sending_domains/${domain.id}`, { key })).status, 200);
  assert.deepEqual(await selectors(), ['r2', 'e2']);
  clock.advance(7 * 24 * 3600_000);
  assert.deepEqual(await selectors(), ['r2', 'e2'], 'for as long as the keys are kept');
});

test('in the sandbox any domain is signed at once', async () => {
  const { id } = await app.createCustomer();
  const [signerFor, elsewhere] = [
    createSigners({ ...deps, mode: 'sandbox' }),
    createSigners({ ...deps, mode: 'sandbox' }),
  ];
  const from = (signer: SignerFor) =>
    signer(id, 'any.example').then(({ sign }) => sign('From: a@any.example\r\n', Buffer.from('')));
  const [one, other] = await Promise.all([from(signerFor), from(elsewhere)]);
  assert.equal(one.match(/DKIM-Signature/g)?.length, 2);
  assert.equal(one, other, 'two nodes that make keys at the same time agree on them');
});

test('a key from before pairs goes on in the sandbox, and is opened by the name that it was sealed under', async () => {
  const { id } = await app.createCustomer();
  const made = (await preparePair(app.installation, id, 'old.example')).made[0];
  const keys = await app.installation.vault.of(id);
  const sealed = keys.seal({ table: 'dkim_keys', row: 'old.example', column: 'sealed' }, made?.privateKey ?? '');
  await asOwner(app, (client) =>
    client.query("insert into dkim_keys values ($1, 'old.example', 'carepost', $2, $3, now(), 'rsa', 0)", [
      id,
      made?.publicKey,
      sealed,
    ]),
  );
  dns.publish('TXT', 'carepost._domainkey.old.example', `v=DKIM1; k=rsa; p=${made?.publicKey}`);
  assert.deepEqual(await signedBy(createSigners({ ...deps, mode: 'sandbox' }), id, 'old.example'), [
    'rsa-sha256 old.example',
  ]);
  assert.deepEqual(await signedBy(createSigners({ ...deps, mode: 'direct' }), id, 'old.example'), []);
  await addTo(id, 'old.example');
  const left = await deps.db.tenant([id], (tx) =>
    tx.selectFrom('dkim_keys').selectAll().where('customer_id', '=', id).execute(),
  );
  assert.deepEqual(
    chooseKeys(left, 'sandbox').map(({ pair }) => pair),
    [1, 1],
  );
});

test('mail of the product itself is signed with the keys of the installation, for all customers', async () => {
  const [{ id }, other] = [await app.createCustomer(), await app.createCustomer()];
  await addTo(INSTALLATION, SYSTEM);
  await publishAndCheck(INSTALLATION, SYSTEM);
  const signerFor = createSigners({ ...deps, mode: 'direct' });
  assert.deepEqual(await signedBy(signerFor, id, SYSTEM), both(SYSTEM));
  assert.deepEqual(await signedBy(signerFor, other.id, SYSTEM), both(SYSTEM));
  assert.deepEqual(await signedBy(signerFor, id, `sub.${SYSTEM}`), [], 'but nobody else’s from below it');
});

test('return paths lie under the domain once its record was seen', async () => {
  const { id } = await app.createCustomer();
  await addTo(id, 'paths.example');
  const pathOf = createReturnPaths({ ...deps, returnPathDomain: 'bounces.post.example' });
  const bare = createReturnPaths({ ...deps, returnPathDomain: null });
  assert.equal(await pathOf(id, 'mail.paths.example'), 'bounces.post.example');
  assert.equal(await bare(id, 'mail.paths.example'), 'mail.paths.example');
  await publishAndCheck(id, 'paths.example');
  assert.equal(await pathOf(id, 'mail.paths.example'), 'bounces.post.example');
  clock.advance(60_000);
  assert.equal(await pathOf(id, 'mail.paths.example'), 'bounces.paths.example');
  assert.equal(await pathOf(id, SYSTEM), `bounces.${SYSTEM}`);
  dns.records.delete('CNAME bounces.paths.example');
  await publishAndCheck(id, 'paths.example', ['ownership']);
  clock.advance(60_000);
  assert.equal(await pathOf(id, 'paths.example'), 'bounces.post.example');
});
