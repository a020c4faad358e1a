import { sealTo } from '../../end-to-end/age.ts';
import type { SealedContent } from '../../end-to-end/content.ts';
import { currentAnswers } from './current-answers.ts';
import type { FormPage } from './page-data.ts';
import { showProblem } from './problems/show-problem.ts';
import { showSummary, type Wrong } from './problems/show-summary.ts';
import { changeEntries } from './seal-entries.ts';
import { SealedUploads } from './seal-files.ts';
import { postSealed } from './seal-post.ts';
import { formSignature, readPictures, wrongSignatures } from './seal-signatures.ts';
import type { SaySealing } from './seal-words.ts';
import { keptFiles } from './upload/kept-files.ts';

/** Lets a form be filled in whose answers leave the browser encrypted to those who may read them, and in no other way. */
export function sealForm(page: FormPage): void {
  const { form, data } = page;
  const say: SaySealing = (word) => data.sealWords[word] ?? '';
  const uploads = new SealedUploads(data.sealedTo);
  const seal = rememberingLast((text) => sealTo(data.sealedTo, text));
  page.wrapSending = (send) => uploads.wrap(send);
  page.sendInstead = async (go) => {
    if (go !== 'submit') return null;
    await readPictures(form);
    if (!isComplete(page, say)) return null;
    const kept = keptFiles(form);
    const content: SealedContent = {
      form: data.formId,
      version: data.version,
      answers: currentAnswers(page),
      signature: formSignature(form),
      files: uploads.describe(kept),
    };
    const sealed = await seal(JSON.stringify(content)).catch(() => null);
    return sealed && postSealed(form, { sealed, tokens: Object.values(kept).flat() }, say);
  };
  changeEntries(page, say);
  const cover = form.querySelector<HTMLFieldSetElement>('[data-sealed]');
  if (cover !== null) cover.disabled = false;
}

/** Whether nothing is wrong that the server would find in a form that it can read. */
function isComplete(page: FormPage, say: SaySealing): boolean {
  const wrong: Wrong[] = [...wrongSignatures(page, say), ...unsentFiles(page)];
  for (const [question, problems] of wrong) showProblem(question, problems);
  showSummary(page, wrong);
  return wrong.length === 0;
}

/** Files that were chosen and could not be sent ahead. */
function unsentFiles({ form, say }: FormPage): Wrong[] {
  const inputs = [...form.querySelectorAll<HTMLInputElement>('input[type=file][data-upload]')];
  return inputs.flatMap((input): Wrong[] => {
    const question = input.closest<HTMLElement>('.question');
    const isLeft = !input.disabled && input.files !== null && input.files.length > 0;
    return isLeft && question !== null ? [[question, [say('uploadFailed')]]] : [];
  });
}

/** The same answers are sent as the same bytes, so that they are known again when they are sent twice. */
function rememberingLast<V>(work: (text: string) => Promise<V>): (text: string) => Promise<V> {
  let last: { text: string; made: Promise<V> } | null = null;
  return (text) => {
    if (last?.text !== text) last = { text, made: work(text) };
    return last.made;
  };
}
