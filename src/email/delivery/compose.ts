import MailComposer from 'nodemailer/lib/mail-composer';
import type { Message } from '../submission/message.ts';
import { messageIdOf } from '../submission/message-id.ts';
import type { Envelope } from '../submission/sealed-message.ts';

type Content = Pick<Message, 'text' | 'html' | 'attachments'>;

interface Parts {
  id: string;
  createdAt: Date;
  envelope: Envelope;
  content: Content;
}

/** Writes a message as MIME. Blind copies stay out of it. */
export async function composeMime({ id, createdAt, envelope, content }: Parts): Promise<Buffer> {
  const { from, replyTo, subject, headers, recipients } = envelope;
  const visible = (kind: 'to' | 'cc') => recipients.filter((each) => each.kind === kind).map(toMailbox);
  const mail = new MailComposer({
    disableFileAccess: true,
    disableUrlAccess: true,
    messageId: messageIdOf(id, from.address),
    date: createdAt,
    from: toMailbox(from),
    ...(replyTo === null ? {} : { replyTo: toMailbox(replyTo) }),
    to: visible('to'),
    cc: visible('cc'),
    subject,
    headers,
    ...(content.text === null && content.html !== null ? {} : { text: content.text ?? '' }),
    ...(content.html === null ? {} : { html: content.html }),
    attachments: content.attachments.map((attachment) => ({
      filename: attachment.fileName,
      contentType: attachment.contentType,
      content: attachment.content,
      contentDisposition: attachment.inline ? ('inline' as const) : ('attachment' as const),
      ...(attachment.contentId === null ? {} : { cid: attachment.contentId }),
    })),
  });
  return mail.compile().build();
}

function toMailbox({ name, address }: { name: string | null; address: string }) {
  return { name: name ?? '', address };
}
