import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
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

test('choices of a JSON Schema are kept as the numbers and truths that it lists, however they come', async () => {
  const properties = {
    pain: { type: 'integer', enum: [0, 1, 2, 3] },
    dose: { enum: [0.5, 2.5, 'more'] },
    grade: {
      oneOf: [
        { const: 1, title: 'First' },
        { const: 2, title: 'Second' },
      ],
    },
    side: { anyOf: [{ const: -1 }, { const: 1 }, { type: 'null' }] },
    revision: { const: 7 },
    teeth: { type: 'array', items: { type: 'integer', enum: [11, 12, 21] } },
    insured: { enum: [true, false] },
    visits: { type: 'array', items: { type: 'object', properties: { ward: { enum: [1, 2] } } } },
  };
  const schema = { type: 'object', properties, required: ['pain'] };
  const formId = await addForm(app, customer.id, { form_json: schema });
  const answers = {
    pain: 0,
    dose: 2.5,
    grade: 2,
    side: -1,
    revision: 7,
    teeth: [11, 21],
    insured: false,
    visits: [{ ward: 2 }],
  };
  const asText = {
    pain: '0',
    dose: '2.5',
    grade: 'Second',
    side: '-1',
    revision: '7',
    teeth: ['11', '21'],
    insured: 'false',
    visits: [{ ward: '2' }],
  };
  const promised = new Ajv2020({ strict: false }).compile(schema);
  const { body: offered } = await app.request('GET', `/public/form_data/${formId}/schema`, {});
  const given = new Ajv2020({ strict: false }).compile(offered);
  for (const sent of [answers, asText]) {
    const kept = await keptOf(formId, sent);
    assert.deepEqual(kept, answers);
    assert.ok(promised(kept) && given(kept), 'what comes out is what both schemas promise');
  }
  assert.ok(!given({ pain: '0' }) && !given({ pain: 0, teeth: ['11'] }));
  for (const wrong of [{ pain: 4 }, { dose: 1 }, { revision: 8 }, { teeth: [11, 13] }, { insured: 'maybe' }]) {
    assert.equal((await submit(app, formId, { form_data: { pain: 1, ...wrong } })).status, 400, JSON.stringify(wrong));
  }
  const csv = await download(app, customer, `/api/forms/${formId}/submissions/submission-csv`);
  assert.match(csv.bytes.toString(), /,0,2\.5,Second,-1,7,11; 21,false,/);
  const id = await submitted(app, formId, { form_data: answers });
  const fhir = `/api/forms/${formId}/submissions/${id}/fhir/QuestionnaireResponse`;
  const { bytes } = await download(app, customer, fhir);
  assert.match(bytes.toString(), /"valueCoding":{"code":"2","display":"Second"}/);
});

test('a page sends the choices of a JSON Schema as text, and they are kept as the numbers that they are', async () => {
  const properties = {
    pain: { enum: [0, 3] },
    teeth: { type: 'array', items: { enum: [11, 12] } },
    why: { type: 'string', show_when: 'pain == 3' },
  };
  const formId = await addForm(app, customer.id, { form_json: { properties, required: ['pain', 'why'] } });
  const page = await open(app, `/f/${formId}`);
  clock.advance(5_000);
  const again = await page.press(SUBMIT, { 'q.pain': '3', 'q.teeth': '12' });
  assert.deepEqual([again.value('q.pain'), again.value('q.teeth')], ['3', '12'], 'what was chosen stays chosen');
  clock.advance(5_000);
  assert.match((await again.press(SUBMIT, { 'q.why': 'a fall' })).title, /Thank you/);
  const list = await app.request('GET', `/api/forms/${formId}/submissions`, { key: customer.key });
  assert.deepEqual(JSON.parse(list.body.data[0].form_data), { pain: 3, teeth: [12], why: 'a fall' });
});
