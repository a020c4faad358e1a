import type { SealedBlobs } from '../../../platform/blob/sealed-blobs.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { Vault } from '../../../platform/vault/vault.ts';
import { returnPathOf } from '../../bounces/return-path.ts';
import type { ReturnPathDomainOf } from '../../domains/return-path.ts';
import type { SignerFor } from '../../domains/signers.ts';
import type { Notices } from '../../pickup/notices.ts';
import { domainOf } from '../../submission/address.ts';
import type { KeepLinks } from '../../tracking/links.ts';
import type { LinkTokens } from '../../tracking/token.ts';
import { trackMessage } from '../../tracking/track.ts';
import type { Errand } from '../dialogue/courier.ts';
import type { Lease } from '../queue/lease.ts';
import type { ByteRoom } from './byte-room.ts';
import { composeMime, type Mime } from './compose.ts';
import { type OpenedMessage, openMessage, type StoredMessage } from './load.ts';
import type { MailRoom, MailRooms } from './mail-room.ts';
import { whileUsed } from './while-used.ts';

/** How often a message stands in memory at most: sealed, opened, as base64, whole, and with its dots doubled. */
const IN_MEMORY = 6;
const LARGE = 12 * 2 ** 20;

interface Deps {
  /** The database as the worker role. */
  db: Database;
  vault: Vault;
  blobs: SealedBlobs;
  tokens: LinkTokens;
  keepLinks: KeepLinks;
  publicUrl: string;
  signerFor: SignerFor;
  returnPathDomainOf: ReturnPathDomainOf;
  notices: Notices;
  /** Large messages have room of their own, so that small ones never wait for them. */
  rooms: { small: ByteRoom; large: ByteRoom };
  mailRooms: MailRooms;
}

/** A message that is under way. */
export interface Prepared {
  /** What is to be carried for recipients of one domain, and their addresses in the order of the leases. */
  errandFor(leases: Lease[], domain: string, encryptedIsEnough: boolean): PreparedErrand;
}

interface PreparedErrand {
  errand: Errand;
  /** Gives back what the errand took, once it has ended. */
  over(): void;
}

/** Opens a stored message and makes ready what carries it. */
export async function prepareMessage(deps: Deps, stored: StoredMessage): Promise<Prepared> {
  const message = await openMessage(deps, stored);
  const { id, customerId, envelope } = message;
  const fromDomain = domainOf(envelope.from.address);
  const returnPath = returnPathOf(
    deps.tokens,
    { kind: 'bounce', id },
    await deps.returnPathDomainOf(customerId, fromDomain),
  );
  const writeSigned = async ({ headers, body }: Mime, mailRoom: MailRoom) => {
    const signer = await deps.signerFor(customerId, fromDomain);
    const signature = await signer.sign(headers, mailRoom.writeBody(body));
    return mailRoom.writeHead(`${signature}${headers}\r\n`);
  };
  const bytes = IN_MEMORY * (stored.sealed.length + stored.file_bytes);
  const room = bytes > LARGE ? deps.rooms.large : deps.rooms.small;
  const content = whileUsed(async (uses) => {
    await room.take(bytes);
    uses.push(() => room.give(bytes));
    const written = await write(deps, message);
    const mailRoom = deps.mailRooms.take();
    uses.push(() => deps.mailRooms.give(mailRoom));
    return writeSigned(written, mailRoom);
  });
  return {
    errandFor(leases, domain, encryptedIsEnough) {
      const addresses = leases.map(({ ordinal }) => envelope.recipients[ordinal]?.address as string);
      const shared = { domain, returnPath, recipients: addresses, encryptedIsEnough };
      const { use, over } = content.user();
      if (envelope.handling.notice === true) {
        return {
          errand: { ...shared, letter: { kind: 'notice', write: async () => ({ kind: 'notice', data: await use() }) } },
          over,
        };
      }
      let noticeRoom: MailRoom | undefined;
      const notice = async (recipient: number) => {
        noticeRoom ??= deps.mailRooms.take(); // one notice of an errand is sent after the other
        const { ordinal } = leases[recipient] as Lease;
        const mime = await deps.notices.noticeFor({ customerId, messageId: id, ordinal, envelope });
        return { kind: 'notice', data: await writeSigned(mime, noticeRoom) } as const;
      };
      return {
        errand: {
          ...shared,
          letter: {
            kind: 'content',
            write: async () => ({ kind: 'content', data: await use() }),
            notice,
            noticeOnly: envelope.handling.secureNotice,
          },
        },
        over() {
          over();
          if (noticeRoom !== undefined) deps.mailRooms.give(noticeRoom);
        },
      };
    },
  };
}

/** The message as it leaves: with the links that tell what became of it, where that is wanted. */
async function write(deps: Deps, message: OpenedMessage): Promise<Mime> {
  const { id, customerId, envelope } = message;
  const content = await message.openContent();
  const { html, headers, targets } = trackMessage(deps, message.tracking, { id, envelope, html: content.html });
  await deps.keepLinks({ customerId, messageId: id, targets });
  const replaced = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const own = Object.entries(envelope.headers).filter(([name]) => !replaced.has(name.toLowerCase()));
  const withLinks = { ...envelope, headers: { ...Object.fromEntries(own), ...headers } };
  return composeMime({ ...message, content: { ...content, html }, envelope: withLinks });
}
