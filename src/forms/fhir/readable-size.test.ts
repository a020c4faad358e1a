import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../platform/errors.ts';
import { MOST_CHOICES } from '../model/compile/notes.ts';
import { LONGEST_EXPRESSION } from '../model/expression/syntax.ts';
import { fromQuestionnaire } from './read-questionnaire.ts';
import { LARGEST_FORM, MOST_CHOICES_IN_ALL, MOST_COPIED, MOST_ITEMS } from './readable-size.ts';

const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

function read(item: unknown[], more = {}) {
  return fromQuestionnaire({ resourceType: 'Questionnaire', item, ...more });
}

/** How many choices come of an item. */
function chosen(item: object, more = {}): number {
  return JSON.stringify(read([item], more).form_json).split('"value"').length - 1;
}

function refusedFor(field: string, item: unknown[], more = {}): void {
  assert.throws(
    () => read(item, more),
    (error) => error instanceof AppError && error.status === 400 && Object.keys(error.fields).join() === field,
  );
}

const options = (count: number) => times(count, (i) => ({ valueCoding: { code: `c${i}` } }));
const choice = (count: number) => ({ type: 'choice', answerOption: options(count) });
const valueSet = (concept: object[]) => ({
  contained: [{ resourceType: 'ValueSet', id: 's', compose: { include: [{ concept }] } }],
});
const asking = (count: number) => times(count, (i) => ({ linkId: `${i}`, type: 'choice', answerValueSet: '#s' }));

/** A value set of which four copies are just as much as may be copied, or that is shorter. */
const quarter = (less: number) => valueSet([{ code: 'c', display: 'd'.repeat(MOST_COPIED / 4 - 1 - less) }]);

const heading = (length: number) => [{ type: 'display', text: 'x'.repeat(length) }];

const named = (length: number) => ({
  linkId: 'a',
  type: 'string',
  extension: [{ url: 'urn:carepost:fhir:name', valueString: 'n'.repeat(length) }],
});

test('a Questionnaire has so many items and no more, wherever they stand', () => {
  for (const count of [MOST_ITEMS - 1, MOST_ITEMS]) assert.ok(read(times(count, () => ({}))));
  refusedFor(
    'item',
    times(MOST_ITEMS + 1, () => ({})),
  );
  refusedFor(
    'item',
    times(200_000, () => ({})),
  );
  refusedFor('item', [{ type: 'group', item: times(MOST_ITEMS, () => ({})) }]);
});

test('a question has so many choices and no more, its own and those of its value set', () => {
  for (const count of [MOST_CHOICES - 1, MOST_CHOICES]) assert.equal(chosen(choice(count)), count);
  refusedFor('item.answerOption', [choice(MOST_CHOICES + 1)]);
  const more = valueSet(times(10, (i) => ({ code: `s${i}` })));
  for (const count of [MOST_CHOICES - 11, MOST_CHOICES - 10]) {
    assert.equal(chosen({ ...choice(count), answerValueSet: '#s' }, more), count + 10);
  }
  refusedFor('item.answerOption', [{ ...choice(MOST_CHOICES - 9), answerValueSet: '#s' }], more);
});

test('all questions together have so many choices and no more, a value set counted for each that asks for it', () => {
  const more = valueSet(times(MOST_CHOICES, (i) => ({ code: `${i}` })));
  const most = MOST_CHOICES_IN_ALL / MOST_CHOICES;
  for (const count of [most - 1, most]) assert.equal(read(asking(count), more).notes.length, 0);
  refusedFor('item.answerOption', [...asking(most), choice(1)], more);
  refusedFor('item.answerOption', asking(100), more);
});

test('value sets are copied into a form up to so many characters and no more', () => {
  for (const less of [1, 0]) assert.ok(read(asking(4), quarter(less)));
  refusedFor('item.answerValueSet', asking(4), quarter(-1));
  refusedFor('item.answerValueSet', asking(10_000), quarter(0));
});

test('thousands of translated choices are read as quickly as they are many', () => {
  const url = 'http://hl7.org/fhir/StructureDefinition/translation';
  const translation = (language: string) => ({
    url,
    extension: [
      { url: 'lang', valueCode: language },
      { url: 'content', valueString: 'x' },
    ],
  });
  const extension = ['de', 'es', 'fr', 'pt'].map(translation);
  const answerOption = options(MOST_CHOICES).map(({ valueCoding }) => ({
    valueCoding: { ...valueCoding, _display: { extension } },
  }));
  const before = process.cpuUsage();
  const { form_json: form } = read(times(4, (i) => ({ linkId: `q${i}`, type: 'choice', answerOption })));
  const { user } = process.cpuUsage(before);
  assert.ok(user < 5_000_000, `${user} µs`);
  assert.equal(JSON.stringify(form['translations']).split('"x"').length - 1, 16 * MOST_CHOICES);
});

test('what stands on a question is looked at once, and not for each that stands in it', () => {
  const extension = times(200_000, () => ({}));
  const item = times(MOST_ITEMS - 1, () => ({ type: 'display', _text: { extension: [] } }));
  const before = process.cpuUsage();
  assert.ok(read([{ type: 'group', extension, item }]));
  const { user } = process.cpuUsage(before);
  assert.ok(user < 5_000_000, `${user} µs`);
});

test('a condition is carried over up to the length of an expression, however often it is asked for', () => {
  const longest = LONGEST_EXPRESSION - 'not empty()'.length;
  const when = { question: 'a', operator: 'exists', answerBoolean: true };
  const asked = { linkId: 'b', type: 'string', enableWhen: [when] };
  const below = (length: number) => ({ ...named(length), item: [{ linkId: 'b', type: 'string' }] });
  const isConditional = (items: unknown[]) => JSON.stringify(read(items).form_json).includes('show_when');
  for (const length of [longest - 1, longest]) {
    assert.ok(isConditional([named(length), asked]));
    assert.ok(isConditional([below(length)]));
  }
  assert.ok(!isConditional([named(longest + 1), asked]));
  assert.ok(!isConditional([below(longest + 1)]));
  assert.match(
    read([below(longest + 1)])
      .notes.map(({ note }) => note)
      .join(),
    /too long a condition/,
  );
  const often = { ...asked, enableWhen: times(1_000, () => when) };
  assert.ok(!isConditional([named(2 ** 20), ...times(50, () => often)]));
  assert.ok(!isConditional([{ ...named(2 ** 20), item: times(MOST_ITEMS - 1, () => ({ type: 'string' })) }]));
});

test('what stands below many questions says so once, and not for each of them', () => {
  const nested = (depth: number): object[] =>
    depth === 0
      ? times(200, () => ({ type: 'string' }))
      : [{ linkId: `${depth}`, type: 'string', item: nested(depth - 1) }];
  const conditionsAt = (depth: number) => JSON.stringify(read(nested(depth)).form_json).split('not empty(').length - 1;
  assert.deepEqual([conditionsAt(1), conditionsAt(45)], [200, 244]);
});

test('a form of which too much would be made is refused, also where it is said only once', () => {
  const sized = (length: number) => JSON.stringify(read(heading(length)).form_json).length;
  const most = LARGEST_FORM - sized(1) + 1;
  assert.deepEqual([sized(most - 1), sized(most)], [LARGEST_FORM - 1, LARGEST_FORM]);
  refusedFor('item', heading(most + 1));
  const asked = { type: 'string', enableWhen: [{ question: 'a', operator: 'exists' }] };
  refusedFor('item', [named(1_900), ...times(5_000, () => asked)]);
});
