import type { RecipientStatus } from './delivery-status.ts';

const MOST_RECIPIENTS = 100;
const LONGEST_WORDS = 2_000;
/** What servers without delivery reports begin their notices with. */
const EXIM = /^This message was created automatically by mail delivery software/m;
const QMAIL = /^Hi\. This is the qmail-send program/m;
const FOR_NOW =
  /\b(warning only|will continue to (?:try|be)|not yet been delivered|has been delayed|no action is required)\b/i;
const DAEMON = /\b(mailer-daemon|postmaster|mail delivery (?:sub)?system)\b/i;
/** What stands below is a copy of the mail that came back. */
const COPY = /^-{2,}.{0,80}\b(?:copy of|original|returned)\b.{0,80}$/im;
const ADDRESS = /[^\s<>"'():;,@]{1,64}@[a-z0-9.-]{1,255}[a-z0-9]/i;
const CODE = /(?<![.\d])([45])\.(\d{1,3})\.(\d{1,3})(?![.\d])/;

/** A notice as old servers write it, in words: the recipients that it names, or null where it is no such notice. */
export function readPlainBounce({ from, text }: { from: string; text: string }): RecipientStatus[] | null {
  const said = text.split(COPY, 1)[0] as string;
  const known = EXIM.test(said) || QMAIL.test(said);
  if (!known && !(DAEMON.test(from) && CODE.test(said))) return null;
  const notice = { known, forNow: FOR_NOW.test(said) };
  const recipients = said.split(/\r?\n[ \t]*\r?\n/).flatMap((paragraph) => readParagraph(paragraph, notice) ?? []);
  return recipients.slice(0, MOST_RECIPIENTS);
}

/** A recipient and what was said of it stand together; without a code only a known server is believed that it failed. */
function readParagraph(paragraph: string, notice: { known: boolean; forNow: boolean }): RecipientStatus | null {
  const address = ADDRESS.exec(paragraph);
  if (address === null) return null;
  const words = paragraph.slice(address.index + address[0].length);
  const code = CODE.exec(words);
  const reason = words
    .replace(/^[\s>:]+/, '')
    .replace(/\s+/g, ' ')
    .trim();
  if (code === null && (!notice.known || reason === '' || !startsLine(paragraph, address.index))) return null;
  return {
    finalRecipient: address[0],
    originalRecipient: null,
    action: code?.[1] === '4' || notice.forNow ? 'delayed' : 'failed',
    status: code === null ? null : `${code[1]}.${Number(code[2])}.${Number(code[3])}`,
    diagnostic: reason.slice(0, LONGEST_WORDS) || null,
    remoteMta: null,
  };
}

/** Exim and qmail put the address first on its line; elsewhere in a sentence it is somebody else's. */
function startsLine(paragraph: string, at: number): boolean {
  const line = paragraph.slice(paragraph.lastIndexOf('\n', at) + 1, at);
  return /^[ \t]*<?$/.test(line);
}
