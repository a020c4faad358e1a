import { type Say, voiceOf } from '../../model/phrases.ts';
import { mainPart } from '../../page/words/words-of.ts';
import { DRAFT_AR } from './ar.ts';
import { DRAFT_DE } from './de.ts';
import { DRAFT_EN } from './en.ts';
import { DRAFT_ES } from './es.ts';
import { DRAFT_FR } from './fr.ts';
import { DRAFT_PT } from './pt.ts';
import { DRAFT_VI } from './vi.ts';
import { DRAFT_ZH } from './zh.ts';

export type DraftWord = keyof typeof DRAFT_EN;
export type DraftPhrases = Readonly<Record<DraftWord, string>>;

/** A language as the pages and mails of drafts speak it. */
interface DraftVoice {
  tag: string;
  say: Say<DraftWord>;
}

const PHRASES: Record<string, DraftPhrases> = {
  en: DRAFT_EN,
  es: DRAFT_ES,
  fr: DRAFT_FR,
  de: DRAFT_DE,
  pt: DRAFT_PT,
  ar: DRAFT_AR,
  zh: DRAFT_ZH,
  vi: DRAFT_VI,
};

/** The words of a language; English where there are none of it. */
export function draftWordsOf(language: string): DraftVoice {
  const wanted = mainPart(language);
  const tag = Object.hasOwn(PHRASES, wanted) ? wanted : 'en';
  return { tag, say: voiceOf(tag, PHRASES[tag] ?? DRAFT_EN) };
}
