import type { Phrase } from '../../model/phrases.ts';
import type { ProblemKey } from '../../model/problems.ts';
import type { ScriptWord } from '../script/words.ts';
import type { PageWord } from './page-words.ts';

/** All that a page says in one language. */
export interface Language {
  /** What those who speak it call it. */
  ownName: string;
  isRightToLeft: boolean;
  page: Readonly<Record<PageWord, Phrase>>;
  problems: Readonly<Record<ProblemKey, Phrase>>;
  /** What the script says of its own accord. */
  script: Readonly<Record<ScriptWord, Phrase>>;
}
