import assert from 'node:assert/strict';
import { test } from 'node:test';
import { form, group, page, question } from '../export/form.examples.ts';
import { compileForm } from '../model/compile.ts';
import type { Submission } from '../submissions/submission.ts';
import { judgeAmendment } from './judge-amendment.ts';

const MODEL = form(
  page(null, [
    group('people', 'People', [
      question('text', 'name', 'Name'),
      question('signature', 'sign', 'Sign'),
      question('file', 'card', 'Card'),
    ]),
  ]),
);
const [ann, bob, cat] = [{ name: 'Ann', sign: { confirmed: true, name: 'Ann' } }, { name: 'Bob' }, { name: 'Cat' }];
const file = { id: '1', name: 'bob.txt', type: 'text/plain', size: 3, sha256: 'a'.repeat(64), field: 'people.1.card' };
const SENT = {
  answers: { people: [ann, bob, cat] },
  files: [file],
  signature: null,
  createdAt: new Date('2026-03-04T05:06:07Z'),
} as unknown as Submission;

const amend = (people: unknown) => judgeAmendment(MODEL, SENT, { people });

test('signatures and files within a group stay with the entries that they came in', () => {
  const { sign } = ann;
  for (const people of [
    null,
    [bob, cat],
    [{ ...ann, sign: { ...sign, name: 'Eve' } }, bob, cat],
    [{ name: 'Ann' }, bob, cat],
    [bob, ann, cat],
    [ann, cat, bob],
    [ann, { ...bob, sign }, cat],
    [ann, bob, cat, { name: 'Dan', sign }],
  ]) {
    assert.throws(() => amend(people), /people: entries with a signature or a file stay/, JSON.stringify(people));
  }
  const right = [{ ...ann, name: 'Anna' }, { ...bob, name: 'Bert' }, { name: 'Dan' }];
  assert.deepEqual(amend(right).changes, { people: right });
  assert.deepEqual(amend([ann, bob]).changes, { people: [ann, bob] }, 'an entry without any may go');
});

test('what a submission lacked when it was taken keeps nobody from setting the rest right', () => {
  const cards = ['front', 'back'].map((name) => ({ ...question('file', name, name), required: true }));
  const model = form(page(null, [question('text', 'name', 'Name'), question('number', 'age', 'Age'), ...cards]));
  const sent = { ...SENT, answers: { name: 'An', age: 'old' }, files: [{ ...file, field: null }] };
  assert.deepEqual(judgeAmendment(model, sent, { name: 'Ann' }).changes, { name: 'Ann' });
  assert.throws(() => judgeAmendment(model, sent, { age: 'older' }), /age: Please enter a number.$/);
});

test('within a group, too, what is changed has to fit and what is not may stay', () => {
  const model = compileForm({
    fields: [{ name: 'note' }, { type: 'list', name: 'people', fields: [{ name: 'age', type: 'number' }] }],
  });
  const sent = { ...SENT, answers: { note: 'a', people: [{ age: 'old' }] }, files: [] };
  assert.deepEqual(judgeAmendment(model, sent, { note: 'b' }).changes, { note: 'b' });
  assert.throws(
    () => judgeAmendment(model, sent, { people: [{ age: 'older' }] }),
    /people\.0\.age: Please enter a number/,
  );
});

test('a choice that was once kept as text is no change where nobody changed it', () => {
  const model = compileForm({ properties: { note: {}, pain: { enum: [1, 2] } } });
  const sent = { ...SENT, answers: { note: 'a', pain: '2' }, files: [] };
  assert.deepEqual(judgeAmendment(model, sent, { note: 'b' }).changes, { note: 'b' });
  assert.deepEqual(judgeAmendment(model, sent, { pain: '1' }).changes, { pain: 1 });
});
