import type { SealedBlobs, StoredBlob } from '../../platform/blob/sealed-blobs.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import type { Address } from './address.ts';
import { type Content, frameContent, type PlacedAttachment, readFrame } from './content-frame.ts';
import type { Attachment, Message } from './message.ts';

/** Attachments above this go to the blob store before the transaction, which carries small rows only. */
const LARGEST_INLINE_PART = 256 * 1024;

/** What a receipt needs for as long as the message is known: kept when the content is gone. */
export type Envelope = Pick<Message, 'from' | 'replyTo' | 'subject' | 'headers' | 'recipients' | 'handling'>;

export interface SealedMessage {
  envelope: Buffer;
  content: Buffer;
  blobs: StoredBlob[];
}

/** The first address to reply to stands where the version before looks for it, which may run beside this one. */
type StoredEnvelope = Omit<Envelope, 'replyTo'> & { replyTo: Address | null; furtherReplyTo?: Address[] };

interface Deps {
  keys: CustomerVault;
  blobs: SealedBlobs;
}

/** Seals a message in two parts, so that the content can be removed before the envelope. */
export async function sealMessage(
  { keys, blobs }: Deps,
  customerId: number,
  id: string,
  message: Message,
): Promise<SealedMessage> {
  const { text, html, attachments, shown, ...envelope } = message;
  const stored: StoredBlob[] = [];
  const placed: PlacedAttachment[] = [];
  for (const attachment of attachments) {
    const { content, ...rest } = attachment;
    if (content.length <= LARGEST_INLINE_PART) {
      placed.push(attachment);
      continue;
    }
    const blob = await blobs.write(customerId, [content]);
    stored.push(blob);
    placed.push({ ...rest, blobId: blob.id });
  }
  return {
    envelope: keys.seal(envelopePlace(id), JSON.stringify(toStored(envelope))),
    content: keys.seal(contentPlace(id), frameContent({ text, html, shown }, placed)),
    blobs: stored,
  };
}

/** Opens the envelope of a message. */
export function openEnvelope(keys: CustomerVault, id: string, sealed: Buffer): Envelope {
  const text = keys.open(envelopePlace(id), sealed).toString();
  const { replyTo, furtherReplyTo = [], ...rest } = JSON.parse(text) as StoredEnvelope;
  return { ...rest, replyTo: replyTo === null ? [] : [replyTo, ...furtherReplyTo] };
}

function toStored({ replyTo: [first, ...further], ...rest }: Envelope): StoredEnvelope {
  return { ...rest, replyTo: first ?? null, ...(further.length === 0 ? {} : { furtherReplyTo: further }) };
}

/** Opens the content of a message, with its attachments. */
export async function openContent(
  { keys, blobs }: Deps,
  customerId: number,
  id: string,
  sealed: Buffer,
): Promise<Content> {
  const { attachments: placed, ...rest } = openPlaced(keys, id, sealed);
  const attachments: Attachment[] = [];
  for (const attachment of placed) {
    if ('content' in attachment) {
      attachments.push(attachment);
      continue;
    }
    const { blobId, ...named } = attachment;
    attachments.push({ ...named, content: Buffer.concat(await Array.fromAsync(blobs.read(customerId, blobId))) });
  }
  return { ...rest, attachments };
}

/** Opens the content of a message and leaves large attachments where they are. */
export function openPlaced(keys: CustomerVault, id: string, sealed: Buffer): ReturnType<typeof readFrame> {
  return readFrame(keys.open(contentPlace(id), sealed));
}

function envelopePlace(id: string) {
  return { table: 'messages', row: id, column: 'envelope' };
}

function contentPlace(id: string) {
  return { table: 'message_contents', row: id, column: 'sealed' };
}
