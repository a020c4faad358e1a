import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cellsOf } from '../export/columns.ts';
import { form, group, page, question, submission } from '../export/form.examples.ts';
import { parseExpression } from '../model/expression/parse.ts';
import type { Item } from '../model/form-model.ts';
import { deidentifiedColumns } from './deidentified-columns.ts';
import { treatedQuestions } from './treated-questions.ts';

const calculated = (id: string, label: string, formula: string, extras: object = {}) =>
  question('calculated', id, label, { formula: parseExpression(formula), ...extras });
const choose = (label: string, ...labels: string[]) =>
  question('select', 'q', label, { choices: labels.map((each) => ({ value: each, label: each, score: null })) });
const models = (...versions: Item[][]) =>
  versions.map((items, at) => ({ version: at + 1, model: form(page(null, items)) }));
const within = (label: string) => [group('g', 'Group', [question('number', 'q', label)])];
const treatmentOf = (items: Item[], id: string) =>
  treatedQuestions(models(items))[0]?.questions.find(({ question: { id: each } }) => each === id)?.treatment;

test('what is calculated is told where all that it is calculated from is', () => {
  const asked = [
    question('number', 'mrn', 'MRN'),
    question('number', 'kg', 'Weight'),
    question('number', 'years', 'Age'),
    question('date', 'b', 'Date of birth'),
    question('date', 'secret', 'Day', { deidentify: 'drop' }),
    question('text', 'word', 'Word'),
  ];
  const table: [formula: string, extras: object, treatment: string][] = [
    ['kg * 2', {}, 'keep'],
    ['mrn', {}, 'drop'],
    ['mrn + kg', {}, 'drop'],
    ['years', {}, 'drop'],
    ['count(word)', {}, 'drop'],
    ['nobody', {}, 'drop'],
    ['age(b)', {}, 'age'],
    ['age(b) - 20', {}, 'drop'],
    ['age(secret)', {}, 'drop'],
    ['key + 1', {}, 'drop'],
    ['mrn', { deidentify: 'keep' }, 'keep'],
  ];
  for (const [formula, extras, treatment] of table) {
    assert.equal(treatmentOf([...asked, calculated('key', 'Key', formula, extras)], 'key'), treatment, formula);
  }
  const chain = [...asked, calculated('key', 'Key', 'mrn'), calculated('far', 'Far', 'key + 1')];
  assert.equal(treatmentOf(chain, 'far'), 'drop');
  const inGroup = group('g', 'Group', [question('number', 'n', 'N'), calculated('c', 'C', 'n + mrn')]);
  const [version] = treatedQuestions(models([...asked, inGroup]));
  const { items } = version?.questions.find(({ question: { id } }) => id === 'g') ?? { items: [] };
  assert.deepEqual(
    items.map(({ treatment }) => treatment),
    ['keep', 'drop'],
  );
});

test('choices tell no age over 89, no part of a date and no place', () => {
  const table: [item: Item, answer: string, told: string | null][] = [
    [choose('Your age', '45', '97'), '97', '90+'],
    [choose('Your age', '45', '97'), '45', '45'],
    [choose('How old are you?', '80-89', '90 or older'), '80-89', '80-89'],
    [choose('Group', '97 years old', 'younger'), '97 years old', '90+'],
    [choose('Date of your visit', 'first', 'second'), 'first', null],
    [choose('Visit', '2026-03-04', '2026-03-05'), '2026-03-04', null],
    [choose('Visit', '3/4/2026'), '3/4/2026', null],
    [choose('Visit', 'March 4'), 'March 4', null],
    [choose('Visit', '4th of March'), '4th of March', null],
    [choose('Visit', 'March', 'April'), 'March', null],
    [choose('Which month?', 'the first'), 'the first', null],
    [choose('Where do you live?', 'Springfield'), 'Springfield', null],
    [choose('Location', 'Springfield'), 'Springfield', null],
    [choose('Where does it hurt?', 'Back'), 'Back', 'Back'],
    [choose('Dose', '1/2 tablet', 'It may vary'), '1/2 tablet', '1/2 tablet'],
    [question('rating', 'q', 'Age', { most: 120 }), '97', '90+'],
  ];
  for (const [item, answer, told] of table) {
    const cells = cellsOf(
      deidentifiedColumns(models([item]), () => 'row'),
      submission({ q: answer }),
    );
    assert.deepEqual(cells.slice(2), told === null ? [] : [told], `${'label' in item ? item.label : ''}: ${answer}`);
  }
});

test('a number whose words say that it is an identifier is dropped, however they are written', () => {
  const labels =
    'Medicaid ID,Medicare number,ID number,IDs,Subscriber ID,Health plan number,Tax ID,NHS number,Claim,Case number,' +
    'Reference,Identification,SSN1,SSNLast4,ssn_2,yourSSN,patientid,MemberIDs,2ndPhone,Phones,Policy2';
  for (const name of labels.split(',')) {
    assert.equal(treatmentOf([question('number', name, 'Number')], name), 'drop', name);
    assert.equal(treatmentOf([question('number', 'q', name)], 'q'), 'drop', name);
  }
  assert.equal(treatmentOf([question('number', 'patientAge2', 'Number')], 'patientAge2'), 'age');
  for (const label of ['Weight', 'Pulse', 'Number of children', 'Living children', 'Fluid intake', 'Pills a day']) {
    assert.equal(treatmentOf([question('number', 'q', label)], 'q'), 'keep', label);
  }
});

test('the words of any version judge all of them, unless the newest says otherwise', () => {
  const told = (...versions: Item[][]) =>
    cellsOf(
      deidentifiedColumns(models(...versions), () => 'row'),
      submission({ q: 123_456 }),
    ).slice(2);
  const plain = question('number', 'q', 'Your number');
  assert.deepEqual(told([plain]), ['123456']);
  const named = question('number', 'q', 'Social security number');
  assert.deepEqual(told([plain], [named]), []);
  assert.deepEqual(told([named], [plain]), []);
  assert.deepEqual(told([plain], [question('phone', 'q', 'Your number')]), []);
  assert.deepEqual(told([plain], [{ ...named, deidentify: 'keep' }]), ['123456']);
  assert.deepEqual(told([{ ...plain, deidentify: 'keep' }], [named]), []);
  assert.equal(treatedQuestions(models(within('N'), within('SSN')))[1]?.questions[0]?.items[0]?.treatment, 'drop');
});

test('questions that share an id are each treated and shown by themselves, in groups as well', () => {
  const pulse = question('number', 'n-1', 'Pulse', { name: 'pulse' });
  const weight = question('number', 'n-1', 'Weight', { name: 'weight' });
  const secret = question('number', 'n-1', 'Number', { name: 'secret', deidentify: 'drop' });
  const kept = { ...pulse, deidentify: 'keep' as const };
  const columns = deidentifiedColumns(models([kept, secret, weight]), () => 'row');
  assert.deepEqual(columns.headers.slice(2), ['Pulse', 'Weight']);
  assert.deepEqual(cellsOf(columns, submission({ pulse: 60, secret: 7, weight: 80 })).slice(2), ['60', '80']);
  const [version] = treatedQuestions(models([group('g', 'Group', [kept, secret])]));
  assert.deepEqual(
    version?.questions[0]?.items.map(({ treatment }) => treatment),
    ['keep', 'drop'],
  );
});
