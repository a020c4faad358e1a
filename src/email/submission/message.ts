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

/** Whether something is followed: true as far as the customer has it on, `always` whatever the customer has set. */
export type Following = boolean | 'always';

/** How a message is treated on its way, beside what it says. */
export interface Handling {
  trackOpens: Following;
  trackLinks: Following;
  /** Where a recipient unsubscribes at the sender's own. */
  unsubscribeUrl: string | null;
  /** The template version that the HTML was rendered from. */
  template: { id: number; version: number } | null;
  /** Whether readers decode nothing of the subject: what looks encoded in it (RFC 2047) is a value's, not the sender's. */
  literalSubject?: boolean;
  /** Whether the recipient gets a notice in place of the content. */
  secureNotice: boolean;
  /** Whether this is mail of our own that says nothing of anybody, and so may leave over any TLS; no door sets it. */
  notice?: boolean;
  /** Whether the recipient has asked for this very mail, so that a complaint about others keeps it from nobody; no door sets it. */
  asked?: boolean;
}

export const DEFAULT_HANDLING: Handling = {
  trackOpens: true,
  trackLinks: true,
  unsubscribeUrl: null,
  template: null,
  secureNotice: false,
  notice: false,
};

/** A message as every door hands it over: read, checked, and free of anything that could break a header. */
export interface Message {
  from: Address;
  replyTo: Address[];
  subject: string;
  /** Further headers, by the names they were given. */
  headers: Record<string, string>;
  recipients: Recipient[];
  /** Whom To and Cc name, whoever gets it; its recipients but for blind copies where the door says nothing. */
  shown?: Recipient[] | undefined;
  text: string | null;
  html: string | null;
  attachments: Attachment[];
  handling: Handling;
}
