import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { open, SUBMIT } from '../page/visitor.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { addForm } from '../support/forms.ts';
import { download, readBack, submit, submitted } from './submitting.ts';

const clock = createMovableClock();
let app: TestApp;
let customer: TestCustomer;
before(async (t) => {
  app = await startApp(t as TestContext, { clock });
  customer = await app.createCustomer();
});

/** What is kept of answers that have to be taken. */
async function keptOf(formId: string, answers: Record<string, unknown>): Promise<Record<string, unknown>> {
  return (await readBack(app, customer, formId, await submitted(app, formId, { form_data: answers }))).answers;
}

test('lists of a JSON Schema are kept with every entry, and as the numbers that they are', async () => {
  const properties = {
    readings: { type: 'array', items: { type: 'number' } },
    flags: { type: 'array', items: { type: 'boolean' } },
    words: { type: 'array', items: { type: 'string' }, maxItems: 3 },
    picks: { type: 'array', items: { enum: ['a', 'b'] } },
    notes: { type: 'array', items: { type: 'object' } },
    plain: { type: 'array' },
  };
  const formId = await addForm(app, customer.id, { form_json: { properties } });
  const answers = {
    readings: [120, 120, 118],
    flags: [true, false, true],
    words: ['no', 'no', 'yes'],
    picks: ['a', 'b'],
    notes: [{ at: 1 }, { at: 1 }],
    plain: ['x', 1, [2]],
  };
  assert.deepEqual(await keptOf(formId, answers), answers);
  assert.deepEqual((await keptOf(formId, { picks: ['a', 'a'] }))['picks'], ['a'], 'nobody chooses a thing twice');
  for (const wrong of [{ words: ['a', 'b', 'c', 'd'] }, { picks: ['c'] }]) {
    assert.equal((await submit(app, formId, { form_data: wrong })).status, 400, JSON.stringify(wrong));
  }
});

test('what a JSON Schema says by way of null or of another schema is asked as that', async () => {
  const schema = {
    properties: {
      smoker: { anyOf: [{ type: 'boolean' }, { type: 'null' }], title: 'Smoker' },
      dose: { type: ['number', 'null'] },
      mixed: { type: ['integer', 'string'] },
      colour: { anyOf: [{ $ref: '#/$defs/Colour' }, { type: 'null' }] },
      home: { allOf: [{ $ref: '#/definitions/Home' }] },
      meds: { type: 'array', items: { $ref: '#/$defs/Med' } },
      anything: {},
      either: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
      loop: { $ref: '#/$defs/Loop' },
      gone: { $ref: '#/$defs/Gone' },
      elsewhere: { $ref: 'https://elsewhere.example/schema.json' },
    },
    $defs: {
      Colour: { enum: ['red', 'blue'] },
      Med: { type: 'object', properties: { drug: { $ref: '#/$defs/Drug' } }, required: ['drug'] },
      Drug: { type: 'string', maxLength: 9 },
      Loop: { $ref: '#/$defs/Loop' },
    },
    definitions: { Home: { type: 'object', properties: { city: { type: 'string' } } } },
  };
  const formId = await addForm(app, customer.id, { form_json: schema });
  const answers = {
    smoker: true,
    dose: 1.5,
    mixed: 'abc',
    colour: 'red',
    home: { city: 'Bern' },
    meds: [{ drug: 'Aspirin' }],
    anything: { a: [1] },
    either: 7,
    loop: true,
    gone: ['x'],
    elsewhere: { y: 2 },
  };
  assert.deepEqual(await keptOf(formId, answers), answers);
  assert.deepEqual(await keptOf(formId, { smoker: null, dose: null, colour: null }), {});
  const wrongs = [{ smoker: 'maybe' }, { dose: 'x' }, { colour: 'green' }, { meds: [{ drug: 'Acetylsalicylic' }] }];
  for (const wrong of wrongs) {
    assert.equal((await submit(app, formId, { form_data: wrong })).status, 400, JSON.stringify(wrong));
  }
});

test('a question of a type that is not known takes any answer, is asked on the page and is readable in exports', async () => {
  const types = ['tagbox', 'multipletext', 'paneldynamic', 'control_fullname', 'legal', 'list'];
  const fields = types.map((type) => ({ type, name: type, label: `The ${type}`, required: true }));
  const formId = await addForm(app, customer.id, { form_json: { fields } });
  const answers = {
    tagbox: ['a', 'b'],
    multipletext: { mother: 'Ann', father: 'Bob' },
    paneldynamic: [{ drug: 'Aspirin' }],
    control_fullname: { first: 'Ann', last: 'Lee' },
    legal: true,
    list: ['x'],
  };
  assert.deepEqual(await keptOf(formId, answers), answers);
  const csv = await download(app, customer, `/api/forms/${formId}/submissions/submission-csv`);
  assert.match(csv.bytes.toString(), /,a; b,"mother: Ann, father: Bob",drug: Aspirin,"first: Ann, last: Lee",Yes,/);
  const page = await open(app, `/f/${formId}`);
  clock.advance(5_000);
  const thanks = await page.press(SUBMIT, Object.fromEntries(types.map((type) => [`q.${type}`, 'Ann'])));
  assert.match(thanks.title, /Thank you/);
  assert.equal((await submit(app, formId, { form_data: {} })).status, 400);
});

test('a name is a text, and the numbers of an address are kept as text', async () => {
  const fields = [
    { type: 'name', name: 'who', max_length: 5 },
    { type: 'address', name: 'home' },
  ];
  const formId = await addForm(app, customer.id, { form_json: { fields } });
  assert.deepEqual(await keptOf(formId, { who: 'Ann', home: { postal_code: 12345 } }), {
    who: 'Ann',
    home: { postal_code: '12345' },
  });
  for (const wrong of [{ who: 'Ann Lee' }, { who: { first: 'A' } }, { home: { city: true } }]) {
    assert.equal((await submit(app, formId, { form_data: wrong })).status, 400, JSON.stringify(wrong));
  }
});
