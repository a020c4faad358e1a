import { currentAnswers } from '../current-answers.ts';
import { pathOf, questionsIn } from '../elements.ts';
import type { FormPage } from '../page-data.ts';
import { isAwaited, keptFiles } from '../upload/kept-files.ts';
import { judgeFilling } from '../verdict.ts';
import { showProblem } from './show-problem.ts';
import { showSummary, type Wrong } from './show-summary.ts';

/** Whether a visitor may go on: not while something on this step is wrong, which is then said as the server says it. */
export function checkStep(page: FormPage): boolean {
  const { form, data, sayProblem } = page;
  const filling = { ...data, answers: currentAnswers(page), files: keptFiles(form) };
  const { problems } = judgeFilling(filling, sayProblem);
  const wrong: Wrong[] = [];
  for (const question of questionsIn(form)) {
    const found = isForServer(question) ? [] : (problems[pathOf(question)] ?? []);
    showProblem(question, found);
    if (found.length > 0) wrong.push([question, found]);
  }
  showSummary(page, wrong);
  return wrong.length === 0;
}

/** What only the server can tell: whether a signature is one, and what files are that are yet to come. */
function isForServer(question: HTMLElement): boolean {
  return question.dataset['kind'] === 'signature' || isAwaited(question);
}
