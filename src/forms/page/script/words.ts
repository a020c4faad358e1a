import type { Phrase } from '../../model/phrases.ts';

/** What the script says of its own accord; the words of a language, under `words` of the page's data, stand before these. */
export const SCRIPT_WORDS = {
  /** Before the title of the window while something is wrong. */
  errorTitle: 'Error: {n}',
  /** Above the list of what is wrong. */
  problemsTitle: { one: 'Please look at {n} answer again', other: 'Please look at {n} answers again' },
  uploading: 'Uploading: {n} %',
  uploaded: 'The file has arrived.',
  uploadPaused: 'There is no connection. The upload goes on as soon as it is back.',
  uploadFailed: 'This file could not be sent. Please choose it again.',
  waitingForFiles: 'Your files are still on their way. The form is sent when they have arrived.',
  cancelUpload: 'Cancel',
  removeFile: 'Remove',
  drawHere: 'Draw your signature here with a finger, a pen or the mouse.',
  clearDrawing: 'Clear the drawing',
  restored: 'Your answers are still here.',
  clearAnswers: 'Clear my answers',
  sending: 'Sending …',
  noConnection: 'There is no connection. Your answers are still here: please try again when it is back.',
} satisfies Record<string, Phrase>;

export type ScriptWord = keyof typeof SCRIPT_WORDS;
