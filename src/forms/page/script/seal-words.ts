/** The words of the page that are said by the script where it encrypts a form. */
export const SEAL_WORDS = [
  'removeEntry',
  'signConfirmWanted',
  'signNameWanted',
  'signPictureWanted',
  'sendAgain',
  'expiredText',
] as const;

export type SealWord = (typeof SEAL_WORDS)[number];

export type SaySealing = (word: SealWord) => string;
