import assert from 'node:assert/strict';
import { test } from 'node:test';
import { letterPage } from './letter.ts';

const letter = (html: string, contentIds: (string | null)[]) => ({
  from: { name: null, address: 'a@b.test' },
  subject: '',
  sentAt: new Date(0),
  until: new Date(0),
  text: null,
  html,
  files: contentIds.map((contentId) => ({ fileName: 'a.png', size: 1, contentId })),
  takesReplies: false,
});

test('a picture is the first file with its content id', () => {
  const page = letterPage('t', letter('<img src="cid:b"><img src="cid:c">', ['a', null, 'b', 'b']))('nonce');
  assert.deepEqual(page.match(/<img[^>]*>/g), ['<img src="/pickup/t/files/2" alt="">']);
});

test('many pictures find their files among many in no time', () => {
  // To look through all files for each picture takes a minute.
  const begun = performance.now();
  const ids = Array.from({ length: 100_000 }, (_, place) => `a${place}`);
  letterPage('t', letter('<img src="cid:b">'.repeat(100_000), ids));
  assert.ok(performance.now() - begun < 20_000);
});
