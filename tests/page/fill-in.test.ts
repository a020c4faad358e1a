import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { MOST_BYTES } from '../../src/forms/submissions/receive.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { addForm } from '../support/forms.ts';
import { countAs } from '../uploads/uploading.ts';
import { answersOf, submissionsOf } from './page-requests.ts';
import { BACK, NEXT, open, SUBMIT } from './visitor.ts';

const clock = createMovableClock();
let app: TestApp;
let customer: TestCustomer;
before(async (t) => {
  app = await startApp(t as TestContext, { clock });
  customer = await app.createCustomer();
});

const STEPS = {
  pages: [
    {
      title: 'You',
      elements: [
        { name: 'name', type: 'text', label: 'Name', required: true },
        { name: 'smoker', type: 'yes_no', label: 'Do you smoke?' },
        { name: 'cigarettes', type: 'number', label: 'How many?', required: true, show_when: 'smoker' },
      ],
    },
    { title: 'Children', show_when: 'name == "Eve"', elements: [{ name: 'children', type: 'number', required: true }] },
    { title: 'Last', elements: [{ name: 'email', type: 'email', label: 'Email' }] },
  ],
};

test('a form of several pages is filled in step by step, and sent', async () => {
  const id = await addForm(app, customer.id, { form_json: STEPS });
  const first = await open(app, `/f/${id}`);
  assert.equal(first.status, 200);
  assert.deepEqual(first.asked, ['name', 'smoker']);
  const last = await first.press(NEXT, { 'q.name': 'Ann', 'q.smoker': 'no' });
  assert.deepEqual(last.asked, ['email']);
  clock.advance(5_000);
  const thanks = await last.press(SUBMIT, { 'q.email': 'ann@example.com' });
  assert.equal(thanks.status, 200);
  assert.match(thanks.title, /Thank you/);
  const [submission, ...more] = await submissionsOf(app, customer, id);
  assert.equal(more.length, 0);
  assert.deepEqual(answersOf(submission), { name: 'Ann', smoker: false, email: 'ann@example.com' });
  assert.ok(thanks.text.includes(submission.id), 'the receipt names the submission');
});

test('what is wrong on a step keeps the visitor there, with all that was typed', async () => {
  const id = await addForm(app, customer.id, { form_json: STEPS });
  const first = await open(app, `/f/${id}`);
  const wrong = await first.press(NEXT, { 'q.name': '', 'q.smoker': 'no' });
  assert.equal(wrong.status, 422);
  assert.deepEqual(Object.keys(wrong.problems), ['name']);
  assert.equal(wrong.value('q.smoker'), 'no');
  const last = await wrong.press(NEXT, { 'q.name': 'Ann' });
  const bad = await last.press(SUBMIT, { 'q.email': 'no address' });
  assert.equal(bad.status, 422);
  assert.deepEqual(Object.keys(bad.problems), ['email']);
  assert.equal(bad.value('q.email'), 'no address');
  assert.deepEqual(await submissionsOf(app, customer, id), []);
});

test('numbers are taken as the keypads of phones write them, and one that may be meant in two ways is refused', async () => {
  const fields = [
    { name: 'weight', type: 'number' },
    { name: 'pain', type: 'rating', min: 0, max: 100 },
    { name: 'phone', type: 'phone' },
  ];
  const id = await addForm(app, customer.id, { form_json: { fields } });
  const page = await open(app, `/f/${id}`);
  clock.advance(5_000);
  const typed = { 'q.weight': '1,500', 'q.pain': '٧٠', 'q.phone': '+٢٠ ١٢٣٤٥٦٧٨٩٠' };
  const wrong = await page.press(SUBMIT, typed);
  assert.deepEqual([Object.keys(wrong.problems), wrong.value('q.weight')], [['weight'], '1,500']);
  const thanks = await wrong.press(SUBMIT, { 'q.weight': '70,5' });
  assert.match(thanks.title, /Thank you/);
  const [submission] = await submissionsOf(app, customer, id);
  assert.deepEqual(answersOf(submission), { weight: 70.5, pain: 70, phone: '+20 1234567890' });
});

test('questions that answers bring up are asked before the visitor goes on', async () => {
  const id = await addForm(app, customer.id, { form_json: STEPS });
  const first = await open(app, `/f/${id}`);
  const again = await first.press(NEXT, { 'q.name': 'Ann', 'q.smoker': 'yes' });
  assert.equal(again.status, 200);
  assert.deepEqual(again.asked, ['name', 'smoker', 'cigarettes']);
  assert.equal(again.notes.length, 1);
  const missing = await again.press(NEXT, {});
  assert.deepEqual(Object.keys(missing.problems), ['cigarettes']);
  const last = await missing.press(NEXT, { 'q.cigarettes': '20' });
  assert.deepEqual(last.asked, ['email']);
});

test('an answer that opens a page leads to it, and back again', async () => {
  const id = await addForm(app, customer.id, { form_json: STEPS });
  const first = await open(app, `/f/${id}`);
  const children = await first.press(NEXT, { 'q.name': 'Eve' });
  assert.deepEqual(children.asked, ['children']);
  const back = await children.press(BACK, { 'q.children': '2' });
  assert.equal(back.value('q.name'), 'Eve');
  const forth = await back.press(NEXT, {});
  assert.equal(forth.value('q.children'), '2');
});

test('the answers of a question that is no longer asked stay with the page', async () => {
  const id = await addForm(app, customer.id, { form_json: STEPS });
  const asked = await (await open(app, `/f/${id}`)).press(NEXT, { 'q.name': 'Ann', 'q.smoker': 'yes' });
  const last = await asked.press(NEXT, { 'q.cigarettes': '20', 'q.smoker': 'no' });
  const back = await last.press(BACK, {});
  assert.deepEqual(back.asked, ['name', 'smoker']);
  const again = await back.press(NEXT, { 'q.smoker': 'yes' });
  assert.deepEqual(again.asked, ['email'], 'it was answered already');
});

const GROUPS = {
  fields: [
    {
      name: 'drugs',
      type: 'repeater',
      label: 'Medication',
      max: 3,
      fields: [
        { name: 'drug', type: 'text', required: true },
        { name: 'daily', type: 'yes_no' },
        { name: 'times', type: 'number', required: true, show_when: 'daily' },
        { name: 'photo', type: 'file' },
      ],
    },
  ],
};

test('entries of a group are added, filled in and taken away, each with its own questions and files', async () => {
  const id = await addForm(app, customer.id, { form_json: GROUPS });
  const first = await open(app, `/f/${id}`);
  assert.deepEqual(first.asked, ['drugs', 'drugs.0.drug', 'drugs.0.daily', 'drugs.0.photo']);
  const photo = { control: 'q.drugs.0.photo', name: 'a.txt', content: 'A' };
  const two = await first.press(['_add', 'drugs'], { 'q.drugs.0.drug': 'A', 'q.drugs.0.daily': 'no' }, [photo]);
  assert.deepEqual(two.files, { 'drugs.0.photo': ['a.txt'] });
  const other = { control: 'q.drugs.1.photo', name: 'b.txt', content: 'B' };
  const three = await two.press(['_add', 'drugs'], { 'q.drugs.1.drug': 'B', 'q.drugs.1.daily': 'yes' }, [other]);
  assert.equal(three.value('q.drugs.0.drug'), 'A');
  assert.ok(three.asked.includes('drugs.1.times') && !three.asked.includes('drugs.2.times'));
  const fewer = await three.press(['_remove', 'drugs.0'], {});
  assert.deepEqual([fewer.value('q.drugs.0.drug'), fewer.files], ['B', { 'drugs.0.photo': ['b.txt'] }]);
  clock.advance(5_000);
  const missing = await fewer.press(SUBMIT, {});
  assert.deepEqual(Object.keys(missing.problems), ['drugs.0.times']);
  const thanks = await missing.press(SUBMIT, { 'q.drugs.0.times': '3' });
  assert.match(thanks.title, /Thank you/);
  const [submission] = await submissionsOf(app, customer, id);
  assert.deepEqual(answersOf(submission), { drugs: [{ drug: 'B', daily: true, times: 3 }] });
  assert.deepEqual(
    submission.attachments.map((file: { name: string }) => file.name),
    ['b.txt'],
  );
});

const KINDS = {
  fields: [
    { name: 'colour', type: 'radio', options: ['red', 'blue'], other: true },
    { name: 'signs', type: 'checkboxes', options: ['cough', 'fever'], other: true },
    { name: 'home', type: 'address' },
    { name: 'grid', type: 'matrix', rows: ['am', 'pm'], columns: ['low', 'high'] },
    { name: 'note', type: 'long_text', max_length: 3 },
    { name: 'agreed', type: 'consent', text: 'I agree', required: true },
    { name: 'a.b %2E', type: 'text' },
  ],
};

test('every kind of answer arrives as it was given', async () => {
  const id = await addForm(app, customer.id, { form_json: KINDS });
  const first = await open(app, `/f/${id}`);
  clock.advance(5_000);
  const thanks = await first.press(SUBMIT, {
    'q.colour': '~other',
    'q.colour.~own': 'puce',
    'q.signs': ['fever', '~other'],
    'q.signs.~own': 'hiccups',
    'q.home.street': '1 Main St',
    'q.home.city': 'Springfield',
    'q.grid.am': 'low',
    'q.note': 'a\r\nb',
    'q.agreed': 'true',
    'q.a%2Eb%20%252E': 'dots',
  });
  assert.match(thanks.title, /Thank you/, thanks.text);
  assert.deepEqual(answersOf((await submissionsOf(app, customer, id))[0]), {
    colour: 'puce',
    signs: ['fever', 'hiccups'],
    home: { street: '1 Main St', city: 'Springfield' },
    grid: { am: 'low' },
    note: 'a\nb',
    agreed: true,
    'a.b %2E': 'dots',
  });
});

const FILES = {
  fields: [
    { name: 'name', type: 'text', required: true },
    { name: 'scan', type: 'file', accept: '.txt', max_files: 2, max_size: 10 },
  ],
};

const scan = (name: string, content: string) => ({ control: 'q.scan', name, content });

test('a table without rows, which no page can ask for, does not keep a form from being sent', async () => {
  const fields = [{ name: 'm', type: 'matrix', columns: ['a', 'b'], required: true }];
  const id = await addForm(app, customer.id, { form_json: { fields } });
  const page = await open(app, `/f/${id}`);
  clock.advance(5_000);
  assert.match((await page.press(SUBMIT, {})).title, /Thank you/);
});

test('a slider that stops between whole numbers is a number within its bounds', async () => {
  const fields = [{ name: 'dose', type: 'slider', min: 0, max: 1, step: 0.1 }];
  const id = await addForm(app, customer.id, { form_json: { fields } });
  const page = await open(app, `/f/${id}`);
  clock.advance(5_000);
  const wrong = await page.press(SUBMIT, { 'q.dose': '1.5' });
  assert.deepEqual(Object.keys(wrong.problems), ['dose']);
  assert.match((await wrong.press(SUBMIT, { 'q.dose': '0.5' })).title, /Thank you/);
  assert.deepEqual((await submissionsOf(app, customer, id)).map(answersOf), [{ dose: 0.5 }]);
});

test('files come with a step, stay when something else is wrong, and may be taken back', async () => {
  const id = await addForm(app, customer.id, { form_json: FILES });
  const first = await open(app, `/f/${id}`);
  const wrong = await first.press(SUBMIT, {}, [
    scan('one.txt', 'one'),
    scan('two.txt', '2'.repeat(11)),
    scan('x.exe', 'x'),
  ]);
  assert.equal(wrong.status, 422);
  assert.deepEqual(Object.keys(wrong.problems), ['name', 'scan']);
  assert.deepEqual(wrong.files, { scan: ['one.txt'] });
  const token = JSON.parse(wrong.value('_files') as string).scan[0];
  const dropped = await wrong.press(['_drop', token], { 'q.name': 'Ann' });
  assert.deepEqual(dropped.files, {});
  clock.advance(5_000);
  const thanks = await dropped.press(SUBMIT, {}, [scan('three.txt', '3'.repeat(10))]);
  assert.match(thanks.title, /Thank you/);
  const [submission] = await submissionsOf(app, customer, id);
  assert.deepEqual(
    submission.attachments.map((file: { name: string }) => file.name),
    ['three.txt'],
  );
});

test('files of a page that are too much for one submission are told at the first of them, which can be taken back', async () => {
  const fields = ['scan', 'letter'].map((name) => ({ name, type: 'file' }));
  const id = await addForm(app, customer.id, { form_json: { fields } });
  const chosen = fields.map(({ name }) => ({ control: `q.${name}`, name: `${name}.txt`, content: name }));
  const page = await (await open(app, `/f/${id}`)).press(null, {}, chosen);
  const tokens = JSON.parse(page.value('_files') ?? '');
  await countAs(app, tokens.scan[0], MOST_BYTES - 3);
  await countAs(app, tokens.letter[0], 4);
  clock.advance(5_000);
  const wrong = await page.press(SUBMIT, {});
  assert.deepEqual([wrong.status, wrong.problems], [422, { letter: 'Please send a file of at most 3 bytes.' }]);
  assert.deepEqual(wrong.files, { scan: ['scan.txt'], letter: ['letter.txt'] });
  assert.deepEqual(await submissionsOf(app, customer, id), []);
  const dropped = await wrong.press(['_drop', tokens.letter[0]], {});
  assert.deepEqual([dropped.status, dropped.files], [200, { scan: ['scan.txt'] }]);
  const thanks = await dropped.press(SUBMIT, {}, [{ control: 'q.letter', name: 'short.txt', content: '3rd' }]);
  assert.match(thanks.title, /Thank you/, thanks.text);
  const [submission] = await submissionsOf(app, customer, id);
  assert.equal(submission.attachments.length, 2);
});

test('a file that nobody is asked for any more keeps no form from being sent', async () => {
  const fields = [
    { name: 'more', type: 'yes/no' },
    { name: 'scan', type: 'file' },
    { name: 'letter', type: 'file', show_when: 'more == true' },
  ];
  const id = await addForm(app, customer.id, { form_json: { fields } });
  const chosen = ['scan', 'letter'].map((name) => ({ control: `q.${name}`, name: `${name}.txt`, content: name }));
  const page = await (await open(app, `/f/${id}`)).press(null, { 'q.more': 'yes' }, chosen);
  const tokens = JSON.parse(page.value('_files') ?? '');
  await countAs(app, tokens.scan[0], MOST_BYTES - 3);
  await countAs(app, tokens.letter[0], 4);
  clock.advance(5_000);
  assert.equal((await page.press(SUBMIT, {})).status, 422);
  const thanks = await page.press(SUBMIT, { 'q.more': 'no' });
  assert.match(thanks.title, /Thank you/, thanks.text);
  const [submission] = await submissionsOf(app, customer, id);
  assert.deepEqual(
    submission.attachments.map(({ name }: { name: string }) => name),
    ['scan.txt'],
  );
});

test('text that no database can hold does not travel with a page', async () => {
  const id = await addForm(app, customer.id, { form_json: STEPS });
  const last = await (await open(app, `/f/${id}`)).press(NEXT, { 'q.name': 'Ann', 'q.smoker': 'no' });
  clock.advance(5_000);
  for (const text of ['a\\u0000b', 'a\\ud800b', '\\udc00']) {
    for (const travelled of [`{"name":"${text}"}`, `{"name":"Ann","x":[{"${text}":1}]}`]) {
      assert.equal((await last.press(SUBMIT, { _answers: travelled })).status, 400, travelled);
    }
  }
  assert.deepEqual(await submissionsOf(app, customer, id), []);
  const thanks = await last.press(SUBMIT, { _answers: '{"name":"\\ud83d\\ude00","smoker":false}' });
  assert.match(thanks.title, /Thank you/, thanks.text);
  assert.deepEqual((await submissionsOf(app, customer, id)).map(answersOf), [{ name: '😀', smoker: false }]);
});

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

test('a form is signed with a typed name or a picture, and half a signature is told', async () => {
  const id = await addForm(app, customer.id, {
    form_json: { fields: [{ name: 'name', type: 'text' }] },
    signable: true,
  });
  const first = await open(app, `/f/${id}`);
  clock.advance(5_000);
  assert.deepEqual(Object.keys((await first.press(SUBMIT, {})).problems), ['_signature']);
  const half = await first.press(SUBMIT, { '_signature.name': 'Ann Example' });
  assert.deepEqual(Object.keys(half.problems), ['_signature']);
  assert.equal(half.value('_signature.name'), 'Ann Example');
  const typed = await half.press(SUBMIT, { '_signature.confirmed': 'true' });
  assert.match(typed.title, /Thank you/);
  const bad = { control: '_signature.file', name: 's.png', content: 'no picture' };
  const uploaded = { '_signature.method': 'uploaded', '_signature.confirmed': 'true', _once: 'another' };
  const refused = await half.press(SUBMIT, uploaded, [bad]);
  assert.deepEqual(Object.keys(refused.problems), ['_signature']);
  clock.advance(1_000);
  const picture = await refused.press(SUBMIT, {}, [{ ...bad, content: PNG }]);
  assert.match(picture.title, /Thank you/, picture.text);
  const [drawn, written] = await submissionsOf(app, customer, id);
  assert.deepEqual([drawn.signature.method, written.signature.method], ['uploaded', 'typed']);
});

test('a question for a signature is signed in the same ways', async () => {
  const form_json = { fields: [{ name: 'mark', type: 'signature', required: true }] };
  const id = await addForm(app, customer.id, { form_json });
  const first = await open(app, `/f/${id}`);
  clock.advance(5_000);
  assert.deepEqual(Object.keys((await first.press(SUBMIT, {})).problems), ['mark']);
  const signed = { 'q.mark.method': 'uploaded', 'q.mark.confirmed': 'true', 'q.mark.name': 'Ann' };
  const thanks = await first.press(SUBMIT, signed, [{ control: 'q.mark.file', name: 's.png', content: PNG }]);
  assert.match(thanks.title, /Thank you/, thanks.text);
  const [submission] = await submissionsOf(app, customer, id);
  assert.deepEqual([submission.signature.method, submission.signature.name], ['uploaded', 'Ann']);
  assert.deepEqual(submission.attachments, [], 'the picture is no attachment');
});
