import assert from 'node:assert/strict';
import { createHash, type Hash, randomBytes, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openDiskWire, openS3Wire } from './wires.ts';

const MB = 1024 * 1024;
const PIECE = 64 * 1024;
const TOTAL = 64 * MB;

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

function memoryInUse(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Passes bytes on, and looks every 4 MB how much memory is in use. */
async function* weighed(source: AsyncIterable<Uint8Array>, hash: Hash, weights: number[]) {
  let total = 0;
  for await (const bytes of source) {
    if (Math.floor(total / (4 * MB)) < Math.floor((total += bytes.length) / (4 * MB))) {
      weights.push(memoryInUse());
    }
    hash.update(bytes);
    yield bytes;
  }
}

async function* randomSource(): AsyncGenerator<Uint8Array> {
  for (let made = 0; made < TOTAL; made += PIECE) yield randomBytes(PIECE);
}

const kinds = [
  { kind: 'a folder', openWire: openDiskWire, whileWriting: 16 * MB },
  // A part has 5 MB, and the server is in this process as well.
  { kind: 'an S3 bucket', openWire: openS3Wire, whileWriting: 48 * MB },
];

for (const { kind, openWire, whileWriting } of kinds) {
  test(`64 MB go into ${kind} and out again without being held in memory`, async (t) => {
    const { store, stop } = await openWire();
    t.after(stop);
    const id = randomUUID();
    const [written, read] = [createHash('sha256'), createHash('sha256')];
    const [writing, reading]: [number[], number[]] = [[], []];
    const atFirst = memoryInUse();
    await store.write(id, weighed(randomSource(), written, writing));
    for await (const bytes of weighed(store.read(id), read, reading)) assert.ok(bytes.length <= MB);
    assert.equal(read.digest('hex'), written.digest('hex'));
    assert.equal(writing.length, 16);
    const heldWriting = Math.max(...writing) - atFirst;
    const heldReading = Math.max(...reading) - atFirst;
    assert.ok(heldWriting < whileWriting, `${heldWriting} bytes held while writing`);
    assert.ok(heldReading < 24 * MB, `${heldReading} bytes held while reading`);
  });
}
