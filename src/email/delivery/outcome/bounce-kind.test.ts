import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { bounceKind, HARD_CODES, kindOfCode, SOFT_CODES } from './bounce-kind.ts';

const HARD = [
  '550 5.1.1 <x> user unknown',
  '550-5.1.1 The email account that you tried to reach does not exist',
  '553 5.1.2 no such domain',
  '501 5.1.3 bad address',
  '550 5.1.0 address rejected',
  '551 5.1.6 moved away',
  '556 5.1.10 the domain takes no mail',
  '550 5.2.1 mailbox disabled',
  '550 no such user',
  '550',
];
const SOFT = [
  '450 4.1.1 try again later',
  '451 try again',
  '552 5.2.2 mailbox full',
  '550 5.2.2 mailbox full',
  '550 5.1.5 destination valid',
  '550 5.1.7 bad sender',
  '550 5.1.8 sender domain unknown',
  '550 5.4.1 no answer from host',
  '550 5.7.1 looks like spam, see 5.1.1',
  '550 5.7.26 unauthenticated mail',
  '554 transaction failed',
  '554 5.3.0 system error',
  '552 too large',
];

const kindOf = (reply: string) => bounceKind(Number(reply.slice(0, 3)), reply);

test('what a peer says of an address is told from what it says of a message, a moment or a sender', () => {
  for (const reply of HARD) assert.equal(kindOf(reply), 'hard', reply);
  for (const reply of SOFT) assert.equal(kindOf(reply), 'soft', reply);
  assert.equal(bounceKind(null, null), 'soft');
  assert.equal(bounceKind(null, 'suppressed: 550 5.1.1'), 'soft');
});

const rowsOf = (codes: ReadonlyMap<string, string>, kind: string) =>
  [...codes].map(([code, says]) => [code, kind, says]);

test('docs/bounces.md has the table of codes that decides, and every code in it is judged as it says', () => {
  const page = readFileSync(join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'bounces.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `([\dx.]+)` \| (hard|soft) \| (.+) \|$/gm)].map(([, ...cells]) => cells);
  assert.deepEqual(rows, [...rowsOf(HARD_CODES, 'hard'), ...rowsOf(SOFT_CODES, 'soft')]);
  for (const [code = '', kind] of rows) assert.equal(kindOfCode(code.replaceAll('x', '7')), kind, code);
});
