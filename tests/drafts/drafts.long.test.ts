import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { before, type TestContext, test } from 'node:test';
import { openDatabase } from '../../src/platform/db/database.ts';
import { addOpenForm, answersOf, submissionsOf } from '../page/page-requests.ts';
import { NEXT, open, type Page, SUBMIT } from '../page/visitor.ts';
import { blobBytes } from '../submissions/submitting.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { asOwner } from '../support/owner.ts';
import { createTestTasks } from '../support/tasks.ts';
import { lastMail, mailedCode, mailedLink, resume, SAVE } from './saving.ts';

const PASSWORD = 'a password of ours';
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const PAGES = [
  { title: 'You', fields: [{ name: 'name', type: 'text', required: true }] },
  {
    title: 'Your papers',
    fields: [
      { name: 'why', type: 'text' },
      { name: 'card', type: 'file' },
    ],
  },
];

const clock = createMovableClock();
let app: TestApp;
let customer: TestCustomer;
before(async (t) => {
  app = await startApp(t as TestContext, { clock });
  customer = await app.createCustomer();
});

let counter = 0;
const newAddress = () => `ann-${(counter += 1)}@example.com`;

function addPages(settings: object = {}): Promise<string> {
  const wanted = { title: 'Secret clinic', form_json: { pages: PAGES }, recipient: null };
  return addOpenForm(app, customer, { resumable: true, ...settings }, wanted);
}

/** A form of which the first step is done, and something of the second. */
async function halfDone(formId: string, why = 'a cough'): Promise<Page> {
  const first = await open(app, `/f/${formId}`);
  const second = await first.press(NEXT, { 'q.name': 'Ann' });
  return second.press(SAVE, { 'q.why': why }, [{ control: 'q.card', name: 'card.txt', content: 'the card' }]);
}

/** A form that was saved, with the way back to it mailed. */
async function saved(formId: string, address: string): Promise<string> {
  const sent = await (await halfDone(formId)).press(null, { email: address });
  assert.deepEqual([sent.status, sent.title], [200, 'We have sent you a link']);
  return mailedLink(app, customer, address);
}

async function drafts(): Promise<number> {
  return asOwner(app, async (client) => (await client.query('select count(*)::int as n from form_drafts')).rows[0].n);
}

test('a form is gone on with on another device, at its step, with its answers and files', async () => {
  const [formId, address] = [await addPages(), newAddress()];
  const asked = await halfDone(formId);
  assert.deepEqual([asked.status, asked.title], [200, 'Your answers are saved']);
  await asked.press(null, { email: address });
  const link = await mailedLink(app, customer, address);
  const mail = await lastMail(app, customer, address);
  for (const word of ['Secret', 'Ann', 'cough', 'card']) assert.ok(!mail.includes(word), `${word} stands in the mail`);

  clock.advance(29 * DAY);
  const there = await resume(app, customer, link, address);
  assert.equal(there.status, 200);
  assert.equal(there.value('q.why'), 'a cough');
  assert.deepEqual(there.files, { card: ['card.txt'] });
  assert.deepEqual(JSON.parse(there.value('_answers') ?? ''), { name: 'Ann' });

  clock.advance(5_000);
  const done = await there.press(SUBMIT, { 'q.why': 'a bad cough' });
  assert.equal(done.title, 'Thank you');
  const [submission] = await submissionsOf(app, customer, formId);
  assert.deepEqual(answersOf(submission), { name: 'Ann', why: 'a bad cough' });
  const { body } = await app.request('GET', `/api/forms/${formId}/submissions/${submission.id}`, { key: customer.key });
  assert.equal(body.data.attachments[0].name, 'card.txt');
  assert.equal((await open(app, link)).title, 'This link is not valid any more', 'what was sent is no draft');
  assert.equal(await drafts(), 0);
});

test('the link alone opens nothing, nor does a wrong code, and five of them are enough', async () => {
  const [formId, address] = [await addPages(), newAddress()];
  const link = await saved(formId, address);
  const entrance = await open(app, link);
  for (const word of ['Ann', 'cough', 'card.txt', 'Secret']) assert.ok(!entrance.text.includes(word));
  let page = await entrance.press(null);
  const code = await mailedCode(app, customer, address);
  assert.equal((await page.press(null, { code: '123' })).status, 422, 'costs no try');
  const wrong = String((Number(code) + 1) % 10 ** 8).padStart(8, '0');
  for (const left of [4, 3, 2, 1]) {
    page = await page.press(null, { code: wrong });
    assert.equal(page.status, 403);
    assert.ok(page.text.includes(`Tries left: ${left}`));
  }
  page = await page.press(null, { code: wrong });
  assert.ok(page.text.includes('Please ask for another one'));
  const { status } = await app.request('POST', `${link}/open`, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    raw: `code=${code}`,
  });
  assert.equal(status, 403, 'the right one is void too');
  assert.equal((await resume(app, customer, link, address)).value('q.why'), 'a cough');
});

test('a code is good for ten minutes and once, and three an hour are sent', async () => {
  const [formId, address] = [await addPages(), newAddress()];
  const link = await saved(formId, address);
  const late = await (await open(app, link)).press(null);
  clock.advance(10 * MINUTE);
  assert.equal((await late.press(null, { code: await mailedCode(app, customer, address) })).status, 403);
  const waiting = await (await open(app, link)).press(null);
  const code = await mailedCode(app, customer, address);
  assert.equal((await waiting.press(null, { code })).value('q.why'), 'a cough');
  assert.equal((await waiting.press(null, { code })).status, 403);
  assert.equal((await (await open(app, link)).press(null)).status, 200);
  clock.advance(11 * MINUTE);
  const refused = await (await open(app, link)).press(null);
  assert.equal(refused.status, 429);
  assert.equal(refused.headers.get('retry-after'), '3600');
});

test('whoever took a draft up saves into it, and whoever had it open before does not', async () => {
  const [formId, address] = [await addPages(), newAddress()];
  const link = await saved(formId, address);
  const count = await drafts();
  const first = await resume(app, customer, link, address);
  const again = await first.press(SAVE, { 'q.why': 'a rash' });
  assert.equal(again.title, 'Your answers are saved');
  assert.ok(again.text.includes('leads back to them'), 'nobody is asked for an address twice');
  assert.equal(await drafts(), count);
  const second = await resume(app, customer, link, address);
  assert.equal(second.value('q.why'), 'a rash');
  const old = await first.press(SAVE, { 'q.why': 'from the old page' });
  assert.ok(!old.text.includes('leads back to them'), 'it is a draft of its own now');
  clock.advance(61 * MINUTE);
  assert.equal((await resume(app, customer, link, address)).value('q.why'), 'a rash');
});

test('somebody who has saved may go on at once', async () => {
  const page = await halfDone(await addPages());
  const draft = page.value('draft') ?? '';
  const action = /action="(\/f\/[^"]*\/drafts\/open)"/.exec(page.text)?.[1] ?? '';
  const form = (value: string) =>
    app.request('POST', action, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      raw: new URLSearchParams({ draft: value }).toString(),
    });
  const { status, text } = await form(draft);
  assert.equal(status, 200);
  assert.ok(text.includes('a cough') && text.includes(`name="_draft" value="${draft}"`));
  assert.equal((await form(randomBytes(32).toString('base64url'))).status, 404);
});

test('an address has to be one, and links are not mailed without end', async () => {
  const asked = await halfDone(await addPages());
  for (const email of ['', 'ann', 'ann@example.com, bob@example.com', 'ann@example.com\nbcc: x@example.com']) {
    assert.equal((await asked.press(null, { email })).status, 422, email);
  }
  const statuses = [];
  for (let mail = 0; mail < 4; mail += 1) statuses.push((await asked.press(null, { email: newAddress() })).status);
  assert.deepEqual(statuses, [200, 200, 200, 429]);
  const address = newAddress();
  const toOne = [];
  const formId = await addPages();
  for (let mail = 0; mail < 6; mail += 1)
    toOne.push((await (await halfDone(formId)).press(null, { email: address })).status);
  assert.deepEqual(toOne, [200, 200, 200, 200, 200, 429]);
  clock.advance(61 * MINUTE);
  assert.equal((await asked.press(null, { email: address })).status, 200);
});

test('a network has twenty links mailed in an hour, whomever to', async () => {
  clock.advance(61 * MINUTE);
  const statuses = [];
  for (let draft = 0; draft < 7; draft += 1) {
    const asked = await halfDone(await addPages());
    for (let mail = 0; mail < 3; mail += 1) statuses.push((await asked.press(null, { email: newAddress() })).status);
  }
  assert.deepEqual(statuses, [...Array<number>(20).fill(200), 429]);
  clock.advance(61 * MINUTE);
});

test('a second link takes the place of the first', async () => {
  const [formId, mistyped, right] = [await addPages(), newAddress(), newAddress()];
  const asked = await halfDone(formId);
  await asked.press(null, { email: mistyped });
  const first = await mailedLink(app, customer, mistyped);
  await asked.press(null, { email: right });
  assert.equal((await open(app, first)).status, 404);
  const link = await mailedLink(app, customer, right);
  assert.equal((await resume(app, customer, link, right)).value('q.why'), 'a cough');
});

test('a draft of one form is none of another, and none where it may not be resumed', async () => {
  const [formId, address] = [await addPages(), newAddress()];
  const link = await saved(formId, address);
  const token = link.split('/').at(-1);
  assert.equal((await open(app, `/f/${await addPages()}/resume/${token}`)).status, 404);
  assert.equal((await open(app, `/f/${formId}/resume/short`)).status, 404);
  const settings = { key: customer.key, body: { resumable: false } };
  await app.request('PUT', `/api/forms/${formId}/page`, settings);
  assert.equal((await open(app, link)).status, 404);
  const count = await drafts();
  const stays = await halfDone(formId);
  assert.equal(stays.value('q.why'), 'a cough', 'the page stays as it is');
  assert.equal(await drafts(), count);
});

test('a link that takes one submission goes with the draft, and a password is asked for again', async () => {
  const [formId, address] = [await addPages({ single_use: true, password: PASSWORD }), newAddress()];
  const { body } = await app.request('POST', `/api/forms/${formId}/links`, { key: customer.key, body: { count: 1 } });
  const entered = await (await open(app, new URL(body.data[0].url).pathname)).press(null, { password: PASSWORD });
  const asked = await entered.press(SAVE, { 'q.name': 'Ann' });
  await asked.press(null, { email: address });
  const back = await resume(app, customer, await mailedLink(app, customer, address), address);
  assert.equal(back.title, 'This form has a password');
  const there = await back.press(null, { password: PASSWORD });
  assert.equal(there.value('q.name'), 'Ann');
  clock.advance(5_000);
  const done = await (await there.press(NEXT)).press(SUBMIT);
  assert.equal(done.title, 'Thank you');
});

test('a form that was saved is sent once, and its drafts go with it', async () => {
  const [formId, address] = [await addPages(), newAddress()];
  const count = await drafts();
  const page = await (await open(app, `/f/${formId}`)).press(NEXT, { 'q.name': 'Ann' });
  const asked = await page.press(SAVE, { 'q.why': 'a cough' });
  await asked.press(null, { email: address });
  const link = await mailedLink(app, customer, address);
  const there = await resume(app, customer, link, address);
  clock.advance(5_000);
  assert.equal((await page.press(SUBMIT, { 'q.why': 'a rash' })).title, 'Thank you');
  assert.equal(await drafts(), count);
  assert.equal((await open(app, link)).status, 404);
  assert.equal((await there.press(SUBMIT)).title, 'Your answers have arrived already');
  assert.equal((await submissionsOf(app, customer, formId)).length, 1);
});

test('the page of a draft speaks the language of the form as it was filled in', async () => {
  const [formId, address] = [await addPages(), newAddress()];
  const first = await open(app, `/f/${formId}`);
  const asked = await first.press(SAVE, { _language: 'de', 'q.name': 'Ann' });
  assert.equal(asked.title, 'Ihre Antworten sind gespeichert');
  assert.ok(asked.text.includes('lang="de"'));
  await asked.press(null, { email: address });
  assert.equal((await open(app, await mailedLink(app, customer, address))).title, 'Ihr Formular fortsetzen');
  assert.ok((await lastMail(app, customer, address)).includes('Ihr gespeichertes Formular'));
});

test('nothing of a draft can be read where it is kept', async () => {
  const canary = randomBytes(16).toString('hex');
  const [formId, address] = [await addPages(), `${canary}@example.com`];
  const asked = await halfDone(formId, canary);
  await asked.press(null, { email: address });
  const link = await mailedLink(app, customer, address);
  await resume(app, customer, link, address);
  const rows = await asOwner(app, async (client) => {
    const found: string[] = [];
    const tables = ['form_drafts', 'form_draft_codes', 'form_uploads', 'audit_log', 'rate_counts', 'messages'];
    for (const table of tables) {
      for (const { row } of (await client.query(`select t::text as row from ${table} t`)).rows) found.push(row);
    }
    return found.join('\n');
  });
  const token = link.split('/').at(-1) as string;
  for (const trace of [canary, Buffer.from(canary).toString('hex'), token, asked.value('draft') ?? '-']) {
    assert.ok(!rows.includes(trace) && !app.logged().includes(trace), trace);
  }
  assert.ok(blobBytes(app).every((bytes) => !bytes.includes(canary)));
});

test('what nobody goes on with goes after thirty days with its files, and what has no way back after one', async (t) => {
  const workerDb = openDatabase(app.installation, 'worker', 1);
  t.after(() => workerDb.close());
  const { 'sweep.hourly': sweep } = await createTestTasks(app.installation, workerDb);
  clock.advance(31 * DAY);
  await sweep?.({});
  const left = () =>
    asOwner(app, async (client) => {
      const { rows } = await client.query(`select (select count(*) from form_drafts)::int as drafts,
        (select count(*) from form_draft_codes)::int as codes, (select count(*) from form_uploads)::int as uploads`);
      return rows[0] as { drafts: number; codes: number; uploads: number };
    });
  assert.deepEqual(await left(), { drafts: 0, codes: 0, uploads: 0 });
  const [formId, address] = [await addPages(), newAddress()];
  const link = await saved(formId, address);
  await halfDone(formId);
  assert.deepEqual(await left(), { drafts: 2, codes: 0, uploads: 2 });
  clock.advance(DAY);
  await sweep?.({});
  assert.deepEqual(await left(), { drafts: 1, codes: 0, uploads: 1 });
  clock.advance(29 * DAY - 2);
  await sweep?.({});
  assert.equal((await open(app, link)).status, 200);
  clock.advance(1);
  const gone = await open(app, link);
  assert.deepEqual([gone.status, gone.title], [404, 'This link is not valid any more']);
  await sweep?.({});
  assert.deepEqual(await left(), { drafts: 0, codes: 0, uploads: 0 });
  const actions = await asOwner(app, async (client) => {
    const { rows } = await client.query(`select distinct action from audit_log where action like 'draft.%' order by 1`);
    return rows.map(({ action }) => action as string);
  });
  assert.deepEqual(actions, [
    'draft.code-refused',
    'draft.code-sent',
    'draft.destroyed',
    'draft.expired',
    'draft.link-sent',
    'draft.resumed',
    'draft.saved',
  ]);
});
