import type { FormModel } from '../model/form-model.ts';
import { questionsOf } from '../model/questions.ts';
import type { Amendment } from '../rights/amendment.ts';
import { answerText, plainText } from './answer-text.ts';
import { timeText } from './exported-submission.ts';

/** An amendment in words: what it is and when it was made, what is right now, and why. */
export interface AmendmentText {
  title: string;
  answers: string[];
  notes: string[];
}

/** Puts an amendment into words. */
export function amendmentText(model: FormModel, amendment: Amendment): AmendmentText {
  const { changes, statement, reason, requestedBy, at } = amendment;
  const unasked = new Set(amendment.unasked);
  const questions = new Map(questionsOf(model).map((question) => [question.name, question]));
  const answers = Object.entries(changes ?? {}).map(([name, answer]) => {
    const question = questions.get(name);
    const text = question === undefined ? plainText(answer) : answerText(question, answer, unasked);
    return `${question?.label.trim() || name}: ${answer === null ? 'no answer' : text}`;
  });
  const kind = changes === null ? 'Statement of disagreement' : 'Amended';
  return {
    title: `${kind}, ${timeText(at)} UTC`,
    answers: [...answers, ...(statement === null ? [] : [statement])],
    notes: [
      ...(reason === null ? [] : [`Reason: ${reason}`]),
      ...(requestedBy === null ? [] : [`Requested by: ${requestedBy}`]),
    ],
  };
}
