import { pathOf, questionsIn, readHidden, writeHidden } from '../elements.ts';
import type { KeptFiles } from '../verdict.ts';

/** The tokens of files that have come, as they travel with the form. */
export function keptFiles(form: HTMLFormElement): KeptFiles {
  return readHidden<KeptFiles>(form, '_files', {});
}

/** Stands for a file that is not at the server, so that it is asked for again. */
const GONE = 'gone';

/** The files of a form that is left as it is now: one that has not arrived is gone. */
export function filesAsLeft(form: HTMLFormElement): KeptFiles {
  const files = keptFiles(form);
  for (const question of questionsIn(form)) {
    const path = pathOf(question);
    if (isAwaited(question) || question.querySelector('[data-failed]')) files[path] = [...(files[path] ?? []), GONE];
  }
  return files;
}

/** Whether a question has a file that was chosen and is not at the server yet. */
export function isAwaited(question: HTMLElement): boolean {
  if (question.dataset['kind'] !== 'file') return false;
  const hasChosen = [...question.querySelectorAll('input')].some(({ files }) => files !== null && files.length > 0);
  return hasChosen || question.querySelector('progress') !== null;
}

/** Adds a file to those of a question. */
export function keepFile(form: HTMLFormElement, path: string, token: string): void {
  const files = keptFiles(form);
  files[path] = [...(files[path] ?? []).filter((one) => one !== token), token];
  writeHidden(form, '_files', files);
}

/** Takes a file back, whatever question it was for. */
export function dropFile(form: HTMLFormElement, token: string): void {
  const files = Object.entries(keptFiles(form)).map(([path, tokens]) => [path, tokens.filter((one) => one !== token)]);
  writeHidden(form, '_files', Object.fromEntries(files));
}
