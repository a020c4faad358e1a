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
const MOST = 0xffffffff;

/** A ZIP archive, compressed and written while its entries are read. It and each entry stay below 4 GB. */
export async function* writeZip(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Buffer, void, undefined> {
  const directory: Written[] = [];
  let at = 0;
  for await (const entry of entries) {
    const written = { name: Buffer.from(entry.name), at, crc: 0, packed: 0, size: 0 };
    const head = localHeader(written);
    yield head;
    yield* pack(entry.content, written);
    const tail = descriptor(written);
    yield tail;
    at += head.length + written.packed + tail.length;
    if (Math.max(at, written.size) > MOST) throw new RangeError('a ZIP archive of this kind ends at 4 GB');
    directory.push(written);
  }
  const records = Buffer.concat(directory.map(directoryRecord));
  yield records;
  yield endRecord(directory.length, records.length, at);
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

/** APPNOTE 4.3.12 */
function directoryRecord({ name, at, crc, packed, size }: Written): Buffer {
  const record = Buffer.alloc(46);
  record.writeUInt32LE(0x02014b50, 0);
  record.writeUInt16LE(VERSION, 4);
  record.writeUInt16LE(VERSION, 6);
  record.writeUInt16LE(FLAGS, 8);
  record.writeUInt16LE(DEFLATE, 10);
  record.writeUInt16LE(DAY, 14);
  record.writeUInt32LE(crc, 16);
  record.writeUInt32LE(packed, 20);
  record.writeUInt32LE(size, 24);
  record.writeUInt16LE(name.length, 28);
  record.writeUInt32LE(at, 42);
  return Buffer.concat([record, name]);
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
