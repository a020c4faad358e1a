import type { FormModel, Item } from '../model/form-model.ts';
import { languagesOf, translateForm } from '../model/translate.ts';
import { type Finding, warning } from './finding.ts';

/** What is missing in the other languages of a form. */
export function checkLanguages(title: string, model: FormModel, formJson: unknown): Finding[] {
  const [, ...others] = languagesOf(formJson);
  const own = { title, description: null, label: null, model };
  return others.flatMap((language) => {
    const told = translateForm(own, formJson, language);
    const before = textsOf(model);
    const same = textsOf(told.model).filter((text, at) => text !== '' && text === before[at]).length;
    const missing = same + (told.title === title ? 1 : 0);
    if (missing === 0) return [];
    const words = missing === 1 ? 'One text is' : `${missing} texts are`;
    return [warning(null, `${nameOf(language)}: ${words} not translated, and shown in the language of the form.`)];
  });
}

function nameOf(language: string): string {
  return new Intl.DisplayNames(['en'], { type: 'language', fallback: 'code' }).of(language) ?? language;
}

function textsOf({ pages }: FormModel): string[] {
  return pages.flatMap((page) => [page.title ?? '', ...page.items.flatMap(textsIn)]);
}

function textsIn(item: Item): string[] {
  if (item.kind === 'heading') return [item.text];
  if (item.kind === 'section') return [item.title ?? '', ...item.items.flatMap(textsIn)];
  if (item.kind === 'hidden' || item.kind === 'calculated') return [];
  const own = [item.label, item.help ?? ''];
  return item.kind === 'group' ? [...own, ...item.items.flatMap(textsIn)] : own;
}
