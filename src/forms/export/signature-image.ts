import { promisify } from 'node:util';
import { inflate } from 'node:zlib';

interface PngHead {
  width: number;
  height: number;
  depth: number;
  colour: number;
  interlaced: boolean;
}

const inflated = promisify(inflate);
const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const MOST_BYTES = 5_000_000;
const MOST_PIXELS = 8_000_000;
/** PNG 11.2.1: bit depths by colour type, and the samples of a pixel. */
const DEPTHS: Record<number, number[]> = { 0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16] };
const SAMPLES: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
/** PNG 8.2: where each pass of an interlaced image starts and how far it steps. */
const PASSES = ['0088', '4088', '0448', '2044', '0224', '1022', '0112'].map((pass) => Array.from(pass, Number));

/**
 * The image if a page can show it, else null. pdfkit decodes a PNG later and out of reach, where a fault in it would end
 * the process, so all of it is checked before. Texts and other extras of a PNG are left behind.
 */
export async function readImage(bytes: Buffer): Promise<Buffer | null> {
  if (bytes.length > MOST_BYTES) return null;
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return isJpeg(bytes) ? bytes : null;
  return bytes.subarray(0, 8).equals(PNG) ? readPng(bytes) : null;
}

async function readPng(bytes: Buffer): Promise<Buffer | null> {
  const chunks = chunksOf(bytes);
  const head = headOf(chunks[0]);
  if (head === null || chunks.at(-1)?.type !== 'IEND') return null;
  const packed = chunks.filter((chunk) => chunk.type === 'IDAT').map((chunk) => chunk.data);
  const palette = chunks.filter((chunk) => chunk.type === 'PLTE');
  if (head.colour === 3 && !isPalette(palette.map((chunk) => chunk.data))) return null;
  if (!(await isWhole(head, Buffer.concat(packed)))) return null;
  const kept = new Set(['IHDR', 'IDAT', 'IEND']);
  if (head.colour === 3) kept.add('PLTE');
  // pdfkit reads the transparency of whole bytes only.
  if (head.depth === 8) kept.add('tRNS');
  return Buffer.concat([PNG, ...chunks.filter((chunk) => kept.has(chunk.type)).map((chunk) => chunk.whole)]);
}

/** PNG 5.3: length, type, data, CRC. Reading ends with IEND, or where a length leaves the file. */
function chunksOf(bytes: Buffer): { type: string; data: Buffer; whole: Buffer }[] {
  const chunks = [];
  for (let at = 8; at + 12 <= bytes.length; ) {
    const end = at + 12 + bytes.readUInt32BE(at);
    if (end > bytes.length) break;
    const type = bytes.toString('latin1', at + 4, at + 8);
    chunks.push({ type, data: bytes.subarray(at + 8, end - 4), whole: bytes.subarray(at, end) });
    if (type === 'IEND') break;
    at = end;
  }
  return chunks;
}

function headOf(chunk: { type: string; data: Buffer } | undefined): PngHead | null {
  if (chunk?.type !== 'IHDR' || chunk.data.length !== 13) return null;
  const width = chunk.data.readUInt32BE(0);
  const height = chunk.data.readUInt32BE(4);
  const [depth = 0, colour = 0, packing, filter, interlace = 0] = chunk.data.subarray(8);
  if (width === 0 || height === 0 || width * height > MOST_PIXELS) return null;
  if (!DEPTHS[colour]?.includes(depth) || packing !== 0 || filter !== 0 || interlace > 1) return null;
  if (interlace === 1 && depth < 8) return null;
  return { width, height, depth, colour, interlaced: interlace === 1 };
}

function isPalette(palettes: Buffer[]): boolean {
  const length = palettes[0]?.length ?? 0;
  return palettes.length === 1 && length > 0 && length <= 768 && length % 3 === 0;
}

/** Whether the pixels are all there, and every line has a filter that exists. */
async function isWhole(head: PngHead, packed: Buffer): Promise<boolean> {
  const passes = head.interlaced ? PASSES : [[0, 0, 1, 1]];
  const lines = passes.flatMap(([x = 0, y = 0, stepX = 1, stepY = 1]) => {
    const width = Math.ceil((head.width - x) / stepX);
    const height = Math.ceil((head.height - y) / stepY);
    if (width <= 0 || height <= 0) return [];
    return [{ height, length: 1 + Math.ceil((width * head.depth * (SAMPLES[head.colour] ?? 1)) / 8) }];
  });
  const expected = lines.reduce((sum, line) => sum + line.height * line.length, 0);
  const pixels = await inflated(packed, { maxOutputLength: expected + 1 }).catch(() => null);
  if (pixels?.length !== expected) return false;
  let at = 0;
  for (const { height, length } of lines) {
    for (let row = 0; row < height; row += 1, at += length) if ((pixels[at] ?? 5) > 4) return false;
  }
  return true;
}

/** Whether a frame header comes before the data, of a kind that PDF readers show: baseline or progressive. */
function isJpeg(bytes: Buffer): boolean {
  for (let at = 2; at + 10 <= bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1] ?? 0;
    if (marker >= 0xc0 && marker <= 0xc2) {
      const [height, width, colours] = [bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7), bytes[at + 9]];
      return bytes[at + 4] === 8 && width > 0 && height > 0 && (colours === 1 || colours === 3 || colours === 4);
    }
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return false;
}
