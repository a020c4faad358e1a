import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { checkCertificate } from '../../src/forms/index.ts';
import { askForm, changeForm, makeForm, readForm } from '../forms/form-requests.ts';
import { submissionsOf } from '../page/page-requests.ts';
import { open, SUBMIT } from '../page/visitor.ts';
import { download, readBack, submitted } from '../submissions/submitting.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { certificateOf } from './certify.ts';

let app: TestApp;
let customer: TestCustomer;
before(async (t) => {
  app = await startApp(t as TestContext);
  customer = await app.createCustomer();
});

const FIELDS = [{ id: 'q', name: 'q', label: 'Are you in pain?', type: 'text' }];
const SPANISH = {
  title: 'Consentimiento',
  description: 'Lea esto',
  signature_confirmation_label: 'He dicho la verdad.',
  items: { q: { label: '¿Tiene dolor?' } },
};
const SIGN = { 'q.q': 'no', '_signature.name': 'Ann Lee', '_signature.confirmed': 'true' };

const signable = (more: object = {}) =>
  makeForm(app, customer, {
    title: 'Consent',
    description: 'Read this',
    signable: true,
    signature_confirmation_label: 'I have told the truth.',
    form_json: { fields: FIELDS, translations: { es: SPANISH } },
    active: true,
    ...more,
  });

/** Fills in the page of a form and signs it; gives the submission as the customer reads it. */
async function signOnPage(formId: string, language: string) {
  const page = await open(app, `/f/${formId}?language=${language}`);
  const done = await page.press(SUBMIT, SIGN);
  assert.equal(done.status, 200, done.text);
  const [{ id }] = (await submissionsOf(app, customer, formId)) as [{ id: string }];
  return { shown: page.text, ...(await readBack(app, customer, formId, id)) };
}

const TITLE = /<dc:title>\s*<rdf:Alt>\s*<rdf:li[^>]*>([^<]*)</;

/** What the sealed certificate, the PDF and the page of a submission say. */
async function toldOf(formId: string, id: string) {
  const path = `/v1/forms/api/forms/${formId}/submissions/${id}`;
  const { record } = await checkCertificate(
    await certificateOf(app, { customer, formId, id, path: `${path}/certificate` }),
    null,
  );
  const { bytes } = await download(app, customer, `${path}/submission-pdf`);
  const { text } = await askForm(app, customer, `GET ${formId}/submissions/${id}/page`);
  return { record, pdf: TITLE.exec(bytes.toString('latin1'))?.[1], page: text };
}

test('what was signed keeps the title that it was signed under, and a new title makes no new version', async () => {
  const formId = await signable();
  const id = await submitted(app, formId, { form_data: { q: 'no' }, signature: { confirmed: true, name: 'Ann' } });
  await changeForm(app, customer, formId, { title: 'Sale of the house', description: 'Something else' });
  assert.equal((await readForm(app, customer, formId)).version ?? 1, 1);
  const { record, pdf, page } = await toldOf(formId, id);
  assert.deepEqual([record.form.title, record.form.language, record.form.version], ['Consent', 'en', 1]);
  assert.equal(pdf, 'Consent');
  assert.match(page, /Consent/);
  assert.match(page, /Read this/);
  assert.doesNotMatch(page, /Sale of the house|Something else/);
  const { signature } = await readBack(app, customer, formId, id);
  assert.deepEqual([signature.genuine, signature.consent_text], [true, 'I have told the truth.']);
});

test('what was signed in another language is certified in its words', async () => {
  const formId = await signable();
  const { id, signature, shown } = await signOnPage(formId, 'es');
  assert.ok(shown.includes('He dicho la verdad.'));
  assert.deepEqual([signature.genuine, signature.consent_text], [true, 'He dicho la verdad.']);
  const { record, pdf, page } = await toldOf(formId, id);
  assert.deepEqual([record.form.title, record.form.language], ['Consentimiento', 'es']);
  assert.equal(record.signatures[0]?.consent_text, 'He dicho la verdad.');
  assert.ok(JSON.stringify(record.shown).includes('¿Tiene dolor?'));
  assert.equal(pdf, 'Consentimiento');
  for (const words of ['Consentimiento', 'Lea esto', '¿Tiene dolor?', 'lang="es"'])
    assert.ok(page.includes(words), words);
  assert.doesNotMatch(page, /Are you in pain/);
});

test('where a form has no words for signing, those of the page are kept; by the API none were shown', async () => {
  const bare = { fields: FIELDS, translations: { es: { title: 'Consentimiento' } } };
  const formId = await signable({ signature_confirmation_label: null, form_json: bare });
  for (const language of ['en', 'es']) {
    const { signature, shown } = await signOnPage(formId, language);
    assert.ok(signature.consent_text.length > 10);
    assert.ok(shown.includes(signature.consent_text), language);
  }
  const id = await submitted(app, formId, { form_data: {}, signature: { confirmed: true, name: 'Ann' } });
  assert.equal((await readBack(app, customer, formId, id)).signature.consent_text, null);
});

test('where a question is signed, what stands there is kept', async () => {
  const sign = { name: 'sign', label: 'Sign here', type: 'signature' };
  const formId = await signable({ form_json: { fields: [sign] } });
  const page = await open(app, `/f/${formId}`);
  const done = await page.press(SUBMIT, { 'q.sign.name': 'Ann Lee', 'q.sign.confirmed': 'true' });
  assert.equal(done.status, 200, done.text);
  const [{ id }] = (await submissionsOf(app, customer, formId)) as [{ id: string }];
  const { signature } = await readBack(app, customer, formId, id);
  assert.ok(page.text.includes(signature.consent_text));
  assert.doesNotMatch(page.text, /I have told the truth/);
});

test('what nobody was asked for in an entry of a group is not shown as asked, and the record names it', async () => {
  const fields = [
    { name: 'smoker', label: 'Do you smoke?', type: 'text' },
    { name: 'years', label: 'For how long?', type: 'number', show_when: 'smoker == "yes"' },
  ];
  const people = { name: 'people', label: 'People', type: 'repeating group', fields };
  const formId = await signable({ form_json: { fields: [people] } });
  const form_data = {
    people: [
      { smoker: 'no', years: 77 },
      { smoker: 'yes', years: 8 },
    ],
  };
  const id = await submitted(app, formId, { form_data, signature: { confirmed: true, name: 'Ann' } });
  const { record } = await toldOf(formId, id);
  assert.deepEqual(record.unasked, ['people.0.years']);
  assert.doesNotMatch(JSON.stringify(record.shown), /77/);
  assert.match(JSON.stringify(record.shown), /For how long\?: 8/);
});
