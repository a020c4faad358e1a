import { pathOf, questionsIn, writeHidden } from './elements.ts';
import type { Saved } from './saved-answers.ts';
import { keptFiles } from './upload/kept-files.ts';

/** Whether the page has all entries and files that are kept, and no others. */
export function showsAll(form: HTMLFormElement, { answers, files }: Saved): boolean {
  const listed = keptFiles(form);
  return questionsIn(form).every((question) => {
    const path = pathOf(question);
    if (question.dataset['kind'] === 'file') return isSame(listed[path], files[path]);
    const entries = question.dataset['kind'] === 'group' ? answers[path] : null;
    return !Array.isArray(entries) || entries.length === question.querySelectorAll('.entry').length;
  });
}

function isSame(some: readonly string[] = [], others: readonly string[] = []): boolean {
  return some.join() === others.join();
}

/**
 * Lets the server draw the step once more with what is kept: it alone draws entries, and knows what files are called. As
 * the page is not yet loaded, the one that comes takes its place in the history.
 */
export function redraw(form: HTMLFormElement, { answers, files }: Saved): void {
  const again = form.cloneNode() as HTMLFormElement;
  for (const control of form.querySelectorAll('input[type=hidden][name^=_]')) again.append(control.cloneNode());
  writeHidden(again, '_answers', answers);
  writeHidden(again, '_files', files);
  writeHidden(again, '_seen', []);
  // What is typed into the page that goes would be lost.
  form.setAttribute('inert', '');
  form.after(again);
  again.submit();
}
