import assert from 'node:assert/strict';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { from, openDiskWire, openS3Wire } from './wires.ts';

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

/** Passes bytes on, and looks every 4 MB how much memory has come to be in use since. */
async function* weighed(source: AsyncIterable<Uint8Array>, hash: ReturnType<typeof createHash>, growth: number[]) {
  const atFirst = memoryInUse();
  let total = 0;
  for await (const bytes of source) {
    if (Math.floor(total / (4 * MB)) < Math.floor((total += bytes.length) / (4 * MB))) {
      growth.push(memoryInUse() - atFirst);
    }
    hash.update(bytes);
    yield bytes;
  }
}

async function* randomSource(): AsyncGenerator<Uint8Array> {
  for (let made = 0; made < TOTAL; made += PIECE) yield randomBytes(PIECE);
}

const kinds = [
  { kind: 'a folder', openWire: openDiskWire, whileWriting: 8 * MB },
  // Parts of 5 MB are sent two at a time while the next one fills, and the server is in this process as well.
  { kind: 'an S3 bucket', openWire: openS3Wire, whileWriting: 48 * MB },
];

for (const { kind, openWire, whileWriting } of kinds) {
  test(`64 MB go into ${kind} and out again without being held in memory`, async () => {
    const { store, stop } = await openWire();
    await store.write(randomUUID(), from(randomBytes(6 * MB)));
    const id = randomUUID();
    const [written, read] = [createHash('sha256'), createHash('sha256')];
    const [writing, reading]: [number[], number[]] = [[], []];
    await store.write(id, weighed(randomSource(), written, writing));
    for await (const bytes of weighed(store.read(id), read, reading)) assert.ok(bytes.length <= MB);
    console.log(
      kind,
      writing.map((x) => (x / MB).toFixed(1)).join(' '),
      '|',
      reading.map((x) => (x / MB).toFixed(1)).join(' '),
    );
    assert.equal(read.digest('hex'), written.digest('hex'));
    assert.equal(writing.length, 16);
    assert.ok(Math.max(...writing) < whileWriting, `${Math.max(...writing)} bytes held while writing`);
    assert.ok(Math.max(...reading) < 8 * MB, `${Math.max(...reading)} bytes held while reading`);
    await stop();
  });
}
