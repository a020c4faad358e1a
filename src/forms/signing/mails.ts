import type { Message } from '../../email/index.ts';
import { mail } from '../drafts/mails.ts';
import { draftWordsOf } from '../drafts/words/draft-words.ts';
import { SIGNER_DAYS } from './signer.ts';
import { signingWordsOf } from './words/signing-words.ts';

interface To {
  systemFrom: string;
  publicUrl: string;
  address: string;
  language: string;
}

/** The mail with a link to sign by. It names neither the form nor who filled it in, nor the office that asks. */
export function invitation({ publicUrl, ...to }: To, token: string): Message {
  const { say } = signingWordsOf(to.language);
  const until = draftWordsOf(to.language).say('linkMailUntil', SIGNER_DAYS);
  const lines = [say('mailText'), `${publicUrl.replace(/\/$/, '')}/s/${token}`, until, say('mailIgnore')];
  return mail(to, say('waitsTitle'), lines.join('\n\n'));
}
