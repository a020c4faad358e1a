import { OTHER_CHOICE, OWN_WORDS } from '../field-name.ts';
import type { FormPage } from './page-data.ts';

const END = `.${OWN_WORDS}`;

/** Ticks the choice that stands for own words once some are written, and empties them when its tick is taken away. */
export function tickOwnWords({ form }: FormPage): void {
  form.addEventListener('input', ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return;
    if (target.name.endsWith(END)) {
      if (target.value.trim() !== '') choose(form, target.name.slice(0, -END.length));
    } else if (target.type === 'checkbox' && target.value === OTHER_CHOICE && !target.checked) {
      for (const words of named(form, target.name + END)) (words as HTMLInputElement).value = '';
    }
  });
}

function choose(form: HTMLFormElement, name: string): void {
  for (const control of named(form, name)) {
    if (control instanceof HTMLSelectElement) control.value = OTHER_CHOICE;
    else if (control instanceof HTMLInputElement && control.value === OTHER_CHOICE) control.checked = true;
  }
}

function named(form: HTMLFormElement, name: string): Element[] {
  return [...form.elements].filter((control) => control.getAttribute('name') === name);
}
