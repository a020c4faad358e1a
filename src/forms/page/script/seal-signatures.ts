import type { Answers } from '../../model/form-model.ts';
import { readSigned } from '../posted-answers.ts';
import { currentAnswers } from './current-answers.ts';
import { pathOf } from './elements.ts';
import type { FormPage } from './page-data.ts';
import type { Wrong } from './problems/show-summary.ts';
import { base64Of } from './seal-base64.ts';
import type { SaySealing, SealWord } from './seal-words.ts';
import { keptFiles } from './upload/kept-files.ts';
import { judgeFilling } from './verdict.ts';

const OWN = '_signature';
const LARGEST_PICTURE = 1024 * 1024;
const PICTURES = /^image\/(?:png|jpeg)$/;

/** Puts pictures of signatures that were chosen where drawn ones stand. */
export async function readPictures(form: HTMLFormElement): Promise<void> {
  for (const block of blocksIn(form)) {
    const [file] = partOf(block, 'file')?.files ?? [];
    const image = partOf(block, 'image');
    if (file === undefined || image === undefined || signedIn(block)?.['method'] !== 'uploaded') continue;
    const isPicture = PICTURES.test(file.type) && file.size <= LARGEST_PICTURE;
    image.value = isPicture ? `data:${file.type};base64,${await base64Of(file)}` : '';
  }
}

/** The signature under the form as a whole; null where it has none. */
export function formSignature(form: HTMLFormElement): Answers | null {
  const block = blocksIn(form).find(({ dataset }) => dataset['signature'] === OWN);
  return block === undefined ? null : (signedIn(block) ?? null);
}

/** The signatures that are asked for and are none yet, as the server would say it. */
export function wrongSignatures(page: FormPage, say: SaySealing): Wrong[] {
  const filling = { ...page.data, answers: currentAnswers(page), files: keptFiles(page.form) };
  const { problems } = judgeFilling(filling, page.sayProblem);
  return blocksIn(page.form).flatMap((block): Wrong[] => {
    const question = block.closest<HTMLElement>('.question');
    if (question === null || partOf(block, 'name')?.disabled !== false) return [];
    const signed = signedIn(block);
    const missing = block.dataset['signature'] === OWN ? [say('signConfirmWanted')] : problems[pathOf(question)];
    const wrong = signed === undefined ? (missing ?? []) : lacksOf(signed).map((word) => say(word));
    return wrong.length === 0 ? [] : [[question, wrong]];
  });
}

function lacksOf({ confirmed, method, name, image }: Answers): SealWord[] {
  if (confirmed !== true) return ['signConfirmWanted'];
  if (method !== 'typed' && image === undefined) return ['signPictureWanted'];
  return image === undefined && String(name).trim() === '' ? ['signNameWanted'] : [];
}

function blocksIn(form: HTMLFormElement): HTMLElement[] {
  return [...form.querySelectorAll<HTMLElement>('[data-signature]')];
}

function partOf(block: HTMLElement, part: string): HTMLInputElement | undefined {
  const name = `${block.dataset['signature']}.${part}`;
  const inputs = [...block.querySelectorAll('input')].filter((input) => input.name === name);
  return inputs.find(({ type, checked }) => type !== 'radio' || checked);
}

/** A signature as it stands so far; undefined where there is nothing of it. */
function signedIn(block: HTMLElement): Answers | undefined {
  const parts = ['name', 'method', 'image'].map((part) => [part, partOf(block, part)?.value ?? '']);
  const confirmed = partOf(block, 'confirmed')?.checked === true ? [['confirmed', 'true']] : [];
  return readSigned(Object.fromEntries([...parts, ...confirmed]));
}
