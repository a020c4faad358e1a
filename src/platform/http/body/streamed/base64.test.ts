import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { AppError } from '../../../errors.ts';
import { createBase64Decoder } from './base64.ts';

const refusal = (error: unknown) =>
  error instanceof AppError && error.code === 'invalid_request' && error.message === 'content: is not base64';

function decode(pieces: Uint8Array[]): { bytes: Buffer; mediaType: string | null } {
  const decoder = createBase64Decoder();
  const out = pieces.map((piece) => decoder.write(piece));
  out.push(decoder.end());
  return { bytes: Buffer.concat(out), mediaType: decoder.mediaType };
}

function cut(bytes: Buffer, places: number[]): Buffer[] {
  const edges = [0, ...places.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  return edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge));
}

const single = (text: string) => [...Buffer.from(text, 'latin1')].map((byte) => Buffer.of(byte));
const decodeText = (text: string) => decode([Buffer.from(text, 'latin1')]).bytes;

/** RFC 4648 4 in the plainest words. */
function model(text: string): Buffer | null {
  const bare = text.replace(/[\r\n]/g, '');
  const padded = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
  const unpadded = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2,3})?$/;
  return padded.test(bare) || unpadded.test(bare) ? Buffer.from(bare, 'base64') : null;
}

const spellings = fc.constantFrom<(text: string) => string>(
  (text) => text,
  (text) => text.replace(/=+$/, ''),
  (text) => text.replace(/.{76}/g, '$&\r\n'),
  (text) => text.replace(/.{3}/g, '$&\n'),
  (text) => `\r\n${text.replace(/=/g, '\n=')}\r\n`,
  (text) => `data:;base64,${text}`,
);

test('what was encoded comes back, however it is spelled and in whatever pieces it arrives', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 400 }),
      spellings,
      fc.array(fc.nat(), { maxLength: 8 }),
      (bytes, spell, places) => {
        const text = spell(Buffer.from(bytes).toString('base64'));
        assert.deepEqual(decode(cut(Buffer.from(text), places)).bytes, Buffer.from(bytes));
        assert.deepEqual(decode(single(text)).bytes, Buffer.from(bytes));
      },
    ),
    { numRuns: 500 },
  );
});

test('text of any kind is read as the plainest reader would read it, or refused', () => {
  const unit = fc.constantFrom(...'AAAQw9+/zz====\r\n -_.:,é\0'.split(''));
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 14 }), fc.array(fc.nat(), { maxLength: 5 }), (text, places) => {
      const expected = model(text);
      const pieces = cut(Buffer.from(text, 'latin1'), places);
      if (expected === null) assert.throws(() => decode(pieces), refusal);
      else assert.deepEqual(decode(pieces).bytes, expected);
    }),
    { numRuns: 3_000 },
  );
});

test('each byte that is not of the alphabet is refused, wherever it stands', () => {
  for (let byte = 0; byte < 256; byte += 1) {
    const character = String.fromCharCode(byte);
    if (/[A-Za-z0-9+/\r\n]/.test(character)) continue;
    for (const place of [0, 1, 2, 3, 4, 63, 64, 65, 66, 67, 100]) {
      const text = `${'QUJD'.repeat(30).slice(0, place)}${character}${'QUJD'.repeat(30).slice(place)}`;
      assert.throws(() => decodeText(text), refusal, `byte ${byte} at ${place}`);
      assert.throws(() => decodeText(`QUJD\n${text}`), refusal, `byte ${byte} at ${place} among lines`);
      if (place < 64) assert.throws(() => decode(single(text.slice(0, 68))), refusal);
    }
  }
});

test('padding that is in the middle, doubled, or too much or too little is refused', () => {
  for (const text of ['=', '==', 'A', 'A=', 'A==', 'A===', 'AA=', 'AA===', 'AAA==', 'AAAA=', 'AAAA==', 'AAAAA']) {
    assert.throws(() => decodeText(text), refusal, text);
    assert.throws(() => decode(single(text)), refusal, text);
  }
  for (const text of ['AA==AAAA', 'AA==AA==', 'AAA=A', 'AA=A', 'AA=\n=A', 'QUJD=QUJ']) {
    assert.throws(() => decodeText(text), refusal, text);
    assert.throws(() => decode(single(text)), refusal, text);
  }
  assert.equal(decodeText('').length, 0);
  assert.deepEqual(decodeText('AB=='), Buffer.of(0)); // spare bits are no matter
});

test('the beginning of a data URL is taken off and tells the media type', () => {
  for (const [prefix, type] of [
    ['data:image/png;base64,', 'image/png'],
    ['DATA:Image/SVG+xml;charset=utf-8;BASE64,', 'image/svg+xml'],
    ['data:;base64,', null],
    [`data:text/plain;name=${'x'.repeat(171)};base64,`, 'text/plain'],
  ] as const) {
    for (const pieces of [[Buffer.from(`${prefix}QUJD`)], single(`${prefix}QUJD`)]) {
      assert.deepEqual(decode(pieces), { bytes: Buffer.from('ABC'), mediaType: type });
    }
  }
  for (const text of [
    'data:image/png,QUJD',
    'data:image/png;base64QUJD',
    'data:<script>;base64,QUJD',
    'data:',
    'QUJDdata:;base64,QUJD',
    'data:;base64,data:;base64,QUJD',
    `data:text/plain;name=${'x'.repeat(172)};base64,QUJD`,
    `data:${'x'.repeat(500)}`,
  ]) {
    assert.throws(() => decodeText(text), refusal, text);
    assert.throws(() => decode(single(text)), refusal, text);
  }
  const endless = createBase64Decoder();
  assert.throws(() => {
    for (let written = 0; written <= 200; written += 10)
      endless.write(Buffer.from(written === 0 ? 'data:image' : '/'.repeat(10)));
  }, refusal);
  assert.deepEqual(decodeText('data'), Buffer.from('data', 'base64'));
  assert.deepEqual(decode(single('dat')).bytes, Buffer.from('dat', 'base64'));
});
