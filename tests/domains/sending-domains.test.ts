import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { asOwner } from '../support/owner.ts';
import { createFakeDns, publishAll } from './fake-dns.ts';

const DAY = 24 * 3600_000;
const dns = createFakeDns();
const clock = createMovableClock();
let app: TestApp;
before(async (t) => {
  const env = { CAREPOST_RETURN_PATH_DOMAIN: 'bounces.post.example' };
  app = await startApp(t as TestContext, { clock, env, overrides: { domainDns: dns } });
});

function calls({ key }: TestCustomer) {
  const ask = async (method: string, path: string, body?: object) =>
    app.request(method, `/v1/email/sending_domains${path}`, { key, ...(body && { body }) });
  return {
    ask,
    add: async (domain: string) => (await ask('POST', '', { domain })).body.data,
    check: async (id: string) => (await ask('POST', `/${id}/check`)).body.data,
    rotate: (id: string) => ask('POST', `/${id}/rotate_keys`),
  };
}

interface Shown {
  purpose: string;
  name: string;
  status: string;
  key: string | null;
  required: boolean;
  value: string;
  found: string[];
  removable_after: string | null;
}
const statuses = ({ records }: { records: Shown[] }) =>
  Object.fromEntries(records.map(({ purpose, key, status, value }) => [nameOf(purpose, key, value), status]));
const nameOf = (purpose: string, key: string | null, value: string) =>
  key === null ? purpose : `${key} ${value.includes('k=rsa') ? 'rsa' : 'ed25519'}`;

const values = (shown: { records: Shown[] }, purpose: string) =>
  shown.records.filter((record) => record.purpose === purpose).map(({ value }) => value);
/** A domain of so many characters. */
const domainOf = (length: number) => `${'a.'.repeat(50)}${'b'.repeat(50)}.${'c'.repeat(length - 159)}.example`;

test('a domain names its records, and is verified once the required ones are there', async () => {
  const { ask, add, check } = calls(await app.createCustomer());
  const made = await add('Clinic.EXAMPLE');
  assert.deepEqual([made.domain, made.state, made.warm_up], ['clinic.example', 'pending', true]);
  assert.deepEqual(statuses(made), {
    ownership: 'unchecked',
    'pending rsa': 'unchecked',
    'pending ed25519': 'unchecked',
    spf: 'unchecked',
    return_path: 'unchecked',
    dmarc: 'unchecked',
  });
  const required = (made.records as Shown[]).filter((record) => record.required);
  assert.deepEqual(
    required.map(({ name }) => name.replace(/^cp[a-z2-7]{8}r1\./, 'SELECTOR.')),
    ['_carepost.clinic.example', 'SELECTOR._domainkey.clinic.example'],
  );
  assert.match(required[0]?.value ?? '', /^carepost-verify=[0-9a-f]{32}$/);
  assert.deepEqual(await add('clinic.example'), made, 'a second time it is the same');

  const bare = await check(made.id);
  assert.deepEqual([bare.state, ...new Set(Object.values(statuses(bare)))], ['pending', 'missing']);
  publishAll(dns, made, ['ownership']);
  assert.equal((await check(made.id)).state, 'pending');
  dns.publish('TXT', required[1]?.name ?? '', 'v=DKIM1; k=rsa; p=AAAA');
  const wrong = await check(made.id);
  assert.deepEqual([wrong.state, statuses(wrong)['pending rsa']], ['pending', 'differs']);
  assert.deepEqual((wrong.records as Shown[]).find(({ name }) => name === required[1]?.name)?.found, [
    'v=DKIM1; k=rsa; p=AAAA',
  ]);
  for (const { name, value } of required) dns.publish('TXT', name, value);
  const verified = await check(made.id);
  assert.deepEqual([verified.state, verified.return_path], ['verified', false]);
  assert.deepEqual(statuses(verified), {
    ownership: 'found',
    'active rsa': 'found',
    'pending ed25519': 'missing',
    spf: 'missing',
    return_path: 'missing',
    dmarc: 'missing',
  });
  publishAll(dns, made);
  const whole = await check(made.id);
  assert.equal(whole.return_path, true);
  assert.deepEqual(new Set(Object.values(statuses(whole))), new Set(['found']));
  assert.deepEqual((await ask('GET', `/${made.id}`)).body.data, whole);
  assert.deepEqual((await ask('GET', '')).body.data, [whole]);
});

test('the domain of return paths neither includes itself nor is its own alias', async () => {
  const { add } = calls(await app.createCustomer());
  const purposes = async (domain: string) => (await add(domain)).records.map(({ purpose }: Shown) => purpose);
  assert.deepEqual(await purposes('post.example'), ['ownership', 'dkim', 'dkim', 'spf', 'dmarc']);
  assert.deepEqual(await purposes('bounces.post.example'), ['ownership', 'dkim', 'dkim', 'return_path', 'dmarc']);
});

test('a DMARC policy of a domain above counts, the nearest first, and that of a whole TLD does not', async () => {
  const { add, check } = calls(await app.createCustomer());
  const [far, own] = [await add(`${'x.'.repeat(8)}ward.dmarc.example`), await add('dmarc.example')];
  const found = async ({ id }: { id: string }) =>
    ((await check(id)).records as Shown[])
      .filter(({ purpose }) => purpose === 'dmarc')
      .flatMap(({ status, found: texts }) => [status, ...texts]);
  dns.publish('TXT', '_dmarc.example', 'v=DMARC1; p=reject');
  assert.deepEqual([await found(far), await found(own)], [['missing'], ['missing']]);
  dns.publish('TXT', '_dmarc.dmarc.example', 'v=DMARC1; p=none');
  assert.deepEqual(await found(far), ['found', 'v=DMARC1; p=none']);
  dns.publish('TXT', '_dmarc.ward.dmarc.example', 'v=DMARC1; p=perhaps');
  assert.deepEqual(await found(far), ['differs', 'v=DMARC1; p=perhaps']);
  assert.deepEqual(await found(own), ['found', 'v=DMARC1; p=none']);
});

test('each customer proves a domain by itself', async () => {
  const [first, second] = [calls(await app.createCustomer()), calls(await app.createCustomer())];
  const [one, other] = [await first.add('shared.example'), await second.add('shared.example')];
  publishAll(dns, one);
  assert.equal((await first.check(one.id)).state, 'verified');
  const refused = await second.check(other.id);
  assert.deepEqual([refused.state, statuses(refused).ownership], ['pending', 'differs']);
  const [own, foreign] = [one.records, other.records].map(
    (records: Shown[]) => records.find(({ purpose }) => purpose === 'ownership')?.value ?? '',
  );
  publishAll(dns, other);
  dns.publish('TXT', '_carepost.shared.example', own ?? '', foreign ?? '');
  assert.equal((await second.check(other.id)).state, 'verified');
  assert.equal((await first.check(one.id)).state, 'verified');
});

test('a DNS failure takes nothing away; records that are gone do, after three checks over a day', async () => {
  const { add, check } = calls(await app.createCustomer());
  const { id, ...made } = await add('lasting.example');
  publishAll(dns, made);
  await check(id);
  dns.isDown = true;
  for (let i = 0; i < 4; i++) {
    clock.advance(DAY);
    const unanswered = await check(id);
    assert.deepEqual(
      [unanswered.state, unanswered.return_path, statuses(unanswered).ownership],
      ['verified', true, 'unanswered'],
    );
  }
  dns.isDown = false;
  dns.records.delete('TXT _carepost.lasting.example');
  for (let i = 0; i < 5; i++) assert.equal((await check(id)).state, 'verified');
  clock.advance(DAY - 1);
  assert.equal((await check(id)).state, 'verified');
  clock.advance(1);
  const failing = await check(id);
  assert.deepEqual([failing.state, statuses(failing).ownership], ['failing', 'missing']);
  assert.ok(failing.missing_since);
  publishAll(dns, made);
  const again = await check(id);
  assert.deepEqual([again.state, again.missing_since], ['verified', null]);
});

test('new keys sign once they are seen, one pair at a time, and the old records may leave a week later', async () => {
  const { add, check, rotate } = calls(await app.createCustomer());
  const { id, ...made } = await add('turning.example');
  assert.equal((await rotate(id)).status, 409, 'the first pair has not been seen');
  publishAll(dns, made);
  await check(id);
  const rotated = await rotate(id);
  assert.equal(rotated.status, 200);
  assert.equal((await rotate(id)).status, 409);
  const waiting = await check(id);
  assert.deepEqual(
    [waiting.state, statuses(waiting)['pending rsa'], statuses(waiting)['active rsa']],
    ['verified', 'missing', 'found'],
  );
  publishAll(dns, rotated.body.data);
  const turned = await check(id);
  assert.equal(turned.state, 'verified');
  const keys = (turned.records as Shown[]).filter(({ key }) => key !== null);
  const week = new Date(clock.now().getTime() + 7 * DAY).toISOString();
  assert.deepEqual(
    keys.map((each) => [each.key, each.required, each.removable_after]),
    [
      ['active', true, null],
      ['active', false, null],
      ['retired', false, week],
      ['retired', false, week],
    ],
  );
  clock.advance(7 * DAY);
  const later = await check(id);
  assert.equal((later.records as Shown[]).filter(({ key }) => key !== null).length, 2);
});

test('a new pair that is there counts for the old one that is gone', async () => {
  const { add, check, rotate } = calls(await app.createCustomer());
  const { id, ...made } = await add('swift.example');
  publishAll(dns, made);
  await check(id);
  for (const { purpose, name } of made.records as Shown[]) if (purpose === 'dkim') dns.records.delete(`TXT ${name}`);
  publishAll(dns, { records: (await rotate(id)).body.data.records.filter((r: Shown) => r.key === 'pending') });
  const turned = await check(id);
  assert.deepEqual([turned.state, turned.missing_since], ['verified', null]);
});

test('warm-up is switched, domains are taken away and added anew under the same challenge', async () => {
  const customer = await app.createCustomer();
  const { ask, add } = calls(customer);
  const made = await add('leaving.example');
  assert.equal((await ask('PATCH', `/${made.id}`, { warm_up: false })).body.data.warm_up, false);
  assert.equal((await ask('GET', `/${made.id}`)).body.data.warm_up, false);
  assert.equal((await ask('DELETE', `/${made.id}`)).body.data.domain, 'leaving.example');
  assert.equal((await ask('GET', `/${made.id}`)).status, 404);
  assert.deepEqual((await ask('GET', '')).body.data, []);
  const again = await add('leaving.example');
  assert.deepEqual(values(again, 'ownership'), values(made, 'ownership'));
  assert.equal(values(again, 'dkim').length, 2);
  assert.notDeepEqual(values(again, 'dkim'), values(made, 'dkim'));
  const acts = await asOwner(app, async (client) => {
    const { rows } = await client.query('select action from audit_log where customer_id = $1 order by 1', [
      customer.id,
    ]);
    return rows.map(({ action }) => action).filter((action: string) => action.startsWith('domain.'));
  });
  assert.deepEqual(acts, ['domain.added', 'domain.added', 'domain.removed', 'domain.updated']);
});

test('what is no domain is refused by name, and there are at most 100', async () => {
  const customer = await app.createCustomer();
  const { ask, add } = calls(customer);
  for (const domain of ['', 'x', 'a@b.example', 'a b.example', '-a.example', 'a..example', '10.0.0.1', domainOf(201)]) {
    const { status, body } = await ask('POST', '', { domain });
    assert.equal(status, 400, domain);
    assert.match(body.errors[0].details, /^domain: /);
  }
  for (const length of [199, 200]) assert.equal((await add(domainOf(length))).domain.length, length);
  await asOwner(app, (client) =>
    client.query(
      `insert into sending_domains (id, customer_id, domain, challenge, state, warm_up, created_at)
       select gen_random_uuid(), $1, n || '.many.example', '', 'pending', true, now() from generate_series(1, 97) n`,
      [customer.id],
    ),
  );
  assert.equal((await ask('POST', '', { domain: 'last.example' })).status, 200);
  const full = await ask('POST', '', { domain: 'more.example' });
  assert.deepEqual(
    [full.status, full.body.errors[0].details],
    [422, 'domain: a customer has at most 100 sending domains'],
  );
  assert.equal((await ask('POST', '', { domain: 'last.example' })).status, 200);
});
