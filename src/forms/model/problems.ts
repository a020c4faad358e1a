import { type Phrase, voiceOf } from './phrases.ts';

/** All that can be wrong with an answer, in words for the person who gave it; never what they wrote. */
export const PROBLEMS = {
  answer: 'Please answer this question.',
  agree: 'Please agree to this to continue.',
  everyRow: 'Please answer every row.',
  text: 'Please answer with text.',
  leastCharacters: { one: 'Please enter at least {n} character.', other: 'Please enter at least {n} characters.' },
  mostCharacters: { one: 'Please enter at most {n} character.', other: 'Please enter at most {n} characters.' },
  dateTime: 'Please enter a date and a time, like 2024-12-31T14:30.',
  pattern: 'Please enter this in the form that is asked for.',
  number: 'Please enter a number.',
  fewerDigits: 'Please enter a number of at most 15 digits.',
  multiple: 'Please enter a multiple of {n}.',
  wholeNumber: 'Please enter a whole number.',
  leastNumber: 'Please enter a number that is at least {n}.',
  mostNumber: 'Please enter a number that is at most {n}.',
  rating: 'Please choose a whole number from {n}.',
  email: 'Please enter an email address, like name@example.com.',
  phone: 'Please enter a phone number with 7 to 15 digits.',
  time: 'Please enter a time as hours and minutes, like 14:30.',
  date: 'Please enter a date as YYYY-MM-DD.',
  earliest: 'Please enter a date that is not before {n}.',
  latest: 'Please enter a date that is not after {n}.',
  address: 'Please enter an address.',
  oneChoice: 'Please choose one of the listed answers.',
  choices: 'Please choose from the listed answers.',
  leastChoices: 'Please choose at least {n}.',
  mostChoices: 'Please choose at most {n}.',
  yesNo: 'Please answer yes or no.',
  onlyYes: 'Please answer yes.',
  onlyNo: 'Please answer no.',
  grid: 'Please choose one of the listed answers in each row.',
  entries: 'Please answer with a list of entries.',
  oneEntry: 'Please add at least one entry.',
  leastEntries: 'Please add at least {n} entries.',
  mostEntries: 'Please add at most {n} entries.',
  file: 'Please send a file.',
  fileKind: 'Please send a file of a kind that is asked for.',
  fileBytes: 'Please send a file of at most {n} bytes.',
  mostFiles: { one: 'Please send at most {n} file.', other: 'Please send at most {n} files.' },
} satisfies Record<string, Phrase>;

export type ProblemKey = keyof typeof PROBLEMS;

export const sayInEnglish = voiceOf<ProblemKey>('en', PROBLEMS);
