import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { addForm } from '../support/forms.ts';
import { askAs } from './working.ts';

let app: TestApp;
let customer: TestCustomer;
before(async (t) => {
  app = await startApp(t as TestContext);
  customer = await app.createCustomer();
});

const GOOD = {
  fields: [
    { type: 'text', name: 'name', label: 'Your name', required: true },
    { type: 'radio', name: 'pet', label: 'Do you have a pet?', options: ['Yes', 'No'] },
    { type: 'text', name: 'animal', label: 'Which one?', showWhen: 'pet == "Yes"' },
    { type: 'file', name: 'card', label: 'Insurance card', max_size: 5_000_000 },
  ],
};

/** What is found of a form, each as `severity field: words`. */
async function found(form: Parameters<typeof addForm>[2]): Promise<string[]> {
  const id = await addForm(app, customer.id, { recipient: 'desk@example.org', ...form });
  const { data } = await askAs(app, customer).take('GET', `/${id}/check`);
  return data.map((each: { severity: string; field: string | null; words: string }) => {
    return `${each.severity} ${each.field ?? 'form'}: ${each.words}`;
  });
}

const withField = (field: object) => ({ form_json: { fields: [...GOOD.fields, field] } });

test('a good form has nothing to mend', async () => {
  assert.deepEqual(await found({ form_json: GOOD }), []);
});

test('what makes a form hard to fill in is found, question by question', async () => {
  const cases: [object, RegExp][] = [
    [{ type: 'text', name: 'field_7' }, /^error field_7: The question has no label/],
    [{ type: 'text', name: 'again', label: 'your name' }, /^warning again: .*same label/],
    [{ type: 'radio', name: 'none', label: 'Choose', options: [] }, /^error none: .*nothing to choose/],
    [{ type: 'radio', name: 'twice', label: 'Choose', options: ['A', 'a'] }, /^warning twice: Two of the choices/],
    [{ type: 'matrix', name: 'table', label: 'Rate', rows: ['One'] }, /^error table: The table has no rows or no col/],
    [{ type: 'file', name: 'any', label: 'A file' }, /^warning any: Files may be as large as 250 MB/],
    [{ type: 'text', name: 'cat', label: 'Cat?', showWhen: 'pet == "Cat"' }, /^error cat: It is never shown/],
    [{ type: 'text', name: 'off', label: 'Off?', showWhen: '1 == 2' }, /^error off: It is never shown/],
    [{ type: 'text', name: 'self', label: 'Self?', showWhen: 'self == "x"' }, /^error self: .*answered already/],
    [{ type: 'text', name: 'lost', label: 'Lost?', showWhen: 'nowhere == "x"' }, /^warning .*not there/],
  ];
  for (const [field, words] of cases) {
    const told = await found(withField(field));
    assert.equal(told.length, 1, JSON.stringify([field, told]));
    assert.match(told[0] ?? '', words);
  }
});

test('pages without a title, and questions that depend on a later page, are found', async () => {
  const [name, ...rest] = GOOD.fields;
  const early = { ...name, showWhen: 'pet == "Yes"' };
  const told = await found({ form_json: { pages: [{ title: 'You', fields: [early] }, { fields: rest }] } });
  assert.deepEqual(told, [
    'warning name: It depends on a question of a later page, which nobody has answered by then.',
    'warning page-2: The page has no title, so that nobody knows where they are.',
  ]);
});

test('texts that are missing in another language are counted', async () => {
  const items = { name: { label: 'Su nombre' }, pet: { label: '¿Tiene mascota?' }, animal: { label: '¿Cuál?' } };
  const translations = { es: { title: 'Admisión', items } };
  const told = await found({ form_json: { ...GOOD, translations } });
  assert.deepEqual(told, ['warning form: Spanish: One text is not translated, and shown in the language of the form.']);
  const whole = { ...items, card: { label: 'Tarjeta' } };
  assert.deepEqual(
    await found({ form_json: { ...GOOD, translations: { es: { title: 'Admisión', items: whole } } } }),
    [],
  );
});

test('colours that are too alike, and pictures without words, are found', async () => {
  const told = await found({
    form_json: GOOD,
    form_css: ':root { --accent: #9bd; } .note { color: #777; background: #888 } .fine { color: #222 }',
    form_html: '<img src="data:image/png;base64,AA=="><img alt="" src="data:,">',
  });
  assert.equal(told.length, 3, told.join('\n'));
  assert.match(told[0] ?? '', /^error form: The colour of buttons and links stands out too little: .* 2\.\d to 1/);
  assert.match(told[1] ?? '', /^error form: A picture has no text/);
  assert.match(told[2] ?? '', /^warning \.note: Text stands out too little/);
});

/** A layout with so many styles that differ. */
const layout = (styles: number) => Array.from({ length: styles }, (_, i) => `<b style="top:${i}px">x</b>`).join('');

test('styles that are left out of a layout are told', async () => {
  assert.deepEqual(await found({ form_json: GOOD, form_html: layout(2_000) }), []);
  const told = await found({ form_json: GOOD, form_html: layout(2_001) });
  assert.match(told.join(), /^warning form: The layout has more style attributes than are taken \(2000 different ones/);
});

test('a form that asks nothing, tells nobody or is signed for nothing is found', async () => {
  assert.match((await found({ form_json: {} })).join(), /^error form: The form asks nothing/);
  assert.match((await found({ form_json: GOOD, recipient: null })).join(), /^warning form: Nobody is told by mail/);
  assert.match((await found({ form_json: GOOD, signable: true })).join(), /^warning form: It is signed/);
});
