import type { LinkTokens, ReturnKind } from '../tracking/token.ts';

/** Whose mail comes back. */
export interface Returning {
  kind: ReturnKind;
  id: string;
}

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'; // RFC 4648 6
const RETURN_PATH = /^b([a-z2-7]{58})@/;

/** The address to which mail about one message comes back. */
export function returnPathOf(tokens: LinkTokens, { kind, id }: Returning, domain: string): string {
  const token = Buffer.from(tokens.make({ kind, id, number: 0 }), 'base64url');
  return `b${toBase32(token)}@${domain}`;
}

/** Whose mail comes back to an address; null where this installation did not make it. Servers may have changed its case. */
export function readReturnPath(tokens: LinkTokens, address: string): Returning | null {
  const [, text] = RETURN_PATH.exec(address.toLowerCase()) ?? [];
  const bytes = text === undefined ? null : fromBase32(text);
  const token = bytes === null ? null : tokens.read(bytes.toString('base64url'));
  if (token === null || (token.kind !== 'bounce' && token.kind !== 'mailing-bounce')) return null;
  return { kind: token.kind, id: token.id };
}

function toBase32(bytes: Buffer): string {
  let text = '';
  let [held, bits] = [0, 0];
  for (const byte of bytes) {
    held = (held << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) text += ALPHABET[(held >> (bits - 5)) & 31];
    held &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + ALPHABET[(held << (5 - bits)) & 31];
}

/** The octets of a text; null where its last letter holds more than they do, so that no token has two spellings. */
function fromBase32(text: string): Buffer | null {
  const bytes: number[] = [];
  let [held, bits] = [0, 0];
  for (const letter of text) {
    held = (held << 5) | ALPHABET.indexOf(letter);
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((held >> bits) & 255);
    held &= (1 << bits) - 1;
  }
  return held === 0 ? Buffer.from(bytes) : null;
}
