import type { FormModel } from '../model/form-model.ts';
import { questionsOf } from '../model/questions.ts';
import type { Amendment } from '../rights/amendment.ts';
import { answerText, plainText } from './answer-text.ts';
import { timeText } from './exported-submission.ts';
import { type Line, openList, type Paper, writeEntry, writeHeading, writeParagraph } from './pdf-paper.ts';

/** What was set right or said against a submission since; what stands above is as it was submitted. */
export async function writeAmendments(paper: Paper, model: FormModel, amendments: Amendment[]): Promise<void> {
  if (amendments.length === 0) return;
  writeHeading(paper, 2, 'Amendments');
  writeParagraph(paper, 'note', 'The answers above are as they were submitted.');
  const list = openList(paper);
  for (const amendment of amendments) {
    const kind = amendment.changes === null ? 'Statement of disagreement' : 'Amended';
    await writeEntry(paper, list, `${kind}, ${timeText(amendment.at)} UTC`, linesOf(model, amendment));
  }
}

function linesOf(model: FormModel, amendment: Amendment): Line[] {
  const { changes, statement, reason, requestedBy, beforeHash } = amendment;
  const unasked = new Set(amendment.unasked);
  const questions = new Map(questionsOf(model).map((question) => [question.name, question]));
  const lines: Line[] = Object.entries(changes ?? {}).map(([name, answer]) => {
    const question = questions.get(name);
    const text = question === undefined ? plainText(answer) : answerText(question, answer, unasked);
    return ['answer', `${question?.label.trim() || name}: ${answer === null ? 'no answer' : text}`];
  });
  if (statement !== null) lines.push(['answer', statement]);
  if (reason !== null) lines.push(['note', `Reason: ${reason}`]);
  if (requestedBy !== null) lines.push(['note', `Requested by: ${requestedBy}`]);
  return [...lines, ['code', `SHA-256 of the answers before ${beforeHash}`]];
}
