import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileForm } from '../compile.ts';
import type { SentFile, Verdict } from '../form-model.ts';
import { todayAt } from '../today.ts';
import { checkAnswers } from '../validate.ts';

const TODAY = todayAt(new Date('2026-05-16T09:00:00Z'));

type Field = Record<string, unknown>;

function check(fields: Field[], answers: Record<string, unknown>, files: SentFile[] = []): Verdict {
  return checkAnswers(compileForm({ fields }), answers, files, TODAY);
}

/** The names of the questions with problems. */
function wrong(fields: Field[], answers: Record<string, unknown>, files: SentFile[] = []): string[] {
  return Object.keys(check(fields, answers, files).problems);
}

const file = (name: string, more: Partial<SentFile> = {}): SentFile => ({
  name,
  type: 'image/png',
  size: 10,
  field: null,
  ...more,
});

test('files count for the question that they name, that names them, or for any', () => {
  const scan = { name: 'Scan', id: 'x1', type: 'file', required: true };
  const photo = { name: 'photo', type: 'file' };
  assert.deepEqual(wrong([scan, photo], {}), ['Scan']);
  assert.deepEqual(wrong([scan, photo], { Scan: 'a.png' }), ['Scan']);
  for (const field of ['Scan', 'x1', 'scan', null, 'elsewhere'])
    assert.deepEqual(wrong([scan, photo], {}, [file('a.png', { field })]), [], String(field));
  assert.deepEqual(wrong([scan, photo], {}, [file('a.png', { field: 'photo' })]), ['Scan']);
  for (const named of ['a.png', ['a.png'], [{ name: 'a.png' }]]) {
    assert.deepEqual(wrong([scan, { ...photo, required: true }], { Scan: named }, [file('a.png')]), ['photo']);
  }
  const group = { name: 'g', type: 'list', fields: [{ name: 'n' }, scan] };
  assert.deepEqual(wrong([group], { g: [{ n: 'a' }, { n: 'b' }] }, [file('a.png', { field: 'g.1.Scan' })]), [
    'g.0.Scan',
  ]);
});

test('a file that is meant for no question answers one of those that it fits', () => {
  const one = { name: 'one', type: 'file', required: true };
  const other = { ...one, name: 'other' };
  assert.deepEqual(wrong([one, other], {}, [file('a.png')]), ['other']);
  assert.deepEqual(wrong([one, other], {}, [file('a.png'), file('b.png')]), []);
  assert.deepEqual(wrong([one, other], {}, [file('a.png'), file('b.png', { field: 'one' })]), []);
  const picky = { ...other, accept: ['.pdf'] };
  for (const fields of [
    [one, picky],
    [picky, one],
  ]) {
    assert.deepEqual(wrong(fields, {}, [file('a.pdf'), file('b.png')]), []);
    assert.deepEqual(wrong(fields, {}, [file('a.png'), file('b.png')]), ['other']);
  }
  const third = { ...picky, name: 'third', accept: ['.pdf', '.doc'] };
  const named = (...names: string[]) => names.map((name) => file(name));
  assert.deepEqual(wrong([one, third, picky], {}, named('a.pdf', 'b.doc', 'c.png')), []);
  assert.deepEqual(wrong([one, third, picky], {}, named('a.pdf', 'b.pdf', 'c.doc')), []);
  const many = Array.from({ length: 1_000 }, (_, at) => file(`${at}.png`));
  const group = { name: 'g', type: 'list', fields: [{ ...one, accept: ['.png'] }, other], max: 1_000 };
  const entries = Array.from({ length: 600 }, () => ({ note: 'x' }));
  assert.equal(wrong([group], { g: entries }, many).length, 200);
});

test('a name wins over the id of another question', () => {
  const fields = [
    { name: 'scan', type: 'file', required: true },
    { name: 'photo', id: 'scan', type: 'file', required: true },
  ];
  for (const listed of [fields, fields.toReversed()]) {
    assert.deepEqual(wrong(listed, {}, [file('a.png', { field: 'scan' })]), ['photo']);
  }
});

test('a question that is not asked keeps its files to itself', () => {
  const hidden = { name: 'photo', type: 'file', required: true, accept: ['.png'], showWhen: 'false' };
  const scan = { name: 'scan', type: 'file', accept: ['.pdf'] };
  const sent = [file('a.png', { field: 'photo' })];
  assert.deepEqual(wrong([hidden, scan], {}, sent), []);
  assert.deepEqual(wrong([hidden, { ...scan, accept: [], required: true }], {}, sent), ['scan']);
  assert.deepEqual(wrong([hidden, scan], {}, [file('a.png')]), ['scan']);
});

test('files are held to the kinds, the number and the size that a question takes', () => {
  const scan = { name: 'scan', type: 'file', accept: ['image/*', '.pdf', 'text/plain'], max_files: 2, max_size: 10 };
  const png = file('a.png');
  const bad: SentFile[][] = [
    [png, png, png],
    [file('a.png', { size: 11 })],
    [file('a.exe', { type: 'application/pdf' })],
  ];
  const good: SentFile[][] = [
    [png, png],
    [file('a.PDF', { type: 'x/y' })],
    [file('a', { type: 'Text/Plain; charset=x' })],
    [],
  ];
  for (const files of good) assert.deepEqual(wrong([scan], {}, files), []);
  for (const files of bad) assert.deepEqual(wrong([scan], {}, files), ['scan']);
  const other = { name: 'other', type: 'file', required: true, accept: ['.doc'] };
  assert.deepEqual(wrong([scan, other], {}, [file('a.exe', { type: 'x/y' })]), ['other']);
  assert.deepEqual(wrong([scan, other], {}, [file('a.doc', { type: 'x/y' })]), []);
});

const sent = (field: string) => [file('a.png', { field })];

test('an entry with a file is no blank one, whether or not its group is among the answers', () => {
  const photo = { name: 'Photo', id: 'p1', type: 'file', required: true };
  const cards = { name: 'cards', type: 'list', required: true, fields: [{ name: 'note' }, photo] };
  assert.deepEqual(wrong([cards], { cards: [{}] }), ['cards']);
  for (const answers of [{}, { cards: [] }, { cards: [{}] }, { cards: [{}, {}] }]) {
    for (const field of ['cards.0.Photo', 'cards.0.p1']) {
      const verdict = check([cards], answers, sent(field));
      assert.deepEqual([verdict.problems, verdict.answers], [{}, { cards: [{}] }]);
    }
  }
  assert.deepEqual(wrong([cards], {}, sent('cards.1.Photo')), ['cards.0.Photo'], 'the one before it is an entry too');
  for (const field of ['cards', 'cards.0', 'cards.0.note', 'cards.x.Photo', 'cards.00.Photo', 'cards.9999999.Photo']) {
    assert.deepEqual(wrong([cards], {}, sent(field)), ['cards'], field);
  }
  const sides = { ...cards, required: false, fields: [photo, { name: 'back', type: 'file', required: true }] };
  assert.deepEqual(wrong([sides], { cards: [{}] }, sent('cards.0.Photo')), ['cards.0.back']);
  assert.deepEqual(wrong([{ ...cards, max: 1 }], {}, sent('cards.1.Photo')), ['cards.0.Photo', 'cards']);
});
