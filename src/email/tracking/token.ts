import { timingSafeEqual } from 'node:crypto';
import type { CustomerVault } from '../../platform/vault/vault.ts';

// The place of a kind is in every token made: new ones go to the end.
const KINDS = [
  'open',
  'click',
  'unsubscribe',
  'mailing-open',
  'mailing-click',
  'mailing-unsubscribe',
  'confirm',
  'preferences',
  'bounce',
  'mailing-bounce',
] as const;

/** Whose mail comes back to a return path: that of a message, or that of a recipient of a mailing. */
export type ReturnKind = 'bounce' | 'mailing-bounce';

export type TokenKind = (typeof KINDS)[number];

/**
 * What a link in a mail leads to: the picture that tells of an opening, a target by its number, or the way out; of a
 * mailing the same three, the confirmation of a subscription, and the page on which somebody chooses what to get.
 */
export type LinkKind = Exclude<TokenKind, ReturnKind>;

export interface LinkToken<Kind extends TokenKind = TokenKind> {
  kind: Kind;
  /** The message; of a mailing the recipient, of a confirmation the subscription, of a choice the subscriber. */
  id: string;
  /**
   * The number of the target; of a confirmation how often it was given before, of a choice how often the address of the
   * subscriber had changed; 0 else, and in links of former versions.
   */
  number: number;
}

/** Makes and reads the tokens of links. */
export interface LinkTokens {
  make(token: LinkToken): string;
  /** What a token says, or null where this installation did not make it. */
  read(text: string): LinkToken | null;
}

// One byte names the key, one the kind, sixteen the id, two the number; the rest is the MAC.
const KEY_ID = 1;
const BODY_BYTES = 20;
const MAC_BYTES = 16;
const TEXT = /^[\w-]{48}$/;

/** Tokens under the installation's key: stateless, so they hold when the row they name is gone. */
export function createLinkTokens(keys: CustomerVault): LinkTokens {
  const macOf = (body: Buffer) => keys.blindIndex('link', body.toString('base64'));
  return {
    make({ kind, id, number }) {
      const body = Buffer.alloc(BODY_BYTES);
      body[0] = KEY_ID;
      body[1] = KINDS.indexOf(kind);
      body.write(id.replaceAll('-', ''), 2, 'hex');
      body.writeUInt16BE(number, 18);
      return Buffer.concat([body, macOf(body)]).toString('base64url');
    },
    read(text) {
      if (!TEXT.test(text)) return null;
      const bytes = Buffer.from(text, 'base64url');
      const body = bytes.subarray(0, BODY_BYTES);
      const mac = bytes.subarray(BODY_BYTES);
      if (mac.length !== MAC_BYTES || !timingSafeEqual(mac, macOf(body))) return null;
      const kind = KINDS[body[1] as number];
      if (body[0] !== KEY_ID || kind === undefined) return null;
      return { kind, id: toUuid(body.toString('hex', 2, 18)), number: body.readUInt16BE(18) };
    },
  };
}

function toUuid(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
