import { currentAnswers } from '../current-answers.ts';
import { pathOf, tellChange } from '../elements.ts';
import type { FormPage } from '../page-data.ts';
import { showProblem } from '../problems/show-problem.ts';
import { judgeFilling } from '../verdict.ts';
import { removeRow, sendInRow } from './file-row.ts';
import { dropFile, keptFiles } from './kept-files.ts';
import type { sendFile } from './send-file.ts';

const INPUT = 'input[type=file][data-upload]';

/** Sends every file as soon as it is chosen. Where that cannot be, files go with the form as they do without script. */
export function takeFiles(page: FormPage): void {
  const { form } = page;
  if (form.querySelector(INPUT) === null) return;
  const loading = import('./send-file.ts').then((loaded) => loaded.sendFile);
  form.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !target.matches(INPUT)) return;
    loading.then((send) => sendChosen(page, target, page.wrapSending(send))).catch(() => undefined);
  });
  loading.catch(() => undefined);
  form.addEventListener('click', (event) => takeBack(page, event));
}

function sendChosen(page: FormPage, input: HTMLInputElement, send: typeof sendFile): void {
  const question = input.closest<HTMLElement>('[data-path]');
  const list = question?.querySelector<HTMLElement>('[data-files]');
  if (question === null || !list) return;
  const path = pathOf(question);
  for (const file of input.files ?? []) {
    const problems = problemsOf(page, path, file);
    showProblem(question, problems);
    if (problems.length > 0) break;
    sendInRow(page, { list, path, file }, send);
  }
  input.value = '';
  tellChange(page.form);
}

function problemsOf(page: FormPage, path: string, { name, type, size }: File): string[] {
  const { form, data, sayProblem } = page;
  const chosen = { name, type, size, field: path };
  const filling = { ...data, answers: currentAnswers(page), files: keptFiles(form), chosen };
  return judgeFilling(filling, sayProblem).problems[path] ?? [];
}

/** A file that has come is taken back without sending the form. */
function takeBack({ form, data }: FormPage, event: Event): void {
  const button = (event.target as Element).closest<HTMLButtonElement>('button[name=_drop]');
  if (button === null) return;
  event.preventDefault();
  dropFile(form, button.value);
  removeRow(form, button.closest('li') ?? button);
  const headers = { 'Tus-Resumable': '1.0.0' };
  fetch(`${data.uploadUrl}/${button.value}`, { method: 'DELETE', headers }).catch(() => undefined);
}
