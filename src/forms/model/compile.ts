import { withoutCostlyCircles } from './compile/circles.ts';
import { childrenOf } from './compile/element-kind.ts';
import { readElements, readPage } from './compile/elements.ts';
import { elementsOfSchema } from './compile/json-schema-elements.ts';
import { linkNames } from './compile/link-names.ts';
import { type Note, Reading } from './compile/notes.ts';
import { isPlain, type Plain, Settings } from './compile/settings.ts';
import type { FormModel, Page } from './form-model.ts';

export type { Note } from './compile/notes.ts';

/** Reads what a form asks from whatever `form_json` is; it never throws. */
export function compileForm(formJson: unknown): FormModel {
  return explainForm(formJson).model;
}

/** The same, with notes on what was ignored of it and why. */
export function explainForm(formJson: unknown): { model: FormModel; notes: Note[] } {
  const reading = new Reading();
  const form = isPlain(formJson) ? formJson : {};
  const takesFiles = ownValue(form, 'attachments') !== false;
  const { shape, pages } = readShape(reading, form);
  if (shape === 'unknown') reading.note('', 'the shape of the form is not known: any answers are taken as they come');
  const model = withoutCostlyCircles(reading, { shape, pages: linkNames(reading, pages), takesFiles });
  return { model, notes: reading.notes };
}

function readShape(reading: Reading, form: Plain): Pick<FormModel, 'shape' | 'pages'> {
  for (const shape of ['body', 'fields'] as const) {
    const elements = ownValue(form, shape);
    if (Array.isArray(elements)) return { shape, pages: onePage(reading, form, shape, elements) };
  }
  const pages = ownValue(form, 'pages');
  if (Array.isArray(pages)) return { shape: 'pages', pages: readPages(reading, pages) };
  if (!isPlain(ownValue(form, 'properties'))) return { shape: 'unknown', pages: [] };
  return { shape: 'json-schema', pages: onePage(reading, form, 'properties', elementsOfSchema(form)) };
}

/** Pages that begin among the elements follow the first one, which is left out where it stays empty. */
function onePage(reading: Reading, form: Plain, path: string, elements: readonly unknown[]): Page[] {
  const title = typeof form['title'] === 'string' ? form['title'] : null;
  const pages: Page[] = [{ id: 'page-1', title, showWhen: null, items: [] }];
  readElements(reading, { pages, names: new Set() }, path, elements);
  return pages.length > 1 && pages[0]?.items.length === 0 ? pages.slice(1) : pages;
}

function readPages(reading: Reading, list: readonly unknown[]): Page[] {
  const pages: Page[] = [];
  const names = new Set<string>();
  for (const [i, entry] of list.entries()) {
    const path = `pages[${i}]`;
    if (!reading.takeField(path)) break;
    const settings = new Settings(isPlain(entry) ? entry : {});
    const elements = childrenOf(settings, 'items');
    if (elements === null) reading.note(path, 'a page without a list of elements has no questions');
    pages.push(readPage(reading, path, settings, pages.length + 1));
    readElements(reading, { pages, names }, path, elements ?? []);
  }
  return pages;
}

function ownValue(form: Plain, key: string): unknown {
  return Object.hasOwn(form, key) ? form[key] : undefined;
}
