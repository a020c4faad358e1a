import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, type TestContext, test } from 'node:test';
import { Check } from 'typebox/schema';
import { loadSigningKey } from '../../src/accounts/index.ts';
import { findAffected } from '../../src/dashboard/index.ts';
import { exportCustomer } from '../../src/operations/export-customer/index.ts';
import { submitted } from '../submissions/submitting.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { addForm } from '../support/forms.ts';
import { messageTo, send } from '../support/mail.ts';
import { asOwner } from '../support/owner.ts';
import { type SignedIn, signIn } from '../support/people-session.ts';

const DAY = 24 * 3600_000;
const clock = createMovableClock(new Date('2026-04-01T08:00:00Z'));
let app: TestApp;
let customer: TestCustomer;
let owner: SignedIn;
let formId: string;
before(async (t) => {
  app = await startApp(t as TestContext, { clock });
  customer = await app.createCustomer();
  owner = await signIn(app, customer, 'owner');
  formId = await addForm(app, customer.id, { form_json: {} });
});

const submissions = () => `/v1/forms/api/forms/${formId}/submissions`;
const submit = (email: string | null) =>
  submitted(app, formId, { form_data: email === null ? { mood: 'good' } : { email } });
const at = () => clock.now().toISOString();
const later = () => new Date(clock.now().getTime() + 1_000).toISOString();

async function ask(key: string, path: string, body?: object): Promise<void> {
  clock.advance(1_000);
  const { status, text } = await app.request(body === undefined ? 'GET' : 'POST', path, { key, ...(body && { body }) });
  assert.equal(status, 200, `${path} ${text}`);
}

async function whoRead(kind: string, actor: string, from: string, to: string) {
  const query = new URLSearchParams({ actor_kind: kind, actor, from, to });
  const { status, body, text } = await owner.request('GET', `/app/api/who_read?${query.toString()}`);
  assert.equal(status, 200, text);
  return body;
}

/** What a key saw, and how many times the database was asked to find it out. */
async function countLookups(id: string, from: string, to: string) {
  const { db, vault } = app.installation;
  let count = 0;
  const counting: typeof db = {
    ...db,
    tenant(customers, work) {
      count += 1;
      return db.tenant(customers, work);
    },
  };
  const scope = { actor: { kind: 'key', id }, from: new Date(from), to: new Date(to) } as const;
  const affected = await findAffected({ db: counting, vault }, customer.id, scope);
  assert.ok(affected.rows > 0);
  return { count, affected };
}

const emailsOf = (body: { people: { email: string }[] }) => body.people.map(({ email }) => email).toSorted();

test('whose records a key read is told by the audit log: single reads, lists, searches and whole exports', async () => {
  const ann = await submit('ann@example.com');
  const bob = await submit('bob@example.com');
  const nobody = await submit(null);
  const key = await app.createKey(customer, ['forms', 'email', 'marketing']);
  const person = await app.request('POST', '/v1/marketing/subscribers', {
    key: customer.key,
    body: { subscriber: { email: 'cleo@example.com', first_name: 'Cleo', last_name: 'Nowak' } },
  });
  const message = await send(app, customer.key, messageTo('dora@example.com'));
  clock.advance(1_000);
  const start = at();
  await ask(key.key, `${submissions()}/${ann}`);
  const afterOne = at();
  clock.advance(1_000);
  assert.deepEqual(emailsOf(await whoRead('key', key.id, start, at())), ['ann@example.com']);
  await ask(customer.key, `${submissions()}/${bob}`);
  assert.deepEqual(emailsOf(await whoRead('key', key.id, start, at())), ['ann@example.com'], 'another key is another');

  await ask(key.key, submissions());
  await ask(key.key, `/v1/email/message_log/${message}`);
  await ask(key.key, '/v1/marketing/subscribers?items=10');
  clock.advance(1_000);
  const all = await whoRead('key', key.id, start, at());
  const everybody = ['ann@example.com', 'bob@example.com', 'cleo@example.com', 'dora@example.com'];
  assert.deepEqual(emailsOf(all), everybody);
  assert.deepEqual(all.nameless, [{ kind: 'submission', id: nobody }]);
  const cleo = all.people.find(({ email }: { email: string }) => email === 'cleo@example.com');
  assert.deepEqual([cleo.name, cleo.records], ['Cleo Nowak', [{ kind: 'subscriber', id: person.body.data.id }]]);
  assert.deepEqual(emailsOf(await whoRead('key', key.id, afterOne, at())), everybody);
  assert.deepEqual((await whoRead('key', key.id, '2026-01-01T00:00:00Z', start)).people, []);
});

test('everybody on the lists is looked up once, however often reports about them were read, and with whom of them each time', async () => {
  const reader = await app.createKey(customer, ['marketing']);
  const add = (email: string) =>
    ask(customer.key, '/v1/marketing/subscribers', { subscriber: { email: `${email}@lists.example` } });
  const read = () => ask(reader.key, '/v1/marketing/analytics/campaign_mailing_deliveries_table/csv');
  await add('early');
  const from = at();
  const afterFirst = await read().then(later);
  await add('late');
  for (let time = 0; time < 20; time += 1) await read();
  const to = later();
  clock.advance(1_000);
  await add('never');
  const { people } = await whoRead('key', reader.id, from, to);
  const firstOf = (name: string): string | undefined =>
    people.find(({ email }: { email: string }) => email === `${name}@lists.example`)?.first_at;
  assert.ok((firstOf('early') ?? '') < afterFirst && (firstOf('late') ?? '') > afterFirst);
  assert.equal(firstOf('never'), undefined);

  assert.equal(
    (await countLookups(reader.id, from, to)).count,
    (await countLookups(reader.id, from, afterFirst)).count,
  );
});

test('an export names all that was there then, those destroyed since, and none that came later', async () => {
  const exporter = await app.createKey(customer, ['forms']);
  const leaving = await submit('leaving@example.com');
  clock.advance(1_000);
  const from = at();
  await ask(exporter.key, `${submissions()}/submission-csv`);
  clock.advance(1_000);
  const to = at();
  await submit('later@example.com');
  const earlier = await whoRead('key', exporter.id, from, to);
  assert.ok(emailsOf(earlier).includes('leaving@example.com') && !emailsOf(earlier).includes('later@example.com'));
  clock.advance(1_000);
  assert.equal((await app.request('DELETE', `${submissions()}/${leaving}`, { key: customer.key })).status, 200);
  const after = await whoRead('key', exporter.id, from, to);
  assert.equal(after.records, earlier.records);
  assert.ok(
    after.nameless.some(({ id }: { id: string }) => id === leaving),
    'whose it was can no longer be said',
  );
});

test('a form is looked up once, however often it was exported, and a submission counts for the exports at which it was there', async () => {
  const exporter = await app.createKey(customer, ['forms']);
  const take = () => ask(exporter.key, `${submissions()}/submission-csv`);
  const leaving = await submit(null);
  const from = at();
  const afterFirst = await take().then(later);
  for (let time = 0; time < 4; time += 1) await take();
  const beforeLate = at();
  clock.advance(1_000);
  const late = await submit(null);
  clock.advance(1_000);
  assert.equal((await app.request('DELETE', `${submissions()}/${leaving}`, { key: customer.key })).status, 200);
  for (let time = 0; time < 3; time += 1) await take();
  const to = later();
  const once = await countLookups(exporter.id, from, afterFirst);
  const often = await countLookups(exporter.id, from, to);
  assert.equal(often.count, once.count);
  const seen = (id: string) => {
    const { first, last, times } = often.affected.nameless.find((record) => record.id === id) ?? {};
    return [first && first.toISOString() <= beforeLate, last && last.toISOString() <= beforeLate, times];
  };
  assert.deepEqual(
    [seen(leaving), seen(late)],
    [
      [true, true, 5],
      [false, false, 3],
    ],
  );
});

test('whoever took everything of a customer at the command line saw all that was there, and nothing that came later', async () => {
  const clinic = await app.createCustomer();
  const person = await signIn(app, clinic, 'owner');
  const form = await addForm(app, clinic.id, { form_json: {} });
  const ann = await submitted(app, form, { form_data: { email: 'ann@example.com' } });
  const subscriber = { email: 'cleo@example.com' };
  await app.request('POST', '/v1/marketing/subscribers', { key: clinic.key, body: { subscriber } });
  await send(app, clinic.key, messageTo('dora@example.com'));
  const address = 'stopped@example.com';
  await app.request('POST', '/v1/email/suppressions', { key: clinic.key, body: { address } });
  clock.advance(1_000);
  const folder = mkdtempSync(join(tmpdir(), 'carepost-everything-'));
  const { installation } = app;
  const deps = { ...installation, publicUrl: app.url, signingKey: await loadSigningKey(installation) };
  await exportCustomer(deps, app.act(clinic.id, 'customer.exported'), folder);
  rmSync(folder, { recursive: true });
  clock.advance(1_000);
  await submitted(app, form, { form_data: { email: 'later@example.com' } });

  const span = { from: '2026-01-01T00:00:00Z', to: at() };
  const query = new URLSearchParams({ actor_kind: 'cli', actor: 'test', ...span });
  const { body } = await person.request('GET', `/app/api/who_read?${query.toString()}`);
  assert.deepEqual(emailsOf(body), ['ann@example.com', 'cleo@example.com', 'dora@example.com', address]);

  const { body: log } = await person.request('GET', '/app/api/audit_log?action=audit-log.who-read');
  const [{ details }] = log.data;
  assert.deepEqual([details.kind, details.people, details.submissions], ['cli', 4, [ann]]);
  const asker = new URLSearchParams({ actor_kind: 'user', actor: person.userId, from: span.from, to: later() });
  const again = await person.request('GET', `/app/api/who_read?${asker.toString()}`);
  assert.deepEqual(emailsOf(again.body), emailsOf(body), 'who asked was told of them too');
});

test('an incident counts sixty days, keeps its timeline, and is exported with everybody concerned', async () => {
  const key = await app.createKey(customer, ['forms']);
  const ann = await submit('ann@example.com');
  const from = at();
  await ask(key.key, `${submissions()}/${ann}`);
  clock.advance(1_000);
  const body = {
    discovered_at: at(),
    breach_from: from,
    breach_to: at(),
    severity: 'high',
    what_happened: 'A key was left in a public place; "=HYPERLINK" was not clicked.',
    information: 'Names and answers of intake forms',
    steps: 'Be wary of calls about your visit',
    doing: 'The key was revoked',
    contact: 'privacy@clinic.example, 555 0100',
    scope: { actor_kind: 'key', actor_id: key.id, from, to: at() },
  };
  const made = await owner.request('POST', '/app/api/incidents', { body });
  assert.equal(made.status, 201, made.text);
  const path = `/app/api/incidents/${made.body.id}`;
  assert.equal(made.body.days_left, 60);
  assert.equal(Date.parse(made.body.notice_due_at) - Date.parse(body.discovered_at), 60 * DAY);
  const note = (person: SignedIn, text: string, state?: string) =>
    person.request('POST', `${path}/entries`, { body: { text, ...(state && { state }) } });
  clock.advance(1_000);
  assert.equal((await note(owner, 'Key revoked by Dana', 'contained')).body.state, 'contained');
  const refused = await owner.request('POST', '/app/api/incidents', { body: { ...body, what_happened: ' ' } });
  assert.deepEqual(refused.body.fields, { what_happened: ['is required'] });

  const stranger = await signIn(app, await app.createCustomer(), 'owner');
  for (const rest of ['', '/export', '/individuals_csv'])
    assert.equal((await stranger.request('GET', `${path}${rest}`)).status, 403, rest);
  assert.equal((await note(stranger, 'x')).status, 403);

  const schema = JSON.parse(readFileSync(join(import.meta.dirname, '../../docs/incident-export.schema.json'), 'utf8'));
  const exported = JSON.parse((await owner.request('GET', `${path}/export`)).text);
  assert.equal(Check(schema, exported), true);
  assert.equal(Check(schema, { ...exported, notice: { ...exported.notice, steps: undefined } }), false);
  assert.deepEqual(
    exported.individuals.map(({ email }: { email: string }) => email),
    ['ann@example.com'],
  );
  assert.deepEqual(
    exported.timeline.map(({ state }: { state: string }) => state),
    ['open', 'contained'],
  );
  const { body: log } = await owner.request('GET', '/app/api/audit_log?action=incident.exported');
  assert.deepEqual(log.data[0].details, { format: 'json', people: 1, submissions: [ann] });
  const csv = (await owner.request('GET', `${path}/individuals_csv`)).text;
  assert.match(csv, /ann@example\.com/);
  assert.match(csv.split('\r\n')[0] ?? '', /what happened,breach from,breach to,discovered,types of information/);

  clock.advance(1_000);
  assert.equal((await note(owner, 'Everybody was told', 'closed')).body.state, 'closed');
  assert.equal((await note(owner, 'One more')).status, 409);
  await asOwner(app, async (client) => {
    const { rows } = await client.query('select told from incidents where id = $1', [made.body.id]);
    assert.ok(!rows[0].told.includes('HYPERLINK'), 'what is told is sealed');
    const { rows: rights } = await client.query(
      `select has_table_privilege('carepost_app', 'incident_entries', 'update') as may`,
    );
    assert.equal(rights[0].may, false, 'the timeline is only added to');
  });
});

test('operators keep the incidents of the installation, which no customer sees', async () => {
  const operator = await signIn(app, null, 'operator');
  const body = {
    discovered_at: at(),
    breach_from: null,
    breach_to: null,
    severity: 'low',
    what_happened: 'A disk was replaced',
    information: '',
    steps: '',
    doing: '',
    contact: '',
    scope: null,
  };
  const made = await operator.request('POST', '/app/api/operator/incidents', { body });
  assert.equal(made.status, 201, made.text);
  assert.equal((await operator.request('GET', '/app/api/operator/incidents')).body.data.length, 1);
  assert.equal((await owner.request('GET', `/app/api/incidents/${made.body.id}`)).status, 403);
  const changed = { ...body, severity: 'medium', doing: 'It was wiped' };
  const updated = await operator.request('PUT', `/app/api/operator/incidents/${made.body.id}`, { body: changed });
  assert.deepEqual([updated.body.severity, updated.body.timeline.length], ['medium', 2]);
});
