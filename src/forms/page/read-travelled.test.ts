import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { compileForm } from '../model/compile.ts';
import { readPosted } from './read-posted.ts';
import { readTravelledAnswers, readTravelledFiles, readTravelledTexts } from './read-travelled.ts';

const INSIDE = 'abcdefghij'.split('');
const group = (more: object = {}) =>
  compileForm({
    pages: [
      { elements: [{ name: 'first', type: 'text' }] },
      {
        elements: [
          {
            name: 'g',
            type: 'repeating group',
            ...more,
            fields: INSIDE.map((name) => ({ name, type: 'address' })),
          },
        ],
      },
    ],
  });
const MODEL = group({ max: 3 });
const list = (values: string[]) => `[${values.join()}]`;
const many = (length: number, value = '""') => Array.from({ length }, () => value);

test('a page carries as many values as any body, and no more', () => {
  assert.equal(readTravelledTexts(list(many(20_000))).length, 20_000);
  assert.throws(() => readTravelledTexts(list(many(20_001))), /more than 20000 values/);
  assert.throws(() => readTravelledAnswers(MODEL, `{"g":${list(many(20_000, '{}'))}}`), /more than 20000 values/);
});

const nested = (depth: number) => `{"first":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;

test('a page carries what is nested as deep as in any body, and no deeper', () => {
  assert.notDeepEqual(readTravelledAnswers(MODEL, nested(64)), {});
  assert.throws(() => readTravelledAnswers(MODEL, nested(65)), /more than 64 levels/);
  assert.throws(() => readTravelledAnswers(MODEL, '['.repeat(1_000_000)), /more than/);
});

test('what stands in texts counts as one value, whatever signs it has', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('"', '\\', '[', '{', ',', '}', 'a'), maxLength: 300 }), (text) => {
      const texts = [text.repeat(100), text];
      assert.deepEqual(readTravelledTexts(JSON.stringify(texts)), texts);
    }),
  );
});

test('nothing travels with text that no other way in takes', () => {
  for (const text of ['a\\u0000b', '\\ud800', '\\udc00b']) {
    assert.throws(() => readTravelledAnswers(MODEL, `{"first":["${text}"]}`), /must not hold/);
    assert.throws(() => readTravelledAnswers(MODEL, `{"first":{"${text}":1}}`), /must not hold/);
    assert.throws(() => readTravelledFiles(`{"${text}":["a"]}`), /must not hold/);
    assert.throws(() => readTravelledTexts(list([`"${text}"`])), /must not hold/);
  }
  assert.deepEqual(readTravelledAnswers(MODEL, '{"first":"\\ud83d\\ude00"}'), { first: '😀' });
});

test('a group has no more entries than it takes, on whatever page it stands', () => {
  const answers = `{"g":${list(many(10, '{"a":{"city":"x"}}'))}}`;
  for (const step of ['0', '1']) {
    const { state } = readPosted(MODEL, { _answers: answers, _step: step });
    assert.equal((state.answers['g'] as unknown[]).length, 3);
  }
});

test('a page carries a thousand files, and no more', () => {
  assert.equal(readTravelledFiles(`{"f":${list(many(1_000))}}`)['f']?.length, 1_000);
  const tooMany = `{"f":${list(many(500))},"h":${list(many(501))}}`;
  assert.throws(() => readTravelledFiles(tooMany), /At most 1000 attachments/);
});

test('a page with as many controls and entries as there may be is read at once', () => {
  const seen = Array.from({ length: 1_000 }, (_, i) => INSIDE.map((name) => `g.${i}.${name}`)).flat();
  const controls = Object.fromEntries(Array.from({ length: 19_000 }, (_, i) => [`q.z${i}.z`, '']));
  const deep = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`q${'.a'.repeat(4_000)}${i}`, '']));
  const before = process.cpuUsage();
  const { state } = readPosted(group({ max: 1_000 }), {
    ...controls,
    ...deep,
    _seen: JSON.stringify(seen),
    _step: '1',
  });
  const { user } = process.cpuUsage(before);
  assert.equal((state.answers['g'] as unknown[]).length, 1_000);
  assert.ok(user < 3_000_000, `${user / 1_000} ms`);
});
