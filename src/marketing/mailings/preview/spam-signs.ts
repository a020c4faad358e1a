import { findStartTags } from '../content/start-tags.ts';
import type { MailingProblem } from './problem.ts';

const LONGEST_SUBJECT_SHOWN = 70;
const LONGEST_BODY = 100 * 1024;
const LEAST_WORDS = 15;
const SHOUTED = /\b\p{Lu}{4,}\b/gu;
const TRADE = /\b(free|winner|guarantee[ds]?|act now|urgent|cash|prize|no obligation|risk[- ]free|click here)\b/i;

interface Written {
  subject: string;
  html: string;
  text: string;
}

/** What makes filters and readers take a mail for spam, or shows it badly. */
export function spamSigns({ subject, html, text }: Written): MailingProblem[] {
  const pictures = findStartTags(html).filter(({ name }) => name === 'img');
  return [
    ...(subject.trim() === '' ? [warn('subject', 'The subject is empty.')] : []),
    ...(subject.length > LONGEST_SUBJECT_SHOWN
      ? [warn('subject', `Most mail programs show no more than ${LONGEST_SUBJECT_SHOWN} characters of a subject.`)]
      : []),
    ...((subject.match(SHOUTED) ?? []).length > 1 ? [warn('subject', 'Words in capitals look like spam.')] : []),
    ...(/[!?]{2,}/.test(subject) ? [warn('subject', 'Several exclamation or question marks look like spam.')] : []),
    ...(TRADE.test(subject) ? [warn('subject', 'The subject has words that spam filters look for.')] : []),
    ...(pictures.some(({ attributes }) => !attributes.get('alt')?.value)
      ? [warn('body', 'A picture has no description, so people who do not see it learn nothing from it.')]
      : []),
    ...(pictures.length > 0 && text.split(/\s+/).length < LEAST_WORDS
      ? [warn('body', 'The mail is little more than pictures, which many mail programs do not load.')]
      : []),
    ...(/\bhref="http:\/\//i.test(html) ? [warn('body', 'A link begins with http:// and is not encrypted.')] : []),
    ...(Buffer.byteLength(html) > LONGEST_BODY
      ? [warn('body', 'The mail is so long that some mail programs cut its end off.')]
      : []),
  ];
}

function warn(field: string, message: string): MailingProblem {
  return { field, severity: 'warning', message };
}
