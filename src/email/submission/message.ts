import type { Address } from './address.ts';

export type RecipientKind = 'to' | 'cc' | 'bcc';

export interface Recipient extends Address {
  kind: RecipientKind;
}

export interface Attachment {
  fileName: string;
  contentType: string;
  content: Buffer;
  contentId: string | null;
  inline: boolean;
}

/** A message as every door hands it over: read, checked, and free of anything that could break a header. */
export interface Message {
  from: Address;
  replyTo: Address | null;
  subject: string;
  /** Further headers, by the names they were given. */
  headers: Record<string, string>;
  recipients: Recipient[];
  text: string | null;
  html: string | null;
  attachments: Attachment[];
}
