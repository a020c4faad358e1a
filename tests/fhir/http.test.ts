import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { EVERYTHING } from '../../src/forms/fhir/everything.examples.ts';
import { compileForm } from '../../src/forms/model/compile.ts';
import { askForm, assertRefuses, changeForm, FORMS, makeForm, readForm } from '../forms/form-requests.ts';
import { auditOf, base64, PNG, submitted } from '../submissions/submitting.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { INTAKE, PHQ_9 } from './foreign.examples.ts';
import { faultsOf } from './r4-schema.ts';

let app: TestApp;
let customer: TestCustomer;
before(async (t) => {
  app = await startApp(t as TestContext);
  customer = await app.createCustomer();
});

const importing = (body: object, headers = {}) =>
  app.request('POST', `${FORMS}/fhir/Questionnaire`, { key: customer.key, body, headers });

test('a form goes out as a Questionnaire and comes back as a new form that asks the same', async () => {
  const signing = { signable: true, signature_confirmation_label: 'I have told the truth.' };
  const id = await makeForm(app, customer, { title: 'Visit', form_json: EVERYTHING, active: true, ...signing });
  const out = await askForm(app, customer, `GET ${id}/fhir/Questionnaire`);
  assert.equal(out.status, 200, out.text);
  assert.equal(out.headers.get('content-type'), 'application/fhir+json; charset=utf-8');
  const questionnaire = JSON.parse(out.text);
  assert.deepEqual(faultsOf(questionnaire), []);
  assert.equal(questionnaire.status, 'active');
  assert.match(questionnaire.url, new RegExp(`/v1/forms/api/forms/${id}/fhir/Questionnaire$`));

  const back = await importing(questionnaire, { 'content-type': 'application/fhir+json' });
  assert.equal(back.status, 200, back.text);
  assert.deepEqual(back.body.notes, []);
  const form = await readForm(app, customer, back.body.id);
  assert.deepEqual(compileForm(form.form_json), compileForm(EVERYTHING));
  assert.deepEqual(
    [form.title, form.active, form.signable, form.signature_confirmation_label],
    ['Visit', false, true, 'I have told the truth.'],
  );
  const [audit] = (await auditOf(app, customer, ['form.imported'])).filter(({ target }) => target === form.id);
  assert.deepEqual(audit?.details, { version: 1 });
});

test('any version goes out; a number that is none is refused', async () => {
  const id = await makeForm(app, customer, { form_json: { fields: [{ name: 'a', label: 'Before' }] } });
  await changeForm(app, customer, id, { form_json: { fields: [{ name: 'a', label: 'After' }] } });
  for (const [query, label, version] of [
    ['', 'After', '2'],
    ['?version=1', 'Before', '1'],
    ['?version=2', 'After', '2'],
  ]) {
    const questionnaire = JSON.parse((await askForm(app, customer, `GET ${id}/fhir/Questionnaire${query}`)).text);
    assert.equal(questionnaire.item[0].item[0].text, label);
    assert.equal(questionnaire.version, version);
  }
  assertRefuses(await askForm(app, customer, `GET ${id}/fhir/Questionnaire?version=3`), 404);
  for (const wrong of ['0', '-1', 'x', '1.5', '2147483648', '']) {
    assertRefuses(await askForm(app, customer, `GET ${id}/fhir/Questionnaire?version=${wrong}`), 400, 'version');
  }
});

test('a Questionnaire of others becomes a form, with notes on what could not be carried over', async () => {
  const { body } = await importing(PHQ_9);
  assert.deepEqual(body.notes, [
    {
      path: '/44261-6',
      note: 'what is filled in by a calculation or from a record is kept as a hidden question',
    },
  ]);
  assert.equal((await importing(INTAKE)).status, 200);
  assertRefuses(await importing({ resourceType: 'Patient' }), 400, 'resourceType');
  assertRefuses(await importing({}), 400, 'resourceType');
});

test('a Questionnaire that is too much for a form is refused', async () => {
  const resourceType = 'Questionnaire';
  assertRefuses(await importing({ resourceType, item: Array.from({ length: 200_000 }, () => ({})) }), 400, 'item');
  const concept = Array.from({ length: 5_000 }, (_, i) => ({ code: `${i}` }));
  const contained = [{ resourceType: 'ValueSet', id: 's', compose: { include: [{ concept }] } }];
  const item = Array.from({ length: 100 }, (_, i) => ({ linkId: `${i}`, type: 'choice', answerValueSet: '#s' }));
  assertRefuses(await importing({ resourceType, contained, item }), 400, 'item.answerOption');
});

test('an import under a key is carried out once', async () => {
  const headers = { 'idempotency-key': 'import-1' };
  const [first, second] = [await importing(PHQ_9, headers), await importing(PHQ_9, headers)];
  assert.deepEqual(second.body, first.body);
  assert.equal(second.headers.get('idempotency-replayed'), 'true');
  assert.equal((await importing(INTAKE, headers)).status, 409);
});

test('a submission goes out as a QuestionnaireResponse with files and signature, and that is recorded', async () => {
  const form_json = {
    fields: [
      { name: 'name', label: 'Name', type: 'text' },
      { name: 'age', type: 'integer' },
      { name: 'at', type: 'time' },
      { name: 'mood', type: 'radio', options: [{ value: 'g', label: 'Good' }], other: true },
      { name: 'signs', type: 'checkboxes', options: ['x', 'y'] },
      { name: 'home', type: 'address' },
      { name: 'grid', type: 'matrix', rows: ['r1', 'r2'], columns: [{ value: 'c', label: 'C' }] },
      { name: 'drugs', label: 'Drug', type: 'repeating group', fields: [{ name: 'what', type: 'text' }] },
      { name: 'hidden_by', type: 'text', show_when: 'age > 100' },
      { name: 'card', type: 'file' },
      { name: 'twice', type: 'calculated', formula: 'age * 2' },
    ],
  };
  const consent = 'I have told the truth.';
  const formId = await makeForm(app, customer, {
    form_json,
    active: true,
    signable: true,
    signature_confirmation_label: consent,
  });
  const id = await submitted(app, formId, {
    form_data: {
      name: 'Ann',
      age: 40,
      at: '09:30',
      mood: 'so so',
      signs: ['x', 'y'],
      home: { line1: 'High St 1', city: 'Bath', planet: 'Earth' },
      grid: { r2: 'c' },
      drugs: [{ what: 'A' }, { what: 'B' }],
      hidden_by: 'not asked',
    },
    attachments: [{ name: 'card.png', content: base64(PNG), field: 'card' }],
    signature: { confirmed: true, name: 'Ann Lee', image: base64(PNG) },
  });
  const out = await askForm(app, customer, `GET ${formId}/submissions/${id}/fhir/QuestionnaireResponse`);
  assert.equal(out.status, 200, out.text);
  assert.equal(out.headers.get('content-type'), 'application/fhir+json; charset=utf-8');
  const response = JSON.parse(out.text);
  assert.deepEqual(faultsOf(response), []);
  assert.notDeepEqual(faultsOf({ ...response, status: 'done' }), []);
  assert.match(response.questionnaire, new RegExp(`/${formId}/fhir/Questionnaire\\|1$`));
  assert.equal(response.status, 'completed');

  const said = Object.fromEntries(
    response.item[0].item.map((item: { linkId: string; answer?: object[] }) => [item.linkId, item.answer ?? item]),
  );
  assert.deepEqual(said.name, [{ valueString: 'Ann' }]);
  assert.deepEqual(said.age, [{ valueInteger: 40 }]);
  assert.deepEqual(said.at, [{ valueTime: '09:30:00' }]);
  assert.deepEqual(said.mood, [{ valueString: 'so so' }]);
  assert.equal(said.signs.length, 2);
  assert.deepEqual(
    said.home.item.map((part: { linkId: string }) => part.linkId),
    ['home.street', 'home.city'],
  );
  assert.deepEqual(JSON.parse(said.home.extension[0].valueString).planet, 'Earth');
  assert.deepEqual(said.grid.item[0].answer, [{ valueCoding: { code: 'c', display: 'C' } }]);
  assert.equal(said.twice[0].valueDecimal, 80);
  assert.ok(!('hidden_by' in said));
  const drugs = response.item[0].item.filter(({ linkId }: { linkId: string }) => linkId === 'drugs');
  assert.deepEqual(
    drugs.map((entry: { item: { answer: object[] }[] }) => entry.item[0]?.answer),
    [[{ valueString: 'A' }], [{ valueString: 'B' }]],
  );

  const { valueAttachment: card } = said.card[0];
  assert.equal(card.title, 'card.png');
  assert.equal(card.contentType, 'image/png');
  assert.equal(card.size, PNG.length);
  assert.match(card.extension[0].valueString, /^[0-9a-f]{64}$/);
  const { pathname } = new URL(card.url);
  assert.equal((await app.request('GET', pathname, { key: customer.key })).status, 200);

  const [{ url, valueSignature }] = response.extension;
  assert.equal(url, 'http://hl7.org/fhir/StructureDefinition/questionnaireresponse-signature');
  assert.equal(valueSignature.who.display, 'Ann Lee');
  assert.equal(valueSignature.sigFormat, 'image/png');
  assert.equal(valueSignature.data, base64(PNG));
  assert.ok(valueSignature.extension.some(({ valueString }: { valueString: string }) => valueString === consent));

  const [read] = (await auditOf(app, customer, ['submission.exported'])).filter(({ target }) => target === id);
  assert.deepEqual(read?.details, { form: formId });
});
