import { invalidField } from '../platform/errors.ts';
import { isCommon } from './common-passwords.ts';

const SHORTEST = 12;
const LONGEST = 256;
/** How many characters of its own a password has at least, beside what is guessed first. */
const OWN_CHARACTERS = 6;
const DISTINCT = 5;

/** What stands in most lists of stolen passwords, and what a guesser tries here first. */
const GUESSED_FIRST =
  `password passwort passw0rd qwerty qwertz azerty welcome letmein login admin administrator changeme
  iloveyou dragon monkey football baseball basketball sunshine princess superman batman starwars master shadow trustno
  secret whatever computer internet google facebook summer winter spring autumn january february november december
  carepost hospital clinic doctor patient health medical office`.split(/\s+/);
const ROWS = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qwertzuiop',
  'yxcvbnm',
];
const RUN = 4;
const LOOKALIKES: Record<string, string> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
};

/** Whose password it is to be: what is known of somebody is guessed first. */
export interface About {
  email: string;
  name: string;
}

/** Throws where a password is too short, or made of what a guesser tries first; says what is wrong in words. */
export function requireStrong(password: string, about: About): void {
  if (password.length < SHORTEST || password.length > LONGEST) {
    throw invalidField('password', `takes ${SHORTEST} to ${LONGEST} characters`);
  }
  const text = password.normalize('NFKC').toLowerCase();
  if (new Set(text).size < DISTINCT || /^(.{1,6}?)\1+$/su.test(text)) {
    throw invalidField('password', 'repeats itself; take several words that do not belong together');
  }
  const withoutRuns = cut(text, runsIn(text));
  if (lettersIn(withoutRuns) < OWN_CHARACTERS) {
    throw invalidField('password', 'is a row of letters or digits; take several words that do not belong together');
  }
  const withoutOwn = cut(withoutRuns, wordsOf(about));
  if (lettersIn(withoutOwn) < OWN_CHARACTERS) {
    throw invalidField('password', 'is made of your name or address; take words that nobody would connect with you');
  }
  const plain = withoutOwn.replace(/[@4310!$5]/g, (sign) => LOOKALIKES[sign] as string);
  const ownLetters = Math.min(lettersIn(cutAt(withoutOwn, plain)), lettersIn(cut(withoutOwn, GUESSED_FIRST)));
  if (ownLetters < OWN_CHARACTERS || isCommon(password, SHORTEST)) {
    throw invalidField(
      'password',
      'is among those that are guessed first; take several words that do not belong together',
    );
  }
}

/** What is left of a text where the same text in plain letters has no word that is guessed first. */
function cutAt(text: string, plain: string): string {
  const left = Array.from(cut(plain, GUESSED_FIRST));
  return Array.from(text)
    .filter((_, place) => left[place] !== ' ')
    .join('');
}

/** A text with spaces in place of words, the longest first. */
function cut(text: string, words: string[]): string {
  return words
    .toSorted((one, other) => other.length - one.length)
    .reduce((rest, word) => rest.replaceAll(word, ' '.repeat(word.length)), text);
}

/** Letters and digits, spaces and signs left out. */
function lettersIn(text: string): number {
  return text.replace(/[^\p{L}\p{N}]/gu, '').length;
}

/** Pieces of at least four characters that follow each other in the alphabet or on a keyboard, either way. */
function runsIn(text: string): string[] {
  const lines = ROWS.flatMap((row) => [row, Array.from(row).toReversed().join('')]);
  const found: string[] = [];
  for (let start = 0; start + RUN <= text.length; start += 1) {
    let end = start + RUN;
    if (!lines.some((line) => line.includes(text.slice(start, end)))) continue;
    while (end < text.length && lines.some((line) => line.includes(text.slice(start, end + 1)))) end += 1;
    found.push(text.slice(start, end));
    start = end - 1;
  }
  return found;
}

function wordsOf({ email, name }: About): string[] {
  return `${email} ${name}`
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= 3);
}
