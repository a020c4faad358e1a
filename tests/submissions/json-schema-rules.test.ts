import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { open, SUBMIT } from '../page/visitor.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { addForm } from '../support/forms.ts';
import { readBack, submit, submitted } from './submitting.ts';

const SCHEMA = {
  type: 'object',
  properties: {
    dose: { type: 'number', multipleOf: 0.25 },
    price: { type: 'number', multipleOf: 0.01 },
    seen: { type: ['string', 'null'], format: 'date-time' },
    agreed: { type: 'boolean', const: true },
    smoker: { const: false },
    drugs: { type: 'array', items: { type: 'string' }, uniqueItems: true },
  },
};

const clock = createMovableClock();
let app: TestApp;
let customer: TestCustomer;
let formId: string;
before(async (t) => {
  app = await startApp(t as TestContext, { clock });
  customer = await app.createCustomer();
  formId = await addForm(app, customer.id, { form_json: SCHEMA });
});

const GOOD = {
  dose: 1.25,
  price: '0.07',
  seen: '2024-02-29T12:30:00.5+05:30',
  agreed: true,
  smoker: 'no',
  drugs: ['a', 'b'],
};

const BAD: [name: string, answer: unknown, rule: RegExp][] = [
  ['dose', 1.3, /multiple of 0\.25/],
  ['price', 0.075, /multiple of 0\.01/],
  ['seen', '2024-02-30T12:30:00Z', /a date and a time/],
  ['seen', 'yesterday', /a date and a time/],
  ['agreed', false, /answer yes/],
  ['smoker', 'yes', /answer no/],
  ['smoker', 'perhaps', /yes or no/],
];

test('multiples, dates with times and truths that are the only one are checked, and each refusal names its question', async () => {
  const id = await submitted(app, formId, { form_data: GOOD });
  const { answers } = await readBack(app, customer, formId, id);
  assert.deepEqual(answers, { ...GOOD, price: 0.07, smoker: false });
  for (const [name, answer, rule] of BAD) {
    const { status, body } = await submit(app, formId, { form_data: { ...GOOD, [name]: answer } });
    assert.equal(status, 400, name);
    assert.deepEqual(Object.keys(body.fields), [name]);
    assert.match(body.fields[name][0], rule);
  }
  await submitted(app, formId, { form_data: {} });
});

test('what stands twice in a list of texts that takes each once counts once', async () => {
  const id = await submitted(app, formId, { form_data: { drugs: ['a', 'b', 'a'] } });
  assert.deepEqual((await readBack(app, customer, formId, id)).answers, { drugs: ['a', 'b'] });
});

test('the schema that is given out says the same', async () => {
  const { body } = await app.request('GET', `/public/form_data/${formId}/schema`);
  const accepts = new Ajv2020({ strict: true, strictTypes: false, multipleOfPrecision: 9 }).compile(body.data ?? body);
  const answers = { ...GOOD, price: 0.07, smoker: false };
  assert.ok(accepts(answers), JSON.stringify(accepts.errors));
  for (const [name, answer] of [...BAD, ['drugs', ['a', 'a']] as const]) {
    assert.ok(!accepts({ ...answers, [name]: answer }), name);
  }
});

/** The control in which a date with a time is asked for. */
const controlIn = ({ text }: { text: string }) => /<input[^>]* name="q\.seen"[^>]*>/.exec(text)?.[0] ?? '';

test('on the page a date with a time has a control of its own, and what that cannot hold stays as it was written', async () => {
  const page = await open(app, `/f/${formId}`);
  assert.match(controlIn(page), /type="datetime-local"/);
  clock.advance(5_000);
  const shown = await page.press(SUBMIT, { 'q.seen': 'noon', 'q.dose': '0.3' });
  assert.deepEqual(Object.keys(shown.problems).toSorted(), ['dose', 'seen']);
  assert.equal(shown.value('q.seen'), 'noon');
  const zoned = await shown.press(SUBMIT, { 'q.seen': '2024-02-29T12:30:00Z' });
  assert.deepEqual([Object.keys(zoned.problems), zoned.value('q.seen')], [['dose'], '2024-02-29T12:30:00Z']);
  assert.match(controlIn(zoned), /type="text"/);
  const local = await zoned.press(SUBMIT, { 'q.seen': '2024-02-29T12:30' });
  assert.match(controlIn(local), /type="datetime-local"/);
  assert.match((await local.press(SUBMIT, { 'q.dose': '0.5' })).title, /Thank you/);
});
