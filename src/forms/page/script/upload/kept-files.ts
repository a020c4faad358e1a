import { readHidden, writeHidden } from '../elements.ts';
import type { KeptFiles } from '../verdict.ts';

/** The tokens of files that have come, as they travel with the form. */
export function keptFiles(form: HTMLFormElement): KeptFiles {
  return readHidden<KeptFiles>(form, '_files', {});
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
