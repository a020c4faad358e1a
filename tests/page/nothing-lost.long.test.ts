import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { addForm } from '../support/forms.ts';
import { addOpenForm, answersOf, submissionsOf } from './page-requests.ts';
import { BACK, NEXT, open, type Page, SUBMIT } from './visitor.ts';

const PASSWORD = 'correct horse battery';
const PNG = '89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489';

const clock = createMovableClock();
let app: TestApp;
let customer: TestCustomer;
before(async (t) => {
  app = await startApp(t as TestContext, { clock });
  customer = await app.createCustomer();
});

const addFields = (fields: object[]) => addForm(app, customer.id, { form_json: { fields } });
const addPages = (...pages: object[][]) =>
  addForm(app, customer.id, { form_json: { pages: pages.map((elements) => ({ elements })) } });
const wanted = (name: string) => ({ name, type: 'file', required: true });
const picture = (control: string, length = 20) => ({
  control,
  name: 'a.png',
  type: 'image/png',
  content: Buffer.concat([Buffer.from(PNG, 'hex'), Buffer.alloc(length, 7)]),
});

/** What was sent by the page that came last. */
async function sentBy(thanks: Page, id: string) {
  assert.match(thanks.title, /Thank you/, JSON.stringify([thanks.problems, thanks.notes]));
  const [submission] = await submissionsOf(app, customer, id);
  return submission;
}

test('a file that is gone is told where it was chosen, on whatever step one is, before the form is sent', async () => {
  const id = await addPages([{ name: 'scan', type: 'file' }], [{ name: 'note', type: 'text' }]);
  const first = await open(app, `/f/${id}`);
  const second = await first.press(NEXT, {}, [picture('q.scan')]);
  const [token] = Object.values(JSON.parse(second.value('_files') ?? '{}')).flat() as string[];
  await (await second.press(BACK)).press(['_drop', token as string]);
  clock.advance(5_000);

  const told = await second.press(SUBMIT, { 'q.note': 'x' });
  assert.equal(told.status, 422);
  assert.match(told.problems['scan'] ?? '', /no longer there/);
  assert.equal((await submissionsOf(app, customer, id)).length, 0);

  const again = await told.press(NEXT, {}, [picture('q.scan')]);
  const submission = await sentBy(await again.press(SUBMIT), id);
  assert.deepEqual(answersOf(submission), { note: 'x' });
  assert.equal(submission.attachments.length, 1);
});

test('a file whose loss was told is not asked for again', async () => {
  const id = await addFields([{ name: 'scan', type: 'file' }]);
  const first = await (await open(app, `/f/${id}`)).press(null, {}, [picture('q.scan')]);
  const [token] = Object.values(JSON.parse(first.value('_files') ?? '{}')).flat() as string[];
  assert.deepEqual((await first.press(['_drop', token as string])).problems, {}, 'one that was taken back is not lost');
  clock.advance(5_000);
  const told = await first.press(SUBMIT);
  assert.deepEqual(Object.keys(told.problems), ['scan']);
  await sentBy(await told.press(SUBMIT), id);
});

test('a name with a dot is a question of its own, on its own page', async () => {
  const id = await addPages(
    [{ name: 'patient', type: 'text' }],
    [{ name: 'patient.name', type: 'text', required: true }],
  );
  const second = await (await open(app, `/f/${id}`)).press(NEXT, { 'q.patient': 'x' });
  assert.deepEqual(second.asked, ['patient.name']);
  const wrong = await second.press(SUBMIT);
  assert.deepEqual([wrong.asked, Object.keys(wrong.problems)], [['patient.name'], ['patient.name']]);
  clock.advance(5_000);
  const submission = await sentBy(await wrong.press(SUBMIT, { 'q.patient%2Ename': 'Ann' }), id);
  assert.deepEqual(answersOf(submission), { patient: 'x', 'patient.name': 'Ann' });
});

test('pictures of several signatures go with the form, and one for which there is no room is told', async () => {
  const names = ['s1', 's2', 's3', 's4'];
  const id = await addPages(
    names.map((name) => ({ name, type: 'signature' })),
    [{ name: 'note', type: 'text' }],
  );
  const signed = Object.fromEntries(
    names.flatMap((name) => [
      [`q.${name}.name`, 'Ann'],
      [`q.${name}.confirmed`, 'true'],
      [`q.${name}.method`, 'uploaded'],
    ]),
  );
  const first = await open(app, `/f/${id}`);
  const full = await first.press(
    NEXT,
    signed,
    names.map((name) => picture(`q.${name}.file`, 900_000)),
  );
  assert.deepEqual([full.status, Object.keys(full.problems)], [422, ['s4']]);
  const last = await full.press(NEXT, {}, [picture('q.s4.file')]);
  assert.deepEqual(last.asked, ['note']);
  clock.advance(5_000);
  const answers = answersOf(await sentBy(await last.press(SUBMIT, { 'q.note': 'x' }), id)) as Record<
    string,
    { image: string }
  >;
  assert.deepEqual(
    names.map((name) => (answers[name]?.image.length ?? 0) > 1_000_000),
    [true, true, true, false],
  );
});

test('the picture of a signature in an entry belongs to that entry', async () => {
  const fields = [
    { name: 'who', type: 'text' },
    { name: 'sig', type: 'signature', required: true },
  ];
  const id = await addFields([{ name: 'g', type: 'repeating group', fields }]);
  const signed = {
    'q.g.0.who': 'Ann',
    'q.g.0.sig.name': 'Ann',
    'q.g.0.sig.confirmed': 'true',
    'q.g.0.sig.method': 'uploaded',
  };
  const wrong = await (await open(app, `/f/${id}`)).press(SUBMIT, signed);
  assert.deepEqual(Object.keys(wrong.problems), ['g.0.sig'], 'a picture was promised');
  clock.advance(5_000);
  const { g, ...more } = answersOf(await sentBy(await wrong.press(SUBMIT, {}, [picture('q.g.0.sig.file')]), id)) as {
    g: { sig: { image: string } }[];
  };
  assert.match(g[0]?.sig.image ?? '', /^data:image\/png/);
  assert.deepEqual(more, {});

  const far = await (await open(app, `/f/${id}`)).press(null, {}, [picture('q.g.99999999.sig.file')]);
  assert.equal(far.status, 200);
});

test('entries of which nothing is asked for a while are still there afterwards', async () => {
  const id = await addFields([
    { name: 'h', type: 'yes_no' },
    { name: 'g', type: 'repeating group', fields: [{ name: 'a', type: 'text', show_when: 'h' }] },
  ]);
  let page = await (await open(app, `/f/${id}`)).press(null, { 'q.h': 'yes' });
  page = await page.press(['_add', 'g'], { 'q.g.0.a': 'Ann' });
  page = await page.press(null, { 'q.g.0.a': 'Ann', 'q.g.1.a': 'Bob' });
  for (const answer of ['no', 'no', 'yes']) page = await page.press(null, { 'q.h': answer });
  assert.deepEqual([page.value('q.g.0.a'), page.value('q.g.1.a')], ['Ann', 'Bob']);
});

test('an entry that has only files is an entry', async () => {
  const one = await addFields([{ name: 'cards', type: 'repeating group', required: true, fields: [wanted('photo')] }]);
  const page = await open(app, `/f/${one}`);
  clock.advance(5_000);
  const submission = await sentBy(await page.press(SUBMIT, {}, [picture('q.cards.0.photo')]), one);
  assert.deepEqual([answersOf(submission), submission.attachments.length], [{ cards: [{}] }, 1]);

  const two = await addFields([{ name: 'cards', type: 'repeating group', fields: [wanted('front'), wanted('back')] }]);
  const half = await (await open(app, `/f/${two}`)).press(SUBMIT, {}, [picture('q.cards.0.front')]);
  assert.deepEqual([half.status, Object.keys(half.problems)], [422, ['cards.0.back']]);
  await sentBy(await half.press(SUBMIT, {}, [picture('q.cards.0.back')]), two);
});

test('own words beside boxes count without the tick', async () => {
  const id = await addFields([{ name: 'allergies', type: 'checkboxes', options: ['Nuts', 'Eggs'], other: true }]);
  const page = await open(app, `/f/${id}`);
  clock.advance(5_000);
  const thanks = await page.press(SUBMIT, { 'q.allergies': ['Nuts'], 'q.allergies.~own': 'Penicillin' });
  assert.deepEqual(answersOf(await sentBy(thanks, id)), { allergies: ['Nuts', 'Penicillin'] });
});

test('when a pass runs out, what was cleared stays so, and files are asked for again', async () => {
  const pages = [{ elements: [{ name: 'name', type: 'text' }] }, { elements: [{ name: 'f', type: 'file' }] }];
  const id = await addOpenForm(app, customer, { password: PASSWORD }, { form_json: { pages } });
  const body = { count: 1, answers: { name: 'Wrong' } };
  const links = await app.request('POST', `/api/forms/${id}/links`, { key: customer.key, body });
  const first = await (await open(app, new URL(links.body.data[0].url).pathname)).press(null, { password: PASSWORD });
  assert.equal(first.value('q.name'), 'Wrong');
  const second = await first.press(NEXT, { 'q.name': '' });
  clock.advance(3_700_000);
  const asked = await second.press(SUBMIT, {}, [picture('q.f')]);
  const wrong = await asked.press(null, { password: 'not this one' });
  const again = await wrong.press(null, { password: PASSWORD });
  assert.match(again.problems['f'] ?? '', /no longer there/);
  const submission = await sentBy(await again.press(SUBMIT, {}, [picture('q.f')]), id);
  assert.deepEqual([answersOf(submission), submission.attachments.length], [{}, 1]);
});

test('a question with a long name of any script is answered', async () => {
  const [group, inside] = ['请'.repeat(300), '问'.repeat(300)];
  const id = await addFields([{ name: group, type: 'repeating group', fields: [{ name: inside, type: 'text' }] }]);
  const page = await open(app, `/f/${id}`);
  clock.advance(5_000);
  const name = `q.${encodeURIComponent(group)}.0.${encodeURIComponent(inside)}`;
  assert.deepEqual(answersOf(await sentBy(await page.press(SUBMIT, { [name]: 'x' }), id)), {
    [group]: [{ [inside]: 'x' }],
  });
});
