import type { Answered } from '../model/questions.ts';
import { AGE, BIRTH, DATE, IDENTIFIER, nameDates, PLACE, ZIP } from './words.ts';

/** What an export without identities tells of an answer: all of it, nothing, or a part that names nobody. */
export type Treatment = 'keep' | 'drop' | 'year' | 'age' | 'born' | 'zip' | 'zip-of-address' | 'entries';

/**
 * What becomes of the answers to a question, by its kind, the words it was asked with and what the form says of it.
 * What names somebody by its kind is never kept, whatever the form says. `ofFormula` says what becomes of what is
 * calculated, by what it is calculated from.
 */
export function treatmentOf(question: Answered, words: string, ofFormula: () => Treatment): Treatment {
  const { deidentify: setting } = question;
  if (setting === 'drop') return 'drop';
  switch (question.kind) {
    case 'email':
    case 'phone':
    case 'signature':
    case 'file':
      return 'drop';
    case 'address':
      return setting === 'zip' ? 'zip-of-address' : 'drop';
    case 'date':
      return setting === 'age' || BIRTH.test(words) ? 'born' : 'year';
    case 'text':
    case 'long_text':
    case 'hidden':
    case 'unknown':
    case 'time':
      return asTold(question, words) ?? 'drop';
    case 'number':
      return asTold(question, words) ?? ofNumber(words);
    case 'calculated':
      return asTold(question, words) ?? ofCalculated(words, ofFormula());
    case 'select':
    case 'radio':
    case 'checkboxes':
      return asTold(question, words) ?? ofChoices(words, question.choices);
    case 'matrix':
      return question.rows.length === 0 || ofChoices(words, question.columns) !== 'keep' ? 'drop' : 'keep';
    case 'rating':
      return AGE.test(words) ? 'age' : 'keep';
    case 'yes_no':
    case 'consent':
      return 'keep';
    case 'group':
      return 'entries';
    default:
      return question satisfies never;
  }
}

/** What the form says, which is about a birth where the words are. */
function asTold({ deidentify }: Answered, words: string): Treatment | null {
  return deidentify === 'age' && BIRTH.test(words) ? 'born' : deidentify;
}

function ofNumber(words: string): Treatment {
  if (IDENTIFIER.test(words) || PLACE.test(words)) return 'drop';
  if (ZIP.test(words)) return 'zip';
  if (BIRTH.test(words)) return 'born';
  return AGE.test(words) ? 'age' : 'keep';
}

/** The stricter one of what its words say and what it is calculated from. */
function ofCalculated(words: string, ofFormula: Treatment): Treatment {
  const byWords = ofNumber(words);
  if (byWords === 'drop' || ofFormula === 'keep') return byWords;
  return ofFormula;
}

/** A list to choose from can hold places smaller than a state, and parts of a date. */
function ofChoices(words: string, choices: Parameters<typeof nameDates>[0]): Treatment {
  if (choices.length === 0 || [PLACE, ZIP, BIRTH, DATE].some((each) => each.test(words))) return 'drop';
  if (nameDates(choices)) return 'drop';
  const isAge = AGE.test(words) || choices.some(({ label }) => AGE.test(label.toLowerCase()));
  return isAge ? 'age' : 'keep';
}
