import { make } from '../elements.ts';
import type { FormPage } from '../page-data.ts';
import { numberOf } from './show-problem.ts';

/** What is wrong, by the element of its question. */
export type Wrong = [HTMLElement, string[]];

/** Lists what is wrong above the questions, with a link to each, and leads there; takes the list away if nothing is. */
export function showSummary({ say }: FormPage, wrong: readonly Wrong[]): void {
  const prefix = say('errorTitle', '');
  const title = document.title.startsWith(prefix) ? document.title.slice(prefix.length) : document.title;
  document.title = wrong.length === 0 ? title : say('errorTitle', title);
  const summary = document.getElementById('problems');
  if (summary === null) return;
  summary.textContent = '';
  summary.hidden = wrong.length === 0;
  if (wrong.length === 0) return;
  const items = wrong.map((one) => make('li', {}, linkTo(one)));
  summary.append(make('h2', {}, say('problemsTitle', wrong.length)), make('ul', {}, ...items));
  summary.focus();
}

function linkTo([question, problems]: Wrong): HTMLElement {
  const label = question.querySelector('legend, label')?.firstChild?.textContent?.trim() ?? '';
  return make('a', { href: `#control-${numberOf(question)}` }, `${label}: ${problems.join(' ')}`);
}
