import { PROBLEMS } from '../../model/problems.ts';
import { SCRIPT_WORDS } from '../script/words.ts';
import type { Language } from './language.ts';
import { PAGE_WORDS } from './page-words.ts';

export const EN: Language = {
  ownName: 'English',
  isRightToLeft: false,
  page: PAGE_WORDS,
  problems: PROBLEMS,
  script: SCRIPT_WORDS,
};
