import type { RepeatingGroup } from '../../model/form-model.ts';
import { fieldName } from '../field-name.ts';
import { answersElsewhere } from './current-answers.ts';
import { type Control, controlsIn, make, pathOf, writeHidden } from './elements.ts';
import type { FormPage } from './page-data.ts';
import { questionOf } from './question-of.ts';
import type { SaySealing } from './seal-words.ts';
import { helpWith } from './signature/sign.ts';
import { keptFiles } from './upload/kept-files.ts';

/** Adds and removes entries of groups in the page, as no answer may travel for it. */
export function changeEntries(page: FormPage, say: SaySealing): void {
  page.form.addEventListener('click', (event) => {
    const button = (event.target as Element).closest<HTMLButtonElement>('button[name=_add], button[name=_remove]');
    const element = button?.closest<HTMLElement>('.question[data-kind=group]') ?? null;
    if (button === null || element === null) return;
    event.preventDefault();
    const question = questionOf(page.data.model, pathOf(element));
    if (question?.kind !== 'group') return;
    if (button.name === '_add') addEntry(page, element, question);
    else removeEntry(page, element, question, button);
    offerButtons(element, question, say);
    page.form.dispatchEvent(new Event('change', { bubbles: true }));
  });
}

function addEntry(page: FormPage, element: HTMLElement, group: RepeatingGroup): void {
  const entries = entriesIn(element);
  const last = entries.at(-1);
  if (last === undefined || entries.length >= group.most) return;
  const copy = last.cloneNode(true) as HTMLElement;
  makeBlank(copy);
  giveNewIds(page.form, copy);
  renumber(copy, group, entries.length - 1, entries.length);
  last.after(copy);
  for (const block of copy.querySelectorAll<HTMLElement>('[data-signature]')) helpWith(page, block);
  controlsIn(copy)
    .find(({ type, disabled }) => type !== 'hidden' && !disabled)
    ?.focus();
}

function removeEntry(page: FormPage, element: HTMLElement, group: RepeatingGroup, button: HTMLButtonElement): void {
  const entries = entriesIn(element);
  const at = entries.findIndex((entry) => entry.contains(button));
  if (at === -1 || entries.length <= fewestOf(group)) return;
  entries[at]?.remove();
  for (const [place, entry] of entries.entries()) if (place > at) renumber(entry, group, place, place - 1);
  writeHidden(page.form, '_files', withoutEntry(keptFiles(page.form), group.name, at));
  const { [group.name]: hidden, ...others } = answersElsewhere(page.form);
  if (Array.isArray(hidden)) {
    writeHidden(page.form, '_answers', { ...others, [group.name]: hidden.filter((_entry, place) => place !== at) });
  }
  element.querySelector<HTMLElement>('[name=_add]')?.focus();
}

/** There is a button for more while more are taken, and one at each entry while fewer would do. */
function offerButtons(element: HTMLElement, group: RepeatingGroup, say: SaySealing): void {
  const entries = entriesIn(element);
  for (const add of element.querySelectorAll<HTMLElement>('[name=_add]')) add.hidden = entries.length >= group.most;
  for (const [place, entry] of entries.entries()) {
    entry.querySelector('[name=_remove]')?.remove();
    if (entries.length <= fewestOf(group)) continue;
    const words = say('removeEntry');
    const given = { class: 'small', name: '_remove', value: `${group.name}.${place}` };
    entry.append(make('button', { ...given, 'aria-label': `${words}: ${group.label} ${place + 1}` }, words));
  }
}

function fewestOf({ least }: RepeatingGroup): number {
  return Math.max(1, least);
}

function entriesIn(element: HTMLElement): HTMLElement[] {
  return [...element.querySelectorAll<HTMLElement>('.entry')];
}

function makeBlank(entry: HTMLElement): void {
  for (const gone of entry.querySelectorAll('.problem, .signature-preview, [data-files] > *, [data-pad] > *'))
    gone.remove();
  for (const wrong of entry.querySelectorAll('.wrong')) wrong.classList.remove('wrong');
  for (const control of controlsIn(entry)) {
    if (control instanceof HTMLSelectElement) control.selectedIndex = 0;
    else if (/^(?:radio|checkbox)$/.test(control.type)) (control as HTMLInputElement).checked = isFirstWay(control);
    else control.value = '';
  }
}

/** Whoever says nothing else signs by typing. */
function isFirstWay(control: Control): boolean {
  return control.value === 'typed' && control.closest('[data-signature]') !== null;
}

const WITH_IDS = ['id', 'for', 'aria-describedby', 'aria-labelledby', 'list'];

/** Every question has a number, which stands in the ids of all that belongs to it. */
function giveNewIds(form: HTMLFormElement, entry: HTMLElement): void {
  const taken = [...form.querySelectorAll('.question')].map(({ id }) => Number(id.replace('question-', '')) || 0);
  const numbers = new Map<string, number>();
  let next = Math.max(...taken);
  const renew = (_whole: string, kind: string, number: string): string => {
    if (!numbers.has(number)) numbers.set(number, (next += 1));
    return `${kind}${numbers.get(number)}`;
  };
  rewrite(entry, WITH_IDS, (value) => value.replace(/([a-z]+-)(\d+)/g, renew));
}

/** Moves an entry from one place to another. */
function renumber(entry: HTMLElement, { name, label }: RepeatingGroup, from: number, to: number): void {
  rewrite(entry, ['name', 'data-signature'], moved(`${fieldName([name, from])}.`, `${fieldName([name, to])}.`));
  rewrite(entry, ['data-path', 'data-files'], moved(`${name}.${from}.`, `${name}.${to}.`));
  const legend = entry.querySelector('legend');
  if (legend !== null) legend.textContent = `${label} ${to + 1}`;
}

/** What a text is whose beginning has become another. */
function moved(before: string, after: string): (value: string) => string {
  return (value) => (value.startsWith(before) ? after + value.slice(before.length) : value);
}

function rewrite(entry: HTMLElement, attributes: readonly string[], change: (value: string) => string): void {
  for (const attribute of attributes) {
    for (const element of entry.querySelectorAll(`[${attribute}]`)) {
      element.setAttribute(attribute, change(element.getAttribute(attribute) ?? ''));
    }
  }
}

/** The files of the entries that are left. */
function withoutEntry(files: Record<string, string[]>, group: string, gone: number): Record<string, string[]> {
  const kept = Object.entries(files).flatMap(([path, tokens]): [string, string[]][] => {
    const [, place, inside] = path.startsWith(`${group}.`)
      ? (/^(\d+)\.(.*)$/s.exec(path.slice(group.length + 1)) ?? [])
      : [];
    if (place === undefined || Number(place) < gone) return [[path, tokens]];
    return Number(place) === gone ? [] : [[`${group}.${Number(place) - 1}.${inside}`, tokens]];
  });
  return Object.fromEntries(kept);
}
