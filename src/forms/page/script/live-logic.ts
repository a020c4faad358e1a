import type { Item, Page } from '../../model/form-model.ts';
import { Asked, itemsById, type Standing } from './asked.ts';
import { typedAnswers } from './current-answers.ts';
import { buttonsIn, ownControls, pathOf, questionsIn, writeHidden } from './elements.ts';
import type { FormPage } from './page-data.ts';

/** Shows what the answers ask for, hides the rest, and works out what is calculated, with every change. */
export function runLiveLogic(page: FormPage): void {
  const items = itemsById(page.data.model);
  const update = (): void => showAsked(page, items);
  page.form.addEventListener('input', update);
  page.form.addEventListener('change', update);
  update();
}

function showAsked(page: FormPage, items: ReadonlyMap<string, Item | Page>): void {
  const { form, data } = page;
  const asked = new Asked(data.model, typedAnswers(page), data.today);
  const seen: string[] = [];
  for (const question of questionsIn(form)) {
    const standing = asked.question(pathOf(question));
    if (standing === null) continue;
    if (standing.isAsked) seen.push(pathOf(question));
    showQuestion(question, standing);
  }
  for (const element of form.querySelectorAll<HTMLElement>('[data-item]')) {
    const item = items.get(element.dataset['item'] ?? '');
    if (item !== undefined) element.hidden = !asked.isShown(item, entryAround(element));
  }
  writeHidden(form, '_seen', seen);
}

/** What is not asked is neither shown nor sent. */
function showQuestion(question: HTMLElement, { isAsked, isRequired, answer }: Standing): void {
  const { kind } = question.dataset;
  question.hidden = !isAsked || kind === 'hidden';
  for (const control of ownControls(question)) {
    control.disabled = !isAsked;
    if (control.hasAttribute('aria-required')) control.setAttribute('aria-required', String(isRequired));
  }
  if (kind === 'group') for (const button of buttonsIn(question)) button.disabled = !isAsked;
  const mark = question.querySelector<HTMLElement>('.required');
  if (mark?.closest('[data-path]') === question) mark.hidden = !isRequired;
  if (kind === 'calculated') writeResult(question, answer);
}

/** The group and the number of the entry that a heading stands in. */
function entryAround(heading: HTMLElement): { group: string; entry: number } | null {
  const entry = heading.closest('.entry');
  const group = heading.closest<HTMLElement>('[data-path]');
  if (entry === null || group === null) return null;
  return { group: pathOf(group), entry: [...group.querySelectorAll('.entry')].indexOf(entry) };
}

function writeResult(question: HTMLElement, result: unknown): void {
  const output = question.querySelector('output');
  if (output === null) return;
  const text = resultInWords(output, result);
  if (output.textContent !== text) output.textContent = text;
}

/** As the server writes it, which gives the words for yes and no along. */
function resultInWords({ dataset }: HTMLElement, result: unknown): string {
  if (typeof result === 'boolean') return dataset[result ? 'yes' : 'no'] ?? '';
  return typeof result === 'string' || typeof result === 'number' ? String(result) : '';
}
