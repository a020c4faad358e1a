import type { Attachment, Message } from './message.ts';

type Content = Pick<Message, 'text' | 'html' | 'attachments'>;

type FramedAttachment = Omit<Attachment, 'content'> & ({ bytes: number } | { blobId: string });

/** An attachment whose bytes stand in the frame, or in a blob of their own. */
export type PlacedAttachment = Omit<Attachment, 'content'> & ({ content: Buffer } | { blobId: string });

interface Head {
  textBytes: number | null;
  htmlBytes: number | null;
  attachments: FramedAttachment[];
}

/**
 * Content as one run of bytes: the length of a JSON head, the head, then text, HTML and files as they
 * are. As JSON throughout, a 5 KB body would cost more to write than to encrypt.
 */
export function frameContent({ text, html }: Pick<Content, 'text' | 'html'>, attachments: PlacedAttachment[]): Buffer {
  const parts = [text, html].map((part) => (part === null ? null : Buffer.from(part)));
  const head: Head = {
    textBytes: parts[0]?.length ?? null,
    htmlBytes: parts[1]?.length ?? null,
    attachments: attachments.map((attachment) => {
      if ('blobId' in attachment) return attachment;
      const { content, ...rest } = attachment;
      return { ...rest, bytes: content.length };
    }),
  };
  const headBytes = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(headBytes.length);
  const files = attachments.flatMap((attachment) => ('content' in attachment ? [attachment.content] : []));
  return Buffer.concat([length, headBytes, ...parts.filter((part) => part !== null), ...files]);
}

/** Reads a frame back. */
export function readFrame(frame: Buffer): Pick<Content, 'text' | 'html'> & { attachments: PlacedAttachment[] } {
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
  return { text, html, attachments };
}
