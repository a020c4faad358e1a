import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { DataReader } from './data-reader.ts';
import { Room } from './room.ts';

const ROOM = 2 ** 20;

/** Reads bytes that come in these pieces; answers what is left after the end, or null where it has not come. */
function readIn(pieces: Buffer[], reader: DataReader): Buffer | null {
  for (const [index, piece] of pieces.entries()) {
    const end = reader.read(piece, 0);
    if (end !== -1) return Buffer.concat([piece.subarray(end), ...pieces.slice(index + 1)]);
  }
  return null;
}

function cut(bytes: Buffer, places: number[]): Buffer[] {
  const edges = [0, ...places.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  return edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge));
}

function collected({ pieces }: DataReader): Buffer {
  return Buffer.concat(pieces);
}

/** What RFC 5321 says in the plainest words, for bytes that end with the terminator. */
function model(data: string): { fault: 'bare' | 'long' | null; text: string } {
  const lines = data.slice(0, -2).split('\r\n').slice(0, -1);
  if (lines.some((line) => /[\r\n\0]/.test(line))) return { fault: 'bare', text: '' };
  const plain = lines.map((line) => line.replace(/^\./, ''));
  if (plain.some((line) => line.length > 998)) return { fault: 'long', text: '' };
  return { fault: null, text: plain.map((line) => `${line}\r\n`).join('') };
}

const scraps = fc.array(
  fc.oneof(
    fc.constantFrom('\r\n', '\n', '\r', '.', '..', '\0', '--', 'a', '\r\n.', '.\r', 'x'.repeat(997), 'y'.repeat(998)),
    fc.string({ maxLength: 5, unit: 'binary-ascii' }),
  ),
  { maxLength: 30 },
);

test('whatever comes, in whatever pieces, it is read as the plainest reader would read it', () => {
  fc.assert(
    fc.property(scraps, fc.array(fc.nat(), { maxLength: 20 }), (words, places) => {
      const data = `${words.join('')}\r\n.\r\n`;
      const end = data.startsWith('.\r\n') ? 3 : data.indexOf('\r\n.\r\n') + 5;
      const reader = new DataReader(ROOM, new Room(ROOM));
      const rest = readIn(cut(Buffer.from(`${data}QUIT\r\n`, 'latin1'), places), reader);
      assert.equal(rest?.toString('latin1'), `${data.slice(end)}QUIT\r\n`);
      const { fault, text } = model(data.slice(0, end));
      assert.equal(reader.fault, fault);
      if (fault === null) assert.equal(collected(reader).toString('latin1'), text);
    }),
    { numRuns: 2_000 },
  );
});

test('a message split at each place in turn is the same message', () => {
  const wire = Buffer.from('a\r\n..b\r\n.c\r\n--d\r\n...\r\n\r\n.\r\n');
  for (let place = 0; place <= wire.length; place += 1) {
    const reader = new DataReader(ROOM, new Room(ROOM));
    assert.equal(readIn(cut(wire, [place]), reader)?.length, 0);
    assert.equal(collected(reader).toString(), 'a\r\n.b\r\nc\r\n--d\r\n..\r\n\r\n', `split at ${place}`);
    assert.equal(reader.fault, null);
  }
});

test('the limit counts octets without the dots of transparency, and what is over it is still read to its end', () => {
  const body = '..345678\r\n'.repeat(10); // 90 octets
  for (const [limit, fault] of [
    [90, null],
    [89, 'size'],
  ] as const) {
    const room = new Room(ROOM);
    const reader = new DataReader(limit, room);
    assert.equal(readIn([Buffer.from(`${body}.\r\nNOOP`)], reader)?.toString(), 'NOOP');
    assert.equal(reader.fault, fault);
    reader.release();
    assert.ok(room.take(ROOM), 'all memory was given back');
  }
});

test('a message that finds no memory is put off, and those that came before keep theirs', () => {
  const room = new Room(20_000);
  const [first, second] = [new DataReader(ROOM, room), new DataReader(ROOM, room)];
  assert.equal(first.read(Buffer.from('a\r\n'), 0), -1);
  assert.notEqual(second.read(Buffer.from('b\r\n.\r\n'), 0), -1);
  assert.equal(second.fault, 'crowded');
  assert.equal(collected(first).toString(), 'a\r\n');
  first.release();
  const third = new DataReader(ROOM, room);
  third.read(Buffer.from('c\r\n.\r\n'), 0);
  assert.equal(third.fault, null);
});

test('a message whose bytes were given to a thread gives its memory back as well', () => {
  const room = new Room(ROOM);
  const reader = new DataReader(ROOM, room);
  reader.read(Buffer.from(`${'a'.repeat(900)}\r\n.\r\n`), 0);
  structuredClone(null, { transfer: reader.pieces.map(({ buffer }) => buffer) });
  reader.release();
  assert.ok(room.take(ROOM), 'all memory was given back');
});

test('a large message stands in pieces of a megabyte at most, in its order, and gives all of them back', () => {
  const line = `${'x'.repeat(998)}\r\n`;
  const data = Buffer.from(Array.from({ length: 3_500 }, (_, at) => `${at}`.padEnd(8) + line.slice(8)).join(''));
  const room = new Room(4 * ROOM);
  const reader = new DataReader(4 * ROOM, room);
  assert.equal(readIn(cut(Buffer.concat([data, Buffer.from('.\r\n')]), [65_537, 3_000_001]), reader)?.length, 0);
  assert.ok(collected(reader).equals(data));
  assert.ok(reader.pieces.length > 3 && reader.pieces.every(({ length }) => length <= 2 ** 20));
  structuredClone(null, { transfer: reader.pieces.map(({ buffer }) => buffer) });
  reader.release();
  assert.ok(room.take(4 * ROOM), 'all memory was given back');
});

test('lines of 998 octets pass, the dot before them not counted, and longer ones do not', () => {
  for (const [line, fault] of [
    ['x'.repeat(998), null],
    [`..${'x'.repeat(997)}`, null],
    ['x'.repeat(999), 'long'],
    [`..${'x'.repeat(998)}`, 'long'],
  ] as const) {
    for (const place of [1, 500, 997, 998, 999]) {
      const reader = new DataReader(ROOM, new Room(ROOM));
      readIn(cut(Buffer.from(`${line}\r\n.\r\n`), [place]), reader);
      assert.equal(reader.fault, fault);
    }
  }
});
