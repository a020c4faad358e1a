import type { FormModel } from '../model/form-model.ts';
import type { Amendment } from '../rights/amendment.ts';
import { amendmentText } from './amendment-text.ts';
import { type Line, openList, type Paper, writeEntry, writeHeading, writeParagraph } from './pdf-paper.ts';

/** What was set right or said against a submission since; what stands above is as it was submitted. */
export async function writeAmendments(paper: Paper, model: FormModel, amendments: Amendment[]): Promise<void> {
  if (amendments.length === 0) return;
  writeHeading(paper, 2, 'Amendments');
  writeParagraph(paper, 'note', 'The answers above are as they were submitted.');
  const list = openList(paper);
  for (const amendment of amendments) {
    const { title, answers, notes } = amendmentText(model, amendment);
    const lines: Line[] = [
      ...answers.map((text): Line => ['answer', text]),
      ...notes.map((text): Line => ['note', text]),
      ['code', `SHA-256 of the answers before ${amendment.beforeHash}`],
    ];
    await writeEntry(paper, list, title, lines);
  }
}
