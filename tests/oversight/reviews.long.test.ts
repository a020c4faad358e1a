import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { createUser, INSTALLATION } from '../../src/accounts/index.ts';
import { createOversightTasks } from '../../src/dashboard/index.ts';
import { addresseesOf } from '../../src/email/index.ts';
import { submitted } from '../submissions/submitting.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';
import { addForm } from '../support/forms.ts';
import { asOwner } from '../support/owner.ts';
import { type SignedIn, signIn } from '../support/people-session.ts';

const HOUR = 3600_000;
const DAY = 24 * HOUR;
const clock = createMovableClock(new Date('2026-03-01T00:00:00Z'));
let app: TestApp;
let customer: TestCustomer;
let record: string;
before(async (t) => {
  app = await startApp(t as TestContext, { clock, env: { CAREPOST_ROLES: 'http,worker' } });
  customer = await app.createCustomer();
  const formId = await addForm(app, customer.id, { form_json: {} });
  const id = await submitted(app, formId, { form_data: { email: 'ann@example.com' } });
  record = `/v1/forms/api/forms/${formId}/submissions/${id}`;
});

/** Does what cron does every hour. */
async function runHourly(): Promise<void> {
  const { db, config } = app.installation;
  const { systemFrom, publicUrl } = config;
  const tasks = createOversightTasks({ db, clock, systemFrom, publicUrl, acceptMessages: async () => [] });
  await tasks['reviews.hourly']?.({});
}

/** How many mails of the installation itself are on their way to an address. */
async function mailsTo(address: string): Promise<number> {
  const { db, vault } = app.installation;
  const keys = await vault.of(INSTALLATION);
  return db.tenant([INSTALLATION], async (tx) => {
    const rows = await tx.selectFrom('messages').select('id').where('customer_id', '=', INSTALLATION).execute();
    const ids = rows.map(({ id }) => id);
    const found = await addresseesOf(tx, keys, INSTALLATION, ids);
    return [...found.values()].flat().filter((each) => each.address === address).length;
  });
}

async function readTimes(key: string, times: number): Promise<void> {
  for (let n = 0; n < times; n += 1) assert.equal((await app.request('GET', record, { key })).status, 200);
}

const sign = (person: SignedIn, id: string, notes: string) =>
  person.request('POST', `/app/api/reviews/${id}/sign`, { body: { notes } });

const reviewsOf = async (person: SignedIn) => (await person.request('GET', '/app/api/reviews')).body.data;

test('a period is reviewed against the one before, signed once, and overdue where nobody signs', async () => {
  clock.advance(5 * DAY + 10 * HOUR);
  await readTimes(customer.key, 25);
  clock.advance(25 * DAY);
  await runHourly();
  const owner = await signIn(app, customer, 'owner');
  const [first, ...none] = await reviewsOf(owner);
  assert.deepEqual(none, []);
  assert.deepEqual([first.from, first.state], ['2026-03-01T00:00:00.000Z', 'open']);
  await runHourly();
  assert.equal((await reviewsOf(owner)).length, 1, 'each period once');

  clock.advance(5 * DAY + 17 * HOUR); // at three in the morning
  await readTimes(customer.key, 80);
  const quiet = await app.createKey(customer, ['forms']);
  await readTimes(quiet.key, 3);
  const again = await signIn(app, customer, 'owner');
  await again.request('GET', record.replace(/\/[^/]+$/, '/submission-csv'));
  await app.request('POST', '/app/api/sign_in', { body: { email: again.email, password: 'wrong wrong wrong' } });
  clock.advance(30 * DAY);
  await runHourly();

  const reviewer = await signIn(app, customer, 'admin');
  const [second] = await reviewsOf(reviewer);
  const { body } = await reviewer.request('GET', `/app/api/reviews/${second.id}`);
  const byKey = body.findings.filter(({ actor }: { actor: { id: string } }) => actor.id === customer.keyId);
  assert.deepEqual(
    byKey.map(({ kind, count, past }: { kind: string; count: number; past: number }) => [kind, count, past]),
    [
      ['reads_volume', 80, 25],
      ['reads_odd_hours', 80, 0],
      ['reads_many_records', 80, 25],
    ],
  );
  const kinds = new Set(body.findings.map(({ kind }: { kind: string }) => kind));
  assert.ok(kinds.has('exports') && kinds.has('sign_in_failures') && kinds.has('keys_and_roles'), [...kinds].join());
  assert.ok(!JSON.stringify(body).includes(quiet.id), 'three reads are nothing');
  const { searchParams } = new URL(byKey[0].where, app.url);
  for (const day of ['from', 'to']) searchParams.set(day, `${searchParams.get(day)}T00:00:00Z`);
  const listed = await reviewer.request('GET', `/app/api/audit_log?${searchParams.toString()}&limit=200`);
  assert.equal(listed.body.data.length, 80, 'the link leads to the rows');

  const stranger = await signIn(app, await app.createCustomer(), 'owner');
  assert.equal((await sign(stranger, second.id, 'mine')).status, 403);
  assert.equal((await sign(await signIn(app, customer, 'editor'), second.id, 'x')).status, 403);
  const signed = await sign(reviewer, second.id, 'The key belongs to the night shift.');
  assert.deepEqual([signed.body.state, signed.body.signed_by], ['signed', reviewer.email]);
  assert.equal(signed.body.notes, 'The key belongs to the night shift.');
  assert.equal((await sign(reviewer, second.id, 'No.')).status, 409);
  await asOwner(app, async (client) => {
    await assert.rejects(
      client.query('update activity_reviews set signed_at = now() where id = $1', [second.id]),
      /stays/,
    );
    const { rows: kept } = await client.query('select notes from activity_reviews where id = $1', [second.id]);
    assert.ok(!kept[0].notes.includes('night shift'), 'notes are sealed');
  });

  assert.equal((await reviewsOf(reviewer)).at(-1).state, 'overdue', 'nobody signed the first');
  const home = await reviewer.request('GET', '/app/api/home');
  const attention = home.body.attention.find(({ kind }: { kind: string }) => kind === 'reviews_overdue');
  assert.deepEqual([attention.count, attention.where], [1, '/settings/reviews']);
  assert.equal(await eventually(() => mailsTo(owner.email)), 1);
  await runHourly();
  const overdue = await reviewer.request('GET', '/app/api/audit_log?action=review.overdue');
  assert.deepEqual(
    overdue.body.data.map(({ target }: { target: string }) => target),
    [first.id],
    'told once',
  );
});

test('the set days decide when a review is made and when it is overdue', async () => {
  const other = await app.createCustomer();
  const set = async (days: number) => {
    const owner = await signIn(app, other, 'owner');
    const body = { security_contact: null, review_days: days, review_due_days: 2 };
    return (await owner.request('PUT', '/app/api/oversight', { body })).status;
  };
  assert.deepEqual([await set(6), await set(91), await set(7)], [400, 400, 200]);
  clock.advance(7 * DAY);
  await runHourly();
  const owner = await signIn(app, other, 'owner');
  assert.equal((await reviewsOf(owner)).length, 1);
  clock.advance(2 * DAY - 1);
  assert.equal((await reviewsOf(await signIn(app, other, 'owner')))[0].state, 'open');
  clock.advance(1);
  assert.equal((await reviewsOf(await signIn(app, other, 'owner')))[0].state, 'overdue');
});

/** A review whose findings are about people, made a moment ago. */
async function addReviewAbout({ id: customerId }: TestCustomer, people: SignedIn[], kind = 'exports'): Promise<string> {
  const findings = people.map(({ userId: id }) => ({
    kind,
    actor: { kind: 'user', id },
    count: 1,
    past: null,
    action: 'person.exported',
  }));
  clock.advance(1_000);
  const { rows } = await asOwner(app, (client) =>
    client.query(
      `insert into activity_reviews (id, customer_id, period_from, period_to, findings, made_at, due_at)
       values (gen_random_uuid(), $1, $2, $2, $3, $2, $2::timestamptz + interval '7 days') returning id`,
      [customerId, clock.now(), JSON.stringify(findings)],
    ),
  );
  return rows[0].id;
}

test('a wrong password that anybody may have typed keeps nobody from signing', async () => {
  const clinic = await app.createCustomer();
  const owner = await signIn(app, clinic, 'owner');
  await signIn(app, clinic, 'admin');
  const signed = await sign(owner, await addReviewAbout(clinic, [owner], 'sign_in_failures'), 'Seen.');
  assert.deepEqual([signed.status, signed.body.own], [200, false], signed.text);
});

test('whoever is in the findings signs only where nobody else can, and the log says so', async () => {
  const clinic = await app.createCustomer();
  const owner = await signIn(app, clinic, 'owner');
  await signIn(app, clinic, 'editor');
  const invited = { email: 'not-yet-here@example.org', role: 'admin' };
  await createUser(app.installation, app.act(clinic.id, 'user.created'), invited);
  const alone = await sign(owner, await addReviewAbout(clinic, [owner]), 'I run this by myself.');
  assert.deepEqual([alone.status, alone.body.own], [200, true], alone.text);

  const admin = await signIn(app, clinic, 'admin');
  const second = await addReviewAbout(clinic, [owner]);
  const refused = await sign(owner, second, 'Nothing to see.');
  assert.deepEqual(
    [refused.status, refused.body.error],
    [409, 'You are in its findings, so that somebody else has to sign it'],
  );
  assert.equal((await owner.request('GET', `/app/api/reviews/${second}`)).body.state, 'open');
  assert.equal((await sign(admin, second, 'I asked why.')).body.own, false);

  const both = await sign(owner, await addReviewAbout(clinic, [owner, admin]), 'We are all in it.');
  assert.deepEqual([both.status, both.body.own], [200, true], both.text);
  const { body: log } = await owner.request('GET', '/app/api/audit_log?action=review.signed');
  assert.deepEqual(
    log.data.map(({ details }: { details: object }) => details),
    [{ findings: 2, own: true }, { findings: 1 }, { findings: 1, own: true }],
  );
});

test('operators review the installation itself', async () => {
  const operator = await signIn(app, null, 'operator');
  const { body } = await operator.request('GET', '/app/api/operator/reviews');
  assert.ok(body.data.length >= 2);
  const path = `/app/api/operator/reviews/${body.data[0].id}`;
  const signed = await operator.request('POST', `${path}/sign`, { body: { notes: 'Nothing to say.' } });
  assert.equal(signed.body.signed_by, operator.email);
  assert.equal((await operator.request('GET', '/app/api/reviews')).status, 403);
});
