import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { png } from './form.examples.ts';
import { readImage } from './signature-image.ts';

test('a PNG that is whole is taken, also an interlaced one', async () => {
  assert.notEqual(await readImage(png(3, 2)), null);
  // The passes of 3 x 2 that are not empty: the first, the fourth, the sixth and the seventh.
  const passes = [1, 1, 1, 3].map((pixels) => Buffer.alloc(1 + pixels * 4));
  assert.notEqual(await readImage(png(3, 2, Buffer.concat(passes), [8, 6, 0, 0, 1])), null);
});

test('a PNG that lies about itself is refused', async () => {
  const good = png(3, 2);
  const refused = {
    'too few pixels': png(3, 2, Buffer.alloc(25)),
    'too many pixels': png(3, 2, Buffer.alloc(27)),
    'a bomb': png(3, 2, Buffer.alloc(10_000_000)),
    'too large': png(100_000, 100_000, Buffer.alloc(1)),
    'no width': png(0, 2, Buffer.alloc(2)),
    'a filter that does not exist': png(3, 2, Buffer.alloc(26, 9)),
    'a colour type that does not exist': png(3, 2, Buffer.alloc(26), [8, 5, 0, 0, 0]),
    'a depth that does not exist': png(3, 2, Buffer.alloc(26), [7, 6, 0, 0, 0]),
    'no palette': png(3, 2, Buffer.alloc(8), [8, 3, 0, 0, 0]),
    'no end': good.subarray(0, -12),
    'nothing after the mark': good.subarray(0, 8),
    'no image at all': Buffer.from('GIF89a'),
    nothing: Buffer.alloc(0),
  };
  for (const [what, bytes] of Object.entries(refused)) assert.equal(await readImage(bytes), null, what);
});

function frame(kind: number, colours: number): Buffer {
  const head = [0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0];
  return Buffer.from([...head, 0xff, kind, 0, 11, 8, 0, 2, 0, 3, colours, 0, 0, 0, 0xff, 0xd9]);
}

test('a JPEG needs a frame that can be shown', async () => {
  assert.notEqual(await readImage(frame(0xc0, 3)), null);
  assert.notEqual(await readImage(frame(0xc2, 1)), null);
  assert.equal(await readImage(frame(0xc0, 2)), null);
  assert.equal(await readImage(frame(0xc3, 3)), null);
  assert.equal(await readImage(frame(0xc0, 3).subarray(0, 12)), null);
});

test('any damage is met with an answer, not a failure', async () => {
  const good = png(3, 2);
  await fc.assert(
    fc.asyncProperty(fc.nat(good.length - 1), fc.nat(255), fc.nat(good.length), async (at, value, length) => {
      const bytes = Buffer.from(good);
      bytes[at] = value;
      await readImage(bytes.subarray(0, length));
      await readImage(bytes);
    }),
    { numRuns: 1_000 },
  );
});
