import type { SealedBlobs, StoredBlob } from '../../platform/blob/sealed-blobs.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import type { Attachment, Message } from './message.ts';

/** Attachments above this go to the blob store before the transaction, which carries small rows only. */
const LARGEST_INLINE_PART = 256 * 1024;

/** What a receipt needs for as long as the message is known: kept when the content is gone. */
export type Envelope = Pick<Message, 'from' | 'replyTo' | 'subject' | 'headers' | 'recipients'>;

type StoredAttachment = Omit<Attachment, 'content'> & ({ base64: string } | { blobId: string });

interface StoredContent {
  text: string | null;
  html: string | null;
  attachments: StoredAttachment[];
}

export interface SealedMessage {
  envelope: Buffer;
  content: Buffer;
  blobs: StoredBlob[];
}

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
  const { text, html, attachments, ...envelope } = message;
  const stored: StoredBlob[] = [];
  const kept: StoredAttachment[] = [];
  for (const { content, ...rest } of attachments) {
    if (content.length <= LARGEST_INLINE_PART) {
      kept.push({ ...rest, base64: content.toString('base64') });
      continue;
    }
    const blob = await blobs.write(customerId, [content]);
    stored.push(blob);
    kept.push({ ...rest, blobId: blob.id });
  }
  return {
    envelope: keys.seal(envelopePlace(id), JSON.stringify(envelope satisfies Envelope)),
    content: keys.seal(contentPlace(id), JSON.stringify({ text, html, attachments: kept } satisfies StoredContent)),
    blobs: stored,
  };
}

/** Opens the envelope of a message. */
export function openEnvelope(keys: CustomerVault, id: string, sealed: Buffer): Envelope {
  return JSON.parse(keys.open(envelopePlace(id), sealed).toString()) as Envelope;
}

/** Opens the content of a message, with its attachments. */
export async function openContent(
  { keys, blobs }: Deps,
  customerId: number,
  id: string,
  sealed: Buffer,
): Promise<Pick<Message, 'text' | 'html' | 'attachments'>> {
  const { text, html, attachments } = JSON.parse(keys.open(contentPlace(id), sealed).toString()) as StoredContent;
  const read: Attachment[] = [];
  for (const { fileName, contentType, contentId, inline, ...where } of attachments) {
    const content =
      'base64' in where ? Buffer.from(where.base64, 'base64') : await collect(blobs.read(customerId, where.blobId));
    read.push({ fileName, contentType, contentId, inline, content });
  }
  return { text, html, attachments: read };
}

async function collect(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function envelopePlace(id: string) {
  return { table: 'messages', row: id, column: 'envelope' };
}

function contentPlace(id: string) {
  return { table: 'message_contents', row: id, column: 'sealed' };
}
