import { type Say, voiceOf } from '../../model/phrases.ts';
import { mainPart } from '../../page/words/words-of.ts';
import { SIGNING_AR } from './ar.ts';
import { SIGNING_DE } from './de.ts';
import { SIGNING_EN } from './en.ts';
import { SIGNING_ES } from './es.ts';
import { SIGNING_FR } from './fr.ts';
import { SIGNING_PT } from './pt.ts';
import { SIGNING_VI } from './vi.ts';
import { SIGNING_ZH } from './zh.ts';

export type SigningWord = keyof typeof SIGNING_EN;
export type SigningPhrases = Readonly<Record<SigningWord, string>>;

/** A language as the pages and mails of signers speak it. */
interface SigningVoice {
  tag: string;
  say: Say<SigningWord>;
}

const PHRASES: Record<string, SigningPhrases> = {
  en: SIGNING_EN,
  es: SIGNING_ES,
  fr: SIGNING_FR,
  de: SIGNING_DE,
  pt: SIGNING_PT,
  ar: SIGNING_AR,
  zh: SIGNING_ZH,
  vi: SIGNING_VI,
};

/** The words of a language; English where there are none of it. */
export function signingWordsOf(language: string): SigningVoice {
  const wanted = mainPart(language);
  const tag = Object.hasOwn(PHRASES, wanted) ? wanted : 'en';
  return { tag, say: voiceOf(tag, PHRASES[tag] ?? SIGNING_EN) };
}
