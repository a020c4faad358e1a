import { type Say, voiceOf } from '../../model/phrases.ts';
import type { ProblemKey } from '../../model/problems.ts';
import type { ScriptWord } from '../script/words.ts';
import { AR } from './ar.ts';
import { DE } from './de.ts';
import { EN } from './en.ts';
import { ES } from './es.ts';
import { FR } from './fr.ts';
import type { Language } from './language.ts';
import type { PageWord } from './page-words.ts';
import { PT } from './pt.ts';
import { VI } from './vi.ts';
import { ZH } from './zh.ts';

/** A language with its voices. */
export interface Words extends Language {
  /** The tag that a page in these words has, whatever was asked for. */
  tag: string;
  say: Say<PageWord>;
  sayProblem: Say<ProblemKey>;
  sayOfScript: Say<ScriptWord>;
}

const LANGUAGES: Record<string, Language> = { en: EN, es: ES, fr: FR, de: DE, pt: PT, ar: AR, zh: ZH, vi: VI };

/** The languages that the page itself can speak, English first. */
export const SPOKEN: readonly string[] = Object.keys(LANGUAGES);

const voices = new Map(Object.entries(LANGUAGES).map(([tag, language]) => [tag, withVoices(tag, language)]));
const english = withVoices('en', EN);

/** The words of a language, `pt-BR` being taken for `pt`; English where there are none of it. */
export function wordsOf(language: string): Words {
  return voices.get(mainPart(language)) ?? english;
}

/** Whether the page itself can speak a language. */
export function isSpoken(language: string): boolean {
  return voices.has(mainPart(language));
}

/** The part of a tag before its region or script. */
export function mainPart(tag: string): string {
  return tag.toLowerCase().split(/[-_]/)[0] as string;
}

function withVoices(tag: string, language: Language): Words {
  return {
    ...language,
    tag,
    say: voiceOf<PageWord>(tag, language.page),
    sayProblem: voiceOf<ProblemKey>(tag, language.problems),
    sayOfScript: voiceOf<ScriptWord>(tag, language.script),
  };
}
