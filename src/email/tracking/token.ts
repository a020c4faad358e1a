import { timingSafeEqual } from 'node:crypto';
import type { CustomerVault } from '../../platform/vault/vault.ts';

/** What a link in a mail leads to: the picture that tells of an opening, a target by its number, or the way out. */
export type LinkKind = 'open' | 'click' | 'unsubscribe';

export interface LinkToken {
  kind: LinkKind;
  messageId: string;
  /** The number of the target; 0 where there is none. */
  number: number;
}

/** Makes and reads the tokens of links. */
export interface LinkTokens {
  make(token: LinkToken): string;
  /** What a token says, or null where this installation did not make it. */
  read(text: string): LinkToken | null;
}

// One byte names the key, one the kind, sixteen the message, two the number; the rest is the MAC.
const KEY_ID = 1;
const KINDS: LinkKind[] = ['open', 'click', 'unsubscribe'];
const BODY_BYTES = 20;
const MAC_BYTES = 16;
const TEXT = /^[\w-]{48}$/;

/** Tokens under the installation's key: stateless, so they hold when the row they name is gone. */
export function createLinkTokens(keys: CustomerVault): LinkTokens {
  const macOf = (body: Buffer) => keys.blindIndex('link', body.toString('base64'));
  return {
    make({ kind, messageId, number }) {
      const body = Buffer.alloc(BODY_BYTES);
      body[0] = KEY_ID;
      body[1] = KINDS.indexOf(kind);
      body.write(messageId.replaceAll('-', ''), 2, 'hex');
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
      return { kind, messageId: toUuid(body.toString('hex', 2, 18)), number: body.readUInt16BE(18) };
    },
  };
}

function toUuid(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
