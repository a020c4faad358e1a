import type { Attachment, Message, Recipient } from './message.ts';

/** What is sealed apart from the envelope, and gone before it. */
export type Content = Pick<Message, 'text' | 'html' | 'attachments' | 'shown'>;

type FramedAttachment = Omit<Attachment, 'content'> & ({ bytes: number } | { blobId: string });

/** An attachment whose bytes stand in the frame, or in a blob of their own. */
export type PlacedAttachment = Omit<Attachment, 'content'> & ({ content: Buffer } | { blobId: string });

interface Head {
  textBytes: number | null;
  htmlBytes: number | null;
  attachments: FramedAttachment[];
  shown?: Recipient[] | undefined;
}

/**
 * Content as one run of bytes: the length of a JSON head, the head, then text, HTML and files as they
 * are. As JSON throughout, a 5 KB body would cost more to write than to encrypt.
 */
export function frameContent(
  { text, html, shown }: Omit<Content, 'attachments'>,
  attachments: PlacedAttachment[],
): Buffer {
  const head: Head = {
    textBytes: text === null ? null : Buffer.byteLength(text),
    htmlBytes: html === null ? null : Buffer.byteLength(html),
    attachments: attachments.map((attachment) => {
      if ('blobId' in attachment) return attachment;
      const { content, ...rest } = attachment;
      return { ...rest, bytes: content.length };
    }),
    shown,
  };
  const words = [JSON.stringify(head), text ?? '', html ?? ''];
  const files = attachments.flatMap((attachment) => ('content' in attachment ? [attachment.content] : []));
  const headBytes = Buffer.byteLength(words[0] as string);
  const length =
    headBytes + (head.textBytes ?? 0) + (head.htmlBytes ?? 0) + files.reduce((sum, file) => sum + file.length, 0);
  const frame = Buffer.allocUnsafe(4 + length);
  let at = frame.writeUInt32BE(headBytes);
  for (const word of words) at += frame.write(word, at);
  for (const file of files) at += file.copy(frame, at);
  return frame;
}

/** Reads a frame back. */
export function readFrame(frame: Buffer): Omit<Content, 'attachments'> & { attachments: PlacedAttachment[] } {
  const headEnd = 4 + frame.readUInt32BE(0);
  const head = JSON.parse(frame.toString('utf8', 4, headEnd)) as Head;
  let at = headEnd;
  const take = (bytes: number) => frame.subarray(at, (at += bytes));
  const text = head.textBytes === null ? null : take(head.textBytes).toString();
  const html = head.htmlBytes === null ? null : take(head.htmlBytes).toString();
  const attachments = head.attachments.map((attachment) => {
    if ('blobId' in attachment) return attachment;
    const { bytes, ...rest } = attachment;
    return { ...rest, content: take(bytes) };
  });
  return { text, html, attachments, shown: head.shown };
}
