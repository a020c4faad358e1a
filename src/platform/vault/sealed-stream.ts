/**
 * Files sealed in chunks, as c2sp.org/chunked-encryption has it with SHA-512 and AES-256-GCM ("Cobblestone-256"):
 *
 *   salt (24) | commitment (32) | chunk 0 | chunk 1 | … | last chunk
 *
 * Every chunk holds 16 KiB and its tag, only the last is shorter (it may be empty), so its length is the end mark:
 * it enters the tag, and a file cut at a chunk's edge has no short chunk left. The chunk number enters the nonce.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { SealBroken } from './seal-broken.ts';

const CHUNK = 16_384;
const TAG = 16;
const SEALED_CHUNK = CHUNK + TAG;
const KEY = 32;
const NONCE = 12;
const SALT = 24;
const COMMITMENT = 32;
const HEADER = SALT + COMMITMENT;
// Chunks are counted in the last four bytes of the nonce.
const MOST_CHUNKS = 2 ** 32;
const CIPHER = 'aes-256-gcm';
const LABEL = Buffer.from('c2sp.org/chunked-encryption@v1+AEAD_AES_256_GCM\0');

interface Secrets {
  key: KeyObject;
  baseNonce: Buffer;
  commitment: Buffer;
}

/** Seals a stream under a key used for nothing else; only the same key and context open it again. */
export async function* sealStream(
  key: Uint8Array,
  context: string,
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer> {
  const salt = randomBytes(SALT);
  const secrets = deriveSecrets(key, salt, context);
  yield Buffer.concat([salt, secrets.commitment]);
  let number = 0;
  for await (const piece of cut(source, CHUNK)) yield sealChunk(secrets, number++, piece);
}

/** Opens a sealed stream, giving out each chunk once it is verified; throws SealBroken where the seal does not hold. */
export async function* openStream(
  key: Uint8Array,
  context: string,
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer> {
  let secrets: Secrets | undefined;
  let number = 0;
  for await (const piece of cut(source, SEALED_CHUNK, HEADER)) {
    if (secrets) yield openChunk(secrets, number++, piece);
    else secrets = openHeader(key, context, piece);
  }
}

/**
 * Opens the plain bytes start..end (end exclusive) and reads only the header and the chunks that hold them. It does
 * not prove the length of the whole: a range that ends beyond what the sealed size allows for is a SealBroken.
 */
export async function* openRange(
  key: Uint8Array,
  context: string,
  sealedSize: number,
  readSealed: (start: number, end: number) => AsyncIterable<Uint8Array>,
  range: { start: number; end: number },
): AsyncGenerator<Buffer> {
  const { start, end } = range;
  if (!(start >= 0 && start <= end)) throw new RangeError('A range starts at 0 or later and does not end before it');
  if (end > plainSizeOf(sealedSize)) throw new SealBroken();
  if (start === end) return;
  const secrets = await readHeader(key, context, readSealed(0, HEADER));
  let number = Math.floor(start / CHUNK);
  const sealedEnd = Math.min(HEADER + Math.ceil(end / CHUNK) * SEALED_CHUNK, sealedSize);
  for await (const piece of cut(readSealed(HEADER + number * SEALED_CHUNK, sealedEnd), SEALED_CHUNK)) {
    const opened = openChunk(secrets, number, piece);
    const offset = number++ * CHUNK;
    yield opened.subarray(Math.max(start - offset, 0), end - offset);
    if (offset + opened.length >= end) return;
  }
  throw new SealBroken();
}

/** How long a sealed file is when opened; throws SealBroken for a length that sealing never gives. */
export function plainSizeOf(sealedSize: number): number {
  const body = sealedSize - HEADER;
  const last = body % SEALED_CHUNK;
  if (last < TAG) throw new SealBroken();
  return Math.floor(body / SEALED_CHUNK) * CHUNK + last - TAG;
}

function deriveSecrets(key: Uint8Array, salt: Uint8Array, context: string): Secrets {
  if (key.length !== KEY) throw new RangeError('A sealing key has 32 bytes');
  // RFC 5869 2.3, expand only: the key is uniformly random already, and two blocks of SHA-512 cover the 76 bytes.
  const info = Buffer.concat([LABEL, salt, Buffer.from(context)]);
  const first = createHmac('sha512', key).update(info).update('\x01').digest();
  const second = createHmac('sha512', key).update(first).update(info).update('\x02').digest();
  const derived = Buffer.concat([first, second]);
  return {
    key: createSecretKey(derived.subarray(0, KEY)),
    baseNonce: derived.subarray(KEY, KEY + NONCE),
    commitment: derived.subarray(KEY + NONCE, KEY + NONCE + COMMITMENT),
  };
}

function openHeader(key: Uint8Array, context: string, header: Buffer): Secrets {
  if (header.length !== HEADER) throw new SealBroken();
  const secrets = deriveSecrets(key, header.subarray(0, SALT), context);
  if (!timingSafeEqual(secrets.commitment, header.subarray(SALT))) throw new SealBroken();
  return secrets;
}

async function readHeader(key: Uint8Array, context: string, source: AsyncIterable<Uint8Array>): Promise<Secrets> {
  for await (const piece of cut(source, HEADER)) return openHeader(key, context, piece);
  throw new SealBroken();
}

function nonceOf({ baseNonce }: Secrets, number: number): Buffer {
  if (number >= MOST_CHUNKS) throw new RangeError('Too long to be sealed as one file');
  const nonce = Buffer.from(baseNonce);
  nonce.writeUInt32BE((baseNonce.readUInt32BE(8) ^ number) >>> 0, 8);
  return nonce;
}

function sealChunk(secrets: Secrets, number: number, plain: Buffer): Buffer {
  const cipher = createCipheriv(CIPHER, secrets.key, nonceOf(secrets, number), { authTagLength: TAG });
  const sealed = [cipher.update(plain), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat(sealed, plain.length + TAG);
}

function openChunk(secrets: Secrets, number: number, sealed: Buffer): Buffer {
  if (sealed.length < TAG) throw new SealBroken();
  const decipher = createDecipheriv(CIPHER, secrets.key, nonceOf(secrets, number), { authTagLength: TAG });
  decipher.setAuthTag(sealed.subarray(-TAG));
  const opened = decipher.update(sealed.subarray(0, -TAG));
  try {
    decipher.final();
  } catch {
    throw new SealBroken();
  }
  return opened;
}

/**
 * Cuts a stream into pieces of one size, the first perhaps of another, and then always one shorter piece, perhaps
 * empty. A piece is valid until the next is asked for.
 */
async function* cut(source: AsyncIterable<Uint8Array>, size: number, firstSize = size): AsyncGenerator<Buffer> {
  const held = Buffer.allocUnsafe(Math.max(size, firstSize));
  let filled = 0;
  let wanted = firstSize;
  for await (const bytes of source) {
    let rest = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    while (filled + rest.length >= wanted) {
      const taken = rest.subarray(0, wanted - filled);
      rest = rest.subarray(taken.length);
      if (filled > 0) taken.copy(held, filled);
      yield filled > 0 ? held.subarray(0, wanted) : taken;
      filled = 0;
      wanted = size;
    }
    filled += rest.copy(held, filled);
  }
  yield held.subarray(0, filled);
}
