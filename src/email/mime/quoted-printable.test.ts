import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { encodePiece } from './quoted-printable.ts';

/** Reads quoted-printable as RFC 2045 6.7 says. */
function decode(encoded: string): string {
  const bytes = encoded
    .replaceAll('=\r\n', '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}

const letters = ['a', 'é', '😀', '\n', '\r\n', '\r', ' ', '\t', '.', '=', '\0', '\x7f', 'x'.repeat(73), 'y'.repeat(76)];
const anyText = fc.array(fc.constantFrom(...letters), { maxLength: 12 }).map((parts) => parts.join(''));

test('what is written can be read again, and keeps to the rules for lines', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const encoded = encodePiece(text);
      assert.equal(decode(encoded), text.replace(/\r\n|\r|\n/g, '\r\n'));
      if (text !== '') assert.match(encoded, /^(?:(?!\.)[\t -~]{0,76}(?<![\t ])\r\n)+$/);
    }),
    { numRuns: 2_000 },
  );
});

const line = (length: number) => 'x'.repeat(length);

test('a line has at most 76 characters', () => {
  assert.equal(encodePiece(`${line(76)}\nb`), `${line(76)}\r\nb=\r\n`);
  assert.equal(encodePiece(`${line(77)}\nb`), `${line(75)}=\r\nxx\r\nb=\r\n`);
  assert.equal(encodePiece(line(75)), `${line(75)}=\r\n`);
  assert.equal(encodePiece(line(76)), `${line(75)}=\r\nx=\r\n`);
  assert.equal(encodePiece(`${line(73)}é`), `${line(73)}=\r\n=C3=A9=\r\n`);
});

test('millions of lines are written in no time', () => {
  // A microsecond or more for each line, and as much for what is left of it, would be half a minute.
  const begun = performance.now();
  const text = 'é\n'.repeat(12 * 2 ** 20);
  assert.equal(encodePiece(text).length, 8 * 12 * 2 ** 20);
  assert.ok(performance.now() - begun < 10_000);
});
