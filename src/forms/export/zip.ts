import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createDeflateRaw } from 'node:zlib';

/** A file of an archive, whose content is read when its turn comes. */
export interface ZipEntry {
  name: string;
  content: AsyncIterable<Buffer> | Iterable<Buffer>;
}

interface Written {
  name: Buffer;
  at: number;
  crc: number;
  packed: number;
  size: number;
}

// APPNOTE 4.4.3: 2.0 is what deflate needs. Excel refuses packages that say 4.5, as archives with ZIP64 do.
const VERSION = 20;
// APPNOTE 4.4.4: bit 3, sizes follow the content; bit 11, names are UTF-8.
const FLAGS = 0x0808;
const DEFLATE = 8;
/** 1980-01-01, the first day that the format knows: the same content makes the same archive. */
const DAY = 0x0021;
// APPNOTE 4.4.3: 4.5 is what ZIP64 needs.
const LARGE_VERSION = 45;
const MOST = 0xffffffff;

const RECORDS_OF_PIECE = 1_000;
/** What an archive may have before it has to be told by the numbers of ZIP64. */
const LIMITS = { mostBytes: MOST, mostEntries: 0xffff };

/**
 * A ZIP archive, compressed and written while its entries are read. Each entry stays below 4 GB; an archive that has
 * more in all, or more than 65,535 entries, is told by ZIP64.
 */
export async function* writeZip(
  entries: AsyncIterable<ZipEntry>,
  limits = LIMITS,
): AsyncGenerator<Buffer, void, undefined> {
  const directory = createDirectory(limits);
  let at = 0;
  for await (const entry of entries) {
    const written = { name: Buffer.from(entry.name), at, crc: 0, packed: 0, size: 0 };
    const head = localHeader(written);
    yield head;
    yield* pack(entry.content, written);
    const tail = descriptor(written);
    yield tail;
    at += head.length + written.packed + tail.length;
    if (Math.max(written.packed, written.size) > MOST) throw new RangeError('a file of a ZIP archive ends at 4 GB');
    directory.add(written);
  }
  const { pieces, count, length } = directory.end();
  yield* pieces;
  const isLarge = count > limits.mostEntries || at + length > limits.mostBytes;
  if (isLarge) yield largeEndRecord(count, length, at);
  yield isLarge ? endRecord(0xffff, MOST, MOST) : endRecord(count, length, at);
}

/** What stands at the end of an archive of each of its files: as bytes from the start, since there may be a million. */
function createDirectory(limits: typeof LIMITS) {
  const pieces: Buffer[] = [];
  let recent: Buffer[] = [];
  let count = 0;
  let length = 0;
  function join(): void {
    pieces.push(Buffer.concat(recent));
    recent = [];
  }
  return {
    add(written: Written): void {
      const record = directoryRecord(written, limits);
      recent.push(record);
      count += 1;
      length += record.length;
      if (recent.length === RECORDS_OF_PIECE) join();
    },
    end() {
      join();
      return { pieces, count, length };
    },
  };
}

async function* pack(content: ZipEntry['content'], written: Written): AsyncGenerator<Buffer, void, undefined> {
  const deflate = createDeflateRaw({ level: 3, chunkSize: 64 * 1024 });
  const feeding = pipeline(Readable.from(measure(content, written), { objectMode: true }), deflate);
  // Its failure also ends `deflate`, where it is met; here it must only not count as unhandled.
  feeding.catch(() => undefined);
  for await (const piece of deflate as AsyncIterable<Buffer>) {
    written.packed += piece.length;
    yield piece;
  }
  await feeding;
}

async function* measure(content: ZipEntry['content'], written: Written): AsyncGenerator<Buffer, void, undefined> {
  for await (const piece of content) {
    written.crc = crc32(piece, written.crc);
    written.size += piece.length;
    yield piece;
  }
}

/** APPNOTE 4.3.7 */
function localHeader({ name }: Written): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(VERSION, 4);
  header.writeUInt16LE(FLAGS, 6);
  header.writeUInt16LE(DEFLATE, 8);
  header.writeUInt16LE(DAY, 12);
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, name]);
}

/** APPNOTE 4.3.9 */
function descriptor({ crc, packed, size }: Written): Buffer {
  const record = Buffer.alloc(16);
  record.writeUInt32LE(0x08074b50, 0);
  record.writeUInt32LE(crc, 4);
  record.writeUInt32LE(Math.min(packed, MOST), 8);
  record.writeUInt32LE(Math.min(size, MOST), 12);
  return record;
}

/** APPNOTE 4.3.12, and 4.5.3 where it lies far behind */
function directoryRecord({ name, at, crc, packed, size }: Written, { mostBytes }: typeof LIMITS): Buffer {
  const isFar = at > mostBytes;
  const place = Buffer.alloc(isFar ? 12 : 0);
  if (isFar) {
    place.writeUInt16LE(0x0001, 0);
    place.writeUInt16LE(8, 2);
    place.writeBigUInt64LE(BigInt(at), 4);
  }
  const record = Buffer.alloc(46);
  record.writeUInt32LE(0x02014b50, 0);
  record.writeUInt16LE(isFar ? LARGE_VERSION : VERSION, 4);
  record.writeUInt16LE(isFar ? LARGE_VERSION : VERSION, 6);
  record.writeUInt16LE(FLAGS, 8);
  record.writeUInt16LE(DEFLATE, 10);
  record.writeUInt16LE(DAY, 14);
  record.writeUInt32LE(crc, 16);
  record.writeUInt32LE(packed, 20);
  record.writeUInt32LE(size, 24);
  record.writeUInt16LE(name.length, 28);
  record.writeUInt16LE(place.length, 30);
  record.writeUInt32LE(isFar ? MOST : at, 42);
  return Buffer.concat([record, name, place]);
}

/** APPNOTE 4.3.14 and 4.3.15: the end in 64 bits, and where it stands. */
function largeEndRecord(count: number, length: number, at: number): Buffer {
  const record = Buffer.alloc(56 + 20);
  record.writeUInt32LE(0x06064b50, 0);
  record.writeBigUInt64LE(44n, 4);
  record.writeUInt16LE(LARGE_VERSION, 12);
  record.writeUInt16LE(LARGE_VERSION, 14);
  record.writeBigUInt64LE(BigInt(count), 24);
  record.writeBigUInt64LE(BigInt(count), 32);
  record.writeBigUInt64LE(BigInt(length), 40);
  record.writeBigUInt64LE(BigInt(at), 48);
  record.writeUInt32LE(0x07064b50, 56);
  record.writeBigUInt64LE(BigInt(at + length), 64);
  record.writeUInt32LE(1, 72);
  return record;
}

/** APPNOTE 4.3.16 */
function endRecord(count: number, length: number, at: number): Buffer {
  const record = Buffer.alloc(22);
  record.writeUInt32LE(0x06054b50, 0);
  record.writeUInt16LE(count, 8);
  record.writeUInt16LE(count, 10);
  record.writeUInt32LE(length, 12);
  record.writeUInt32LE(at, 16);
  return record;
}
