import { parseAddress } from '../../email/index.ts';
import type { Answers, FormModel } from '../model/form-model.ts';
import { questionsOf } from '../model/questions.ts';

const LONGEST = 320;

/** Who submitted: the first answer to a question for an email address, else what is named `email`, else nobody known. */
export function submitterOf(model: FormModel, answers: Answers): string | null {
  const asked = questionsOf(model)
    .filter(({ kind }) => kind === 'email')
    .map(({ name }) => name);
  for (const name of [...asked, 'email']) {
    const answer = Object.hasOwn(answers, name) ? answers[name] : undefined;
    if (typeof answer === 'string' && answer.trim() !== '' && answer.length <= LONGEST) {
      return parseAddress(answer)?.address ?? answer.trim();
    }
  }
  return null;
}
