import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { signIn } from '../support/people-session.ts';
import { FORMS, makeForm } from './form-requests.ts';

let app: TestApp;
let customer: TestCustomer;
before(async (t) => {
  app = await startApp(t as TestContext);
  customer = await app.createCustomer();
});

const FORM = {
  title: 'Before your visit',
  description: 'It takes five minutes.',
  recipient: 'desk@example.org',
  form_json: {
    pages: [
      { id: 'one', title: 'You', fields: [{ name: 'name', label: 'Your name', type: 'text', max_length: 50 }] },
      {
        id: 'two',
        title: 'Smoking',
        show_when: 'name == "Ann"',
        fields: [
          { name: 'smoker', label: 'Do you smoke?', type: 'yes_no' },
          { name: 'years', label: 'For how long?', type: 'number', show_when: 'smoker == true' },
        ],
      },
    ],
    translations: { es: { title: 'Antes de su visita', items: { name: { label: 'Su nombre' } } } },
  },
};

const preview = (body: object) => app.request('POST', `${FORMS}/preview`, { key: customer.key, body });

/** A page without what is another for each visitor and each form. */
const bare = (html: string) =>
  html
    .replaceAll(/ nonce="[^"]*"| action="[^"]*"/g, '')
    .replaceAll(/<input type="hidden" name="_(once|shown|version)"[^>]*>/g, '')
    .replaceAll(/"(formId|uploadUrl)":"[^"]*"|"version":\d+/g, '')
    .split('\n');

test('a preview is the page that patients get, but for what makes it one that can be sent', async () => {
  const [, ...fields] = FORM.form_json.pages[1]?.fields ?? [];
  const always = { fields: [...fields, { type: 'page', title: 'More' }, { name: 'more', type: 'file' }] };
  const form = { ...FORM, form_json: always, form_css: 'p { color: navy }', signable: true };
  const id = await makeForm(app, customer, { ...form, active: true });
  const shown = await app.request('GET', `/f/${id}`);
  const { status, body } = await preview(form);
  assert.equal(status, 200);
  assert.deepEqual(bare(body.html), bare(shown.text));
  assert.ok(!body.html.includes(id));
});

test('any page can be looked at in any language, also one that is not asked', async () => {
  const second = await preview({ ...FORM, page: 1 });
  assert.match(second.body.html, /Do you smoke\?/);
  assert.doesNotMatch(second.body.html, /Your name<\/label>|<label[^>]*>Your name/);
  assert.match(
    (await preview({ ...FORM, page: 99 })).body.html,
    /Do you smoke\?/,
    'the last one where there are fewer',
  );
  const spanish = await preview({ ...FORM, language: 'es' });
  assert.match(spanish.body.html, /<html lang="es"[^]*Antes de su visita[^]*Su nombre/);
});

test('a preview says what is to be mended, and takes what is half typed', async () => {
  const good = await preview({ ...FORM, form_json: { fields: FORM.form_json.pages[0]?.fields } });
  assert.deepEqual(good.body.problems, []);
  const fields = [{ name: 'a', label: 'A', type: 'radio', options: [], show_when: 'a ==' }];
  const { status, body } = await preview({ title: '', recipient: 'half@', form_json: { fields }, signable: true });
  assert.equal(status, 200);
  const told = body.problems.map(({ severity, field }: { severity: string; field: string | null }) => [
    severity,
    field,
  ]);
  assert.deepEqual(told.slice(0, 1), [['error', 'a']]);
  assert.ok(
    told.some(([severity, field]: [string, string]) => severity === 'warning' && field === 'fields[0].showWhen'),
  );
  assert.equal((await preview({ title: 'No form' })).status, 400);
});

test('what a customer writes for the looks is as safe in a preview as on the page', async () => {
  const { body } = await preview({
    ...FORM,
    form_html: '<p onclick="steal()">Hi</p><script>steal()</script>',
    form_css: 'p { background: url(https://elsewhere.example/x) } .heading { color: navy }',
  });
  assert.doesNotMatch(body.html, /steal|elsewhere/);
  assert.match(body.html, /color:navy/);
});

test('nothing of a preview is kept, so that those who only read make them too', async () => {
  const earlier = await app.request('GET', `${FORMS}?customer_id=${customer.id}`, { key: customer.key });
  await preview(FORM);
  const after = await app.request('GET', `${FORMS}?customer_id=${customer.id}`, { key: customer.key });
  assert.equal(after.body.page_info.count, earlier.body.page_info.count);
  const reader = await signIn(app, customer, 'reader');
  assert.equal((await reader.request('POST', `${FORMS}/preview`, { body: FORM })).status, 200);
  const operator = await signIn(app, null, 'operator');
  assert.equal((await operator.request('POST', `${FORMS}/preview`, { body: FORM })).status, 403);
});

test('the script of the page may be loaded by a preview, which is a document of no origin', async () => {
  const { body } = await preview(FORM);
  const [, script = ''] = /<script type="module" src="([^"]+)"/.exec(body.html) ?? [];
  const reply = await app.request('GET', script, { headers: { origin: 'null' } });
  assert.equal(reply.status, 200);
  assert.equal(reply.headers.get('access-control-allow-origin'), '*');
});
