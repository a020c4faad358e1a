import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inflateRawSync } from 'node:zlib';
import { each, whole } from './form.examples.ts';
import { writeZip } from './zip.ts';

const ENTRIES = Array.from({ length: 5 }, (_, at) => ({
  name: `folder/${at}-ä.txt`,
  content: [Buffer.from(`content ${at}`.repeat(100))],
}));
const LARGE_END = 0x06064b50;

/** The names and contents of an archive, found by the numbers of ZIP64 alone. */
function readLarge(zip: Buffer): [string, string][] {
  const locator = zip.length - 22 - 20;
  assert.equal(zip.readUInt32LE(locator), 0x07064b50);
  const end = Number(zip.readBigUInt64LE(locator + 8));
  assert.equal(zip.readUInt32LE(end), LARGE_END);
  assert.deepEqual([zip.readUInt16LE(zip.length - 12), zip.readUInt32LE(zip.length - 6)], [0xffff, 0xffffffff]);
  let at = Number(zip.readBigUInt64LE(end + 48));
  const count = Number(zip.readBigUInt64LE(end + 32));
  return Array.from({ length: count }, () => {
    const nameLength = zip.readUInt16LE(at + 28);
    const extraLength = zip.readUInt16LE(at + 30);
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength);
    const far = zip.readUInt32LE(at + 42) === 0xffffffff;
    const local = far ? Number(zip.readBigUInt64LE(at + 46 + nameLength + 4)) : zip.readUInt32LE(at + 42);
    assert.equal(zip.readUInt16LE(at + 6), far ? 45 : 20);
    const start = local + 30 + zip.readUInt16LE(local + 26);
    const content = inflateRawSync(zip.subarray(start, start + zip.readUInt32LE(at + 20))).toString();
    at += 46 + nameLength + extraLength;
    return [name, content];
  });
}

const expected = ENTRIES.map(({ name, content }) => [name, String(content[0])]);

test('an archive with too many entries or too many bytes for 32 bits is told by ZIP64', async () => {
  const many = await whole(writeZip(each(ENTRIES), { mostBytes: 0xffffffff, mostEntries: 4 }));
  assert.deepEqual(readLarge(many), expected);
  const large = await whole(writeZip(each(ENTRIES), { mostBytes: 150, mostEntries: 0xffff }));
  assert.deepEqual(readLarge(large), expected);
});

test('an archive of thousands of files names them all', async () => {
  for (const count of [999, 1_000, 1_001, 2_500]) {
    const files = Array.from({ length: count }, (_, at) => ({ name: `${at}.txt`, content: [Buffer.from(String(at))] }));
    const read = readLarge(await whole(writeZip(each(files), { mostBytes: 0xffffffff, mostEntries: 4 })));
    assert.deepEqual(
      read,
      files.map(({ name, content }) => [name, String(content[0])]),
    );
  }
});

test('any other has none of it', async () => {
  const plain = await whole(writeZip(each(ENTRIES)));
  const mark = Buffer.alloc(4);
  mark.writeUInt32LE(LARGE_END);
  assert.equal(plain.includes(mark), false);
});
