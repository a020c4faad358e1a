import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { askForm, changeForm, makeForm } from '../forms/form-requests.ts';
import { auditOf, base64, PNG, submitted } from '../submissions/submitting.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';

let app: TestApp;
let customer: TestCustomer;
before(async (t) => {
  app = await startApp(t as TestContext);
  customer = await app.createCustomer();
});

const pageOf = (formId: string, id: string) => askForm(app, customer, `GET ${formId}/submissions/${id}/page`);

test('a question that a later version no longer has still shows its answer and its signature (formio#123)', async () => {
  const signature = { name: 'sign', label: 'Sign for the operation', type: 'signature' };
  const leaving = { name: 'drug', label: 'Which drug?', type: 'text' };
  const staying = { name: 'name', label: 'Name', type: 'text' };
  const formId = await makeForm(app, customer, { form_json: { fields: [staying, leaving, signature] }, active: true });
  const image = `data:image/png;base64,${base64(PNG)}`;
  const form_data = {
    name: 'Ann',
    drug: 'Aspirin <b>100</b>',
    sign: { confirmed: true, name: 'Ann Lee', method: 'drawn', image },
  };
  const id = await submitted(app, formId, { form_data });
  await changeForm(app, customer, formId, { form_json: { fields: [staying] } });

  const { status, text } = await pageOf(formId, id);
  assert.equal(status, 200, text);
  assert.match(text, /Which drug\?/);
  assert.match(text, /Aspirin &lt;b&gt;100&lt;\/b&gt;/);
  assert.match(text, /Sign for the operation/);
  assert.match(text, /Ann Lee/);
  assert.ok(text.includes(image));

  const newer = await submitted(app, formId, { form_data: { name: 'Bob' } });
  assert.doesNotMatch((await pageOf(formId, newer)).text, /Which drug\?/);
});

const asking = (label: string, options: object[]) => ({
  fields: [{ id: 'q', name: 'q', label, type: 'radio', options }],
});

test('a submission to an older version opens as that version was, to the wording and the layout (enketo#1078)', async () => {
  const formId = await makeForm(app, customer, {
    form_json: asking('Are you in pain?', [{ value: '1', label: 'A little' }]),
    form_css: '.question { color: teal }',
    signable: true,
    signature_confirmation_label: 'That is how I feel.',
    active: true,
  });
  const first = await submitted(app, formId, {
    form_data: { q: '1' },
    signature: { confirmed: true, name: 'Ann Lee' },
  });
  await changeForm(app, customer, formId, {
    form_json: asking('How are you?', [{ value: '1', label: 'Well' }]),
    form_css: '.question { color: maroon }',
    signature_confirmation_label: 'Another text.',
  });
  const late = await submitted(app, formId, { form_data: { q: '1' }, form_version: 1 });
  const second = await submitted(app, formId, { form_data: { q: '1' } });

  for (const id of [first, late]) {
    const { text } = await pageOf(formId, id);
    assert.match(text, /Are you in pain\?/);
    assert.match(text, /A little/);
    assert.match(text, /teal/);
    assert.match(text, /That is how I feel\./);
    assert.doesNotMatch(text, /How are you\?|Well|maroon|Another text/);
  }
  assert.match((await pageOf(formId, first)).text, /Ann Lee/);
  const { text } = await pageOf(formId, second);
  assert.match(text, /How are you\?/);
  assert.match(text, /maroon/);
});

test('what was not asked is not shown, files are named, and nothing can be changed or sent', async () => {
  const form_json = {
    fields: [
      { name: 'age', label: 'Age', type: 'number' },
      { name: 'driver', label: 'Do you drive?', type: 'text', show_when: 'age >= 18' },
      { name: 'card', label: 'Card', type: 'file' },
    ],
  };
  const formId = await makeForm(app, customer, { form_json, active: true });
  const id = await submitted(app, formId, {
    form_data: { age: 9, driver: 'secretly' },
    attachments: [{ name: 'front.png', content: base64(PNG) }],
  });
  const { text, headers } = await pageOf(formId, id);
  assert.match(text, /front\.png/);
  assert.doesNotMatch(text, /Do you drive\?|secretly/);
  assert.doesNotMatch(text, /<(?:form|input|button|textarea|select|script|iframe|a)\b/i);
  assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
  const policy = headers.get('content-security-policy') ?? '';
  const [, nonce = ''] = /style-src 'nonce-([^']+)'/.exec(policy) ?? [];
  assert.ok(text.includes(`<style nonce="${nonce}">`));
  for (const rule of [
    "default-src 'none'",
    'img-src data:',
    "form-action 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-same-origin allow-modals',
  ]) {
    assert.ok(policy.split('; ').includes(rule), rule);
  }
});

test('that a submission was opened is in the audit log', async () => {
  const formId = await makeForm(app, customer, { form_json: { fields: [{ name: 'a' }] }, active: true });
  const id = await submitted(app, formId, { form_data: { a: 'b' } });
  await pageOf(formId, id);
  const read = (await auditOf(app, customer, ['submission.read'])).filter(({ target }) => target === id);
  assert.deepEqual(
    read.map(({ details }) => details),
    [{ form: formId }],
  );
});

test('a submission of a form that was deleted since still opens', async () => {
  const formId = await makeForm(app, customer, { form_json: { fields: [{ name: 'a', label: 'Kept' }] }, active: true });
  const id = await submitted(app, formId, { form_data: { a: 'b' } });
  await askForm(app, customer, `DELETE ${formId}`);
  assert.match((await pageOf(formId, id)).text, /Kept/);
});

test('a form that takes any answers opens too', async () => {
  const formId = await makeForm(app, customer, { active: true });
  const id = await submitted(app, formId, { form_data: { a: 'b' } });
  assert.equal((await pageOf(formId, id)).status, 200);
  const out = await askForm(app, customer, `GET ${formId}/submissions/${id}/fhir/QuestionnaireResponse`);
  assert.deepEqual(JSON.parse(out.text).item, [{ linkId: 'a', answer: [{ valueString: 'b' }] }]);
});
