import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { decodeWords } from 'postal-mime';
import { canBeLines, givenHeaderLine } from './header-lines.ts';

function word(text: string): string {
  return `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`;
}

function unfolded(line: string): string {
  return line.replaceAll('\r\n', '');
}

test('of a header with ids or addresses, only the words around them are encoded', () => {
  for (const [name, given, leaves] of [
    ['List-Id', 'Café News <news.clinic.example>', `${word('Café News')} <news.clinic.example>`],
    ['List-Id', '=?UTF-8?Q?Caf=C3=A9_News?= <news.clinic.example>', null],
    ['List-Unsubscribe', '<https://klinik.example/abmelden/für>', '<https://klinik.example/abmelden/f%C3%BCr>'],
    [
      'list-unsubscribe',
      '<mailto:off@klinik.example>, <https://klinik.example/für dich?a=1&b=%20>',
      '<mailto:off@klinik.example>, <https://klinik.example/f%C3%BCr%20dich?a=1&b=%20>',
    ],
    [
      'List-Help',
      '<https://klinik.example/> (Hilfe für alle)',
      `<https://klinik.example/> ${word('(Hilfe für alle)')}`,
    ],
    ['References', '<a@b.test>\t<c@d.test>', '<a@b.test> <c@d.test>'],
    ['In-Reply-To', ' <a@b.test> ', '<a@b.test>'],
  ] as const) {
    assert.equal(unfolded(givenHeaderLine(name, given)), `${name}: ${leaves ?? given}`);
  }
});

test('a header of free text is encoded as a whole, whatever brackets it has', () => {
  assert.equal(givenHeaderLine('X-Note', 'für <a@b.test>'), `X-Note: ${word('für <a@b.test>')}\r\n`);
});

function url(umlauts: number): string {
  return `<https://klinik.example/${'ü'.repeat(umlauts)}>`;
}

test('an address counts for the length of a line as it leaves', () => {
  assert.equal(canBeLines('List-Unsubscribe', url(159)), true);
  assert.equal(canBeLines('List-Unsubscribe', url(160)), false);
});

const STRUCTURED = fc.constantFrom('List-Id', 'List-Unsubscribe', 'References', 'In-Reply-To');
const SCRAPS = ['<', '>', '<', '>', 'a', 'x@y', ':', '"', ' ', '  ', '\t', '\u0001', 'é', '漢', '😀'];
const scrap = fc.constantFrom(...SCRAPS);
const structured = fc.array(scrap, { maxLength: 24 }).map((scraps) => scraps.join(''));

function brackets(text: string): string[] {
  return text.match(/<[^>]*>/g) ?? [];
}

function around(text: string): string {
  return text.replace(/<[^>]*(?:>|$)/g, '').replace(/\s/g, '');
}

test('what stands in angle brackets leaves as it is, what is no printable ASCII there in percents, and the rest can be read again', () => {
  fc.assert(
    fc.property(STRUCTURED, structured, (name, value) => {
      const line = givenHeaderLine(name, value);
      assert.match(line, /^[ -~]*(?:\r\n [ -~]*)*\r\n$/);
      const left = unfolded(line).slice(`${name}: `.length);
      const [given, found] = [brackets(value.replaceAll('\t', ' ')), brackets(left)];
      assert.deepEqual(found.map(decodeURIComponent), given);
      for (const [at, bracket] of given.entries()) if (/^[!-~]*$/.test(bracket)) assert.equal(found[at], bracket);
      assert.equal(around(decodeWords(left)), around(value));
    }),
    { numRuns: 2_000 },
  );
});
