import { make, ownControls } from '../elements.ts';

/** Says at a question what is wrong with its answer, as the server does; nothing where nothing is. */
export function showProblem(question: HTMLElement, problems: readonly string[]): void {
  const id = `problem-${numberOf(question)}`;
  const isWrong = problems.length > 0;
  question.querySelector(`#${id}`)?.remove();
  question.classList.toggle('wrong', isWrong);
  const described = question.querySelector(':scope > fieldset') ?? ownControls(question)[0];
  if (described === undefined) return;
  describe(described, id, isWrong);
  if (isWrong) place(question, make('p', { class: 'problem', id }, problems.join(' ')));
  if (described instanceof HTMLFieldSetElement) return;
  if (isWrong) described.setAttribute('aria-invalid', 'true');
  else described.removeAttribute('aria-invalid');
}

/** The number that the page gave to a question. */
export function numberOf(question: HTMLElement): string {
  return question.id.replace('question-', '');
}

/** After the help and the hint, or else after what the question is called. */
function place(question: HTMLElement, problem: HTMLElement): void {
  const n = numberOf(question);
  const title = ':scope > label, :scope > fieldset > legend';
  const before = [`#hint-${n}`, `#help-${n}`, `#terms-${n}`, title].map((one) => question.querySelector(one));
  const last = before.find((one) => one !== null);
  if (last === undefined) question.prepend(problem);
  else last?.after(problem);
}

function describe(element: Element, id: string, isWrong: boolean): void {
  const others = (element.getAttribute('aria-describedby') ?? '').split(' ').filter((one) => one !== '' && one !== id);
  const ids = isWrong ? [...others, id] : others;
  if (ids.length === 0) element.removeAttribute('aria-describedby');
  else element.setAttribute('aria-describedby', ids.join(' '));
}
