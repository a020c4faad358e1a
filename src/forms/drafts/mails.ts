import { DEFAULT_HANDLING, type Message } from '../../email/index.ts';
import { CODE_MINUTES } from '../../platform/one-time-codes/rules.ts';
import { DRAFT_DAYS } from './save-draft.ts';
import { draftWordsOf } from './words/draft-words.ts';

interface To {
  systemFrom: string;
  address: string;
  language: string;
}

/** The mail with the way back to a draft. It names neither the form nor the office that asks. */
export function linkMail(to: To, link: string): Message {
  const { say } = draftWordsOf(to.language);
  const lines = [say('linkMailText'), link, say('linkMailUntil', DRAFT_DAYS), say('mailIgnore')];
  return mail(to, say('linkMailSubject'), lines.join('\n\n'));
}

/** The mail with a one-time code, for which a link is needed that came by mail. */
export function codeMail(to: To, code: string): Message {
  const { say } = draftWordsOf(to.language);
  const lines = [say('codeMailText', code), say('codeMailUntil', CODE_MINUTES), say('mailIgnore')];
  const written = mail(to, say('codeMailSubject'), lines.join('\n\n'));
  return { ...written, handling: { ...written.handling, asked: true } };
}

/** A mail of the product itself, in text alone. */
export function mail({ systemFrom, address }: To, subject: string, text: string): Message {
  return {
    from: { name: 'Carepost', address: systemFrom },
    replyTo: [],
    subject,
    headers: { 'Auto-Submitted': 'auto-generated' },
    recipients: [{ kind: 'to', name: null, address }],
    text: `${text}\n`,
    html: null,
    attachments: [],
    handling: { ...DEFAULT_HANDLING, trackOpens: false, trackLinks: false, notice: true },
  };
}
