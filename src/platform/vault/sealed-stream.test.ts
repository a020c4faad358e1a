import assert from 'node:assert/strict';
import { randomBytes, randomInt, webcrypto } from 'node:crypto';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { SealBroken } from './seal-broken.ts';
import { openRange, openStream, plainSizeOf, sealStream } from './sealed-stream.ts';

const CHUNK = 16_384;
const SEALED_CHUNK = CHUNK + 16;
const HEADER = 56;
const KEY = randomBytes(32);
const CONTEXT = 'tenant-1/file-1';

const edgeSizes = [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK - 1, 2 * CHUNK, 2 * CHUNK + 1, 3 * CHUNK];
const anySize = fc.oneof(fc.constantFrom(...edgeSizes), fc.nat(4 * CHUNK));
const anyCuts = fc.oneof(fc.array(fc.nat(2 * CHUNK), { maxLength: 12 }), fc.array(fc.nat(40), { maxLength: 50 }));

/** A source that gives the bytes in the given lengths, the rest in one, always in the same memory. */
async function* inPieces(bytes: Uint8Array, lengths: number[] = []): AsyncGenerator<Uint8Array> {
  const memory = Buffer.alloc(bytes.length);
  let offset = 0;
  for (const length of [...lengths, bytes.length]) {
    const piece = memory.subarray(0, Math.min(length, bytes.length - offset));
    piece.set(bytes.subarray(offset, offset + piece.length));
    offset += piece.length;
    yield piece;
    memory.fill(0);
  }
}

async function* failing(): AsyncGenerator<Uint8Array> {
  yield randomBytes(CHUNK);
  throw new Error('cable cut');
}

async function collect(source: AsyncIterable<Uint8Array>, into: Uint8Array[] = []): Promise<Buffer> {
  for await (const piece of source) into.push(piece);
  return Buffer.concat(into);
}

const sealedSizeOf = (size: number) => HEADER + size + (Math.floor(size / CHUNK) + 1) * 16;
const seal = (plain: Uint8Array, cuts?: number[]) => collect(sealStream(KEY, CONTEXT, inPieces(plain, cuts)));
const open = (sealed: Uint8Array, cuts?: number[]) => collect(openStream(KEY, CONTEXT, inPieces(sealed, cuts)));
const chunkOf = (sealed: Buffer, number: number) =>
  sealed.subarray(HEADER + number * SEALED_CHUNK, HEADER + (number + 1) * SEALED_CHUNK);

async function assertRefused(sealed: Uint8Array, why: string): Promise<void> {
  await assert.rejects(open(sealed), SealBroken, why);
}

test('what was sealed opens to the same bytes, however both streams are cut', async () => {
  await fc.assert(
    fc.asyncProperty(anySize, anyCuts, anyCuts, async (size, cuts, sealedCuts) => {
      const plain = randomBytes(size);
      const sealed = await seal(plain, cuts);
      assert.equal(sealed.length, sealedSizeOf(size));
      assert.equal(plainSizeOf(sealed.length), size);
      assert.ok((await open(sealed, sealedCuts)).equals(plain));
    }),
    { numRuns: 300 },
  );
});

test('a file sealed by another implementation of the format opens', async () => {
  // Made with pyca/cryptography: HKDFExpand and AESGCM, as c2sp.org/chunked-encryption has it.
  const sealed = Buffer.from(
    '6465666768696a6b6c6d6e6f707172737475767778797a7bf7d25477738b1ea09029d36fa37560fe46413b09e96eb4782c007f322571649f' +
      'fe4cd7c21c7b9b051b491d00d922c393bedd1a5c4dc3861fede3c905abf579027e1447de1e9d',
    'hex',
  );
  const key = Uint8Array.from({ length: 32 }, (_, index) => index);
  const opened = await collect(openStream(key, 'tenant-1/file-2 é', inPieces(sealed)));
  assert.equal(opened.toString(), 'sealed by another hand');
});

test('the chunk number is counted across bytes of the nonce as the format says', async () => {
  const plain = randomBytes(257 * CHUNK + 5);
  const sealed = await seal(plain);
  const hmac = { name: 'HMAC', hash: 'SHA-512' };
  const prk = await webcrypto.subtle.importKey('raw', KEY, hmac, false, ['sign']);
  const label = 'c2sp.org/chunked-encryption@v1+AEAD_AES_256_GCM\0';
  const info = [Buffer.from(label), sealed.subarray(0, 24), Buffer.from(CONTEXT)];
  const okm = Buffer.from(await webcrypto.subtle.sign(hmac, prk, Buffer.concat([...info, Buffer.of(1)])));
  const aes = await webcrypto.subtle.importKey('raw', okm.subarray(0, 32), 'AES-GCM', false, ['decrypt']);
  for (const number of [0, 1, 255, 256, 257]) {
    const counted = BigInt(`0x${okm.toString('hex', 32, 44)}`) ^ BigInt(number);
    const iv = Buffer.from(counted.toString(16).padStart(24, '0'), 'hex');
    const chunk = new Uint8Array(chunkOf(sealed, number));
    const opened = Buffer.from(await webcrypto.subtle.decrypt({ name: 'AES-GCM', iv }, aes, chunk));
    assert.ok(opened.equals(plain.subarray(number * CHUNK, (number + 1) * CHUNK)), `chunk ${number}`);
  }
});

test('a file cut short at any chunk edge, or a byte beside it, is refused', async () => {
  for (const size of [0, 1, CHUNK, 3 * CHUNK, 3 * CHUNK + 100]) {
    const sealed = await seal(randomBytes(size));
    const edges = [0, 24, HEADER, HEADER + 16, sealed.length];
    for (let edge = HEADER; edge <= sealed.length; edge += SEALED_CHUNK)
      edges.push(edge, edge + 16, edge + SEALED_CHUNK);
    for (const length of edges.flatMap((edge) => [edge - 1, edge, edge + 1])) {
      if (length >= 0 && length < sealed.length)
        await assertRefused(sealed.subarray(0, length), `${size} at ${length}`);
    }
  }
});

test('chunks moved, doubled, left out, added or taken from another file are refused', async () => {
  const sealed = await seal(randomBytes(3 * CHUNK + 100));
  const header = sealed.subarray(0, HEADER);
  const [a, b, c, end] = [chunkOf(sealed, 0), chunkOf(sealed, 1), chunkOf(sealed, 2), chunkOf(sealed, 3)];
  const other = await seal(randomBytes(3 * CHUNK + 100));
  assert.ok(await open(Buffer.concat([header, a, b, c, end])));
  const mixed: Record<string, Buffer[]> = {
    reordered: [header, b, a, c, end],
    doubled: [header, a, b, b, c, end],
    'left out': [header, a, c, end],
    'last first': [header, end],
    'more after the end': [header, a, b, c, end, end],
    'a byte after the end': [header, a, b, c, end, Buffer.of(0)],
    'chunk of another file': [header, a, chunkOf(other, 1), c, end],
    'end of another file': [header, a, b, c, chunkOf(other, 3)],
    'header of another file': [other.subarray(0, HEADER), a, b, c, end],
    'salt of another file': [other.subarray(0, 24), sealed.subarray(24, HEADER), a, b, c, end],
  };
  for (const [name, parts] of Object.entries(mixed)) await assertRefused(Buffer.concat(parts), name);
});

test('any changed byte is refused', async () => {
  const sealed = await seal(randomBytes(2 * CHUNK + 100));
  for (let run = 0; run < 2_000; run++) {
    const at = run < HEADER ? run : randomInt(sealed.length);
    const altered = Buffer.from(sealed);
    altered.writeUInt8(altered.readUInt8(at) ^ randomInt(1, 256), at);
    await assertRefused(altered, `byte ${at}`);
  }
});

test('another key or context does not open a file', async () => {
  const sealed = await seal(randomBytes(100));
  await assert.rejects(collect(openStream(randomBytes(32), CONTEXT, inPieces(sealed))), SealBroken);
  await assert.rejects(collect(openStream(KEY, 'tenant-2/file-1', inPieces(sealed))), SealBroken);
  await assert.rejects(collect(openStream(randomBytes(31), CONTEXT, inPieces(sealed))), RangeError);
});

test('no byte of a chunk comes out before the chunk is verified', async () => {
  const plain = randomBytes(3 * CHUNK + 100);
  const sealed = await seal(plain);
  for (const number of [0, 1, 2, 3]) {
    const altered = Buffer.from(sealed);
    const last = Math.min(HEADER + (number + 1) * SEALED_CHUNK, sealed.length) - 1;
    altered.writeUInt8(altered.readUInt8(last) ^ 1, last);
    const emitted: Uint8Array[] = [];
    const cuts = Array<number>(4_000).fill(13);
    await assert.rejects(collect(openStream(KEY, CONTEXT, inPieces(altered, cuts)), emitted), SealBroken);
    assert.ok(Buffer.concat(emitted).equals(plain.subarray(0, number * CHUNK)), `chunk ${number}`);
  }
});

const readFrom = (sealed: Buffer, asked: [number, number][] = []) =>
  function readSealed(start: number, end: number): AsyncIterable<Uint8Array> {
    asked.push([start, end]);
    return inPieces(sealed.subarray(start, end), [7, 5_000]);
  };

test('a range is the same as a slice and reads only the header and the chunks it lies in', async () => {
  const anyRange = anySize.chain((size) => fc.tuple(fc.constant(size), fc.nat(size), fc.nat(size)));
  await fc.assert(
    fc.asyncProperty(anyRange, async ([size, one, two]) => {
      const [start, end] = one < two ? [one, two] : [two, one];
      const plain = randomBytes(size);
      const sealed = await seal(plain);
      const asked: [number, number][] = [];
      const opened = await collect(openRange(KEY, CONTEXT, sealed.length, readFrom(sealed, asked), { start, end }));
      assert.ok(opened.equals(plain.subarray(start, end)));
      const first = HEADER + Math.floor(start / CHUNK) * SEALED_CHUNK;
      const last = Math.min(HEADER + Math.ceil(end / CHUNK) * SEALED_CHUNK, sealed.length);
      assert.deepEqual(asked.flat(), start === end ? [] : [0, HEADER, first, last]);
    }),
    { numRuns: 300 },
  );
});

test('a range of an altered, shortened or foreign file is refused', async () => {
  const size = 2 * CHUNK + 100;
  const sealed = await seal(randomBytes(size));
  const altered = Buffer.from(sealed);
  altered.writeUInt8(altered.readUInt8(HEADER + SEALED_CHUNK) ^ 1, HEADER + SEALED_CHUNK);
  const range = { start: CHUNK + 10, end: size };
  const refuse = async (key: Buffer, context: string, sealedSize: number, held: Buffer, why: string) =>
    assert.rejects(collect(openRange(key, context, sealedSize, readFrom(held), range)), SealBroken, why);
  await refuse(KEY, CONTEXT, sealed.length, altered, 'altered');
  await refuse(randomBytes(32), CONTEXT, sealed.length, sealed, 'another key');
  await refuse(KEY, 'tenant-2/file-1', sealed.length, sealed, 'another context');
  await refuse(KEY, CONTEXT, sealed.length, sealed.subarray(0, -1), 'shorter than it says');
  await refuse(KEY, CONTEXT, sealed.length, sealed.subarray(0, HEADER + SEALED_CHUNK), 'cut at an edge');
  await refuse(KEY, CONTEXT, sealed.length, sealed.subarray(0, 20), 'cut in the header');
  await refuse(KEY, CONTEXT, sealed.length - 1, sealed, 'the range ends after the file');
  await refuse(KEY, CONTEXT, HEADER + 3 * SEALED_CHUNK, sealed, 'a size that no file has');
  const beyond = openRange(KEY, CONTEXT, sealed.length + 50, readFrom(sealed), { start: CHUNK, end: size + 50 });
  await assert.rejects(collect(beyond), SealBroken, 'a size larger than the file');
  const backwards = openRange(KEY, CONTEXT, sealed.length, readFrom(sealed), { start: 2, end: 1 });
  await assert.rejects(collect(backwards), RangeError);
  const uncounted = { start: 2 ** 32 * CHUNK, end: 2 ** 32 * CHUNK + 1 };
  const readSame = (start: number) => inPieces(start === 0 ? sealed.subarray(0, HEADER) : chunkOf(sealed, 0));
  await assert.rejects(collect(openRange(KEY, CONTEXT, sealedSizeOf(2 ** 47), readSame, uncounted)), RangeError);
});

test('a stream holds no more than a chunk, and ends with its source', async () => {
  let pulled = 0;
  let closed = 0;
  async function* source(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) yield randomBytes(++pulled && CHUNK);
    } finally {
      closed++;
    }
  }
  const opened = openStream(KEY, CONTEXT, sealStream(KEY, CONTEXT, source()));
  for (let taken = 1; taken <= 10; taken++) {
    await opened.next();
    assert.ok(pulled <= taken + 1, `${pulled} pulled for ${taken}`);
  }
  await opened.return(undefined);
  assert.equal(closed, 1);
  await assert.rejects(collect(sealStream(KEY, CONTEXT, failing())), { message: 'cable cut' });
});
