import assert from 'node:assert/strict';
import { test } from 'node:test';
import { remembering } from './remember.ts';

/** Something that remembers, and the texts that it has worked on. */
function watched(most?: number) {
  const worked: string[] = [];
  const work = (text: string) => {
    worked.push(text.slice(0, 1));
    return text.length;
  };
  return { worked, ask: remembering(work, most) };
}

test('long texts are worked on once, and so are many of them', () => {
  const { worked, ask } = watched();
  const long = 'a'.repeat(1024 * 1024);
  assert.equal(ask(long), long.length);
  assert.equal(ask(long), long.length);
  for (let i = 0; i < 1_000; i += 1) assert.equal(ask(`b${100 + (i % 500)}`), 4);
  assert.equal(worked.length, 501);
});

test('what was not asked for the longest is forgotten first', () => {
  const { worked, ask } = watched(10);
  for (const text of ['aaaa', 'bbbb', 'aaaa', 'cccc', 'aaaa', 'bbbb']) ask(text);
  assert.deepEqual(worked, ['a', 'b', 'c', 'b']);
  ask('d'.repeat(11));
  ask('d'.repeat(11));
  assert.deepEqual(worked.slice(4), ['d', 'd']);
});
