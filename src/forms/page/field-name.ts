/** Where a value stands in the answers: names of questions, numbers of entries, rows, parts of an address. */
export type AnswerPath = readonly (string | number)[];

const MARK = 'q.';

/** The part of a path under which the text of one's own beside listed choices is sent. */
export const OWN_WORDS = '~own';
/** The value of the choice that stands for it. */
export const OTHER_CHOICE = '~other';

/** The name of the control of an answer: `q.medications.0.dose`. A dot within a part is written as %2E. */
export function fieldName(path: AnswerPath): string {
  return MARK + path.map(encodePart).join('.');
}

/** The path of a control's name; null where it is no answer. */
export function answerPath(name: string): string[] | null {
  if (!name.startsWith(MARK)) return null;
  try {
    return name.slice(MARK.length).split('.').map(decodeURIComponent);
  } catch {
    return null;
  }
}

/** The path as problems and files are named by: `medications.0.dose`. */
export function plainPath(path: AnswerPath): string {
  return path.join('.');
}

function encodePart(part: string | number): string {
  return encodeURIComponent(part).replaceAll('.', '%2E');
}
