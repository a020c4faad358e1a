/** Ten recipients of the largest kind come to a third of this. */
const LONGEST_HEADER = 64 * 1024;
const NONCE_BYTES = 16;
const TAG_BYTES = 16;
const CHUNK_BYTES = 64 * 1024 + TAG_BYTES;

const STANZA = String.raw`-> [!-~]+(?: [!-~]+)*\n(?:[A-Za-z0-9+/]{64}\n)*[A-Za-z0-9+/]{0,63}\n`;
const HEADER = new RegExp(String.raw`^age-encryption\.org/v1\n(?:${STANZA})+--- [A-Za-z0-9+/]{43}\n`);
const KIND = /^-> (\S+)/gm;

/** What is encrypted to keys: age's own, the one that withstands quantum computers, and those of hardware. */
const TO_KEYS = new Set(['X25519', 'mlkem768x25519', 'p256tag', 'mlkem768p256tag']);

/** Whether bytes have the form of an age file for keys. Nobody but the holder of one can tell more. It never throws. */
export function isAgeFile(bytes: Uint8Array): boolean {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, LONGEST_HEADER));
  const [header] = HEADER.exec(start) ?? [];
  if (header === undefined) return false;
  const kinds = [...header.matchAll(KIND)].map(([, kind = '']) => kind);
  return kinds.some((kind) => TO_KEYS.has(kind)) && isPayload(bytes.length - header.length);
}

/** A nonce and chunks, of which only the first may be empty, and then is the last. */
function isPayload(length: number): boolean {
  const chunks = length - NONCE_BYTES;
  const last = chunks % CHUNK_BYTES;
  return chunks === TAG_BYTES || (chunks > TAG_BYTES && (last === 0 || last > TAG_BYTES));
}
