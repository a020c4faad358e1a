import { CHILD_KEYS, kindOf } from '../../../../src/forms/model/compile/element-kind.ts';
import { elementsOfSchema } from '../../../../src/forms/model/compile/json-schema-elements.ts';
import { isPlain, type Plain } from '../../../../src/forms/model/compile/settings.ts';
import { type Draft, type DraftPage, type Element, newKey, type Shape } from './draft.ts';
import { locate, setAt, settingsOf, valueAt } from './settings.ts';

/** A form as far as the builder changes it. */
export interface StoredForm {
  title: string;
  description: string | null;
  recipient: string | null;
  subscription_list_id: string | null;
  signable: boolean;
  signature_confirmation_label: string | null;
  form_html: string | null;
  form_css: string | null;
  form_json: Record<string, unknown> | null;
}

/** Opens a stored form for changes. */
export function readDraft(form: StoredForm): Draft {
  return {
    title: form.title,
    description: form.description ?? '',
    recipient: form.recipient ?? '',
    listId: form.subscription_list_id ?? '',
    signable: form.signable,
    signatureLabel: form.signature_confirmation_label ?? '',
    html: form.form_html ?? '',
    css: form.form_css ?? '',
    ...readPages(form.form_json ?? {}),
  };
}

/** How a form is written, as far as that makes a difference to whoever changes it. */
export function writtenAs(json: Record<string, unknown> | null): 'list' | 'schema' | 'nothing' | 'unknown' {
  const form = json ?? {};
  if (['body', 'fields', 'pages'].some((key) => Array.isArray(form[key]))) return 'list';
  if (isPlain(form['properties'])) return 'schema';
  return Object.keys(form).length === 0 ? 'nothing' : 'unknown';
}

function readPages(json: Plain): Pick<Draft, 'json' | 'shape' | 'pages'> {
  for (const shape of ['body', 'fields'] as const) {
    const list = json[shape];
    if (Array.isArray(list)) return flat({ ...json, [shape]: [] }, shape, list);
  }
  if (Array.isArray(json['pages'])) {
    const pages = json['pages'].flatMap(readEntry);
    return { json: { ...json, pages: [] }, shape: 'pages', pages: pages.length > 0 ? pages : [emptyPage()] };
  }
  // A schema becomes the list of fields that the product reads from it.
  if (isPlain(json['properties'])) {
    const { properties: _properties, required: _required, type: _type, ...rest } = json;
    return flat({ ...rest, fields: [] }, 'fields', elementsOfSchema(json));
  }
  return { json: { ...json, pages: [] }, shape: 'pages', pages: [emptyPage()] };
}

/** A page with nothing on it. */
export function emptyPage(raw: Plain = {}): DraftPage {
  return { key: newKey(), kind: 'entry', raw: { ...raw, fields: [] }, childPath: ['fields'], items: [] };
}

function flat(json: Plain, shape: Shape, list: readonly unknown[]): Pick<Draft, 'json' | 'shape' | 'pages'> {
  const first: DraftPage = { key: newKey(), kind: 'first', raw: {}, childPath: null, items: [] };
  const pages = cutAtBreaks(first, list);
  return { json, shape, pages: pages.length > 1 && pages[0]?.items.length === 0 ? pages.slice(1) : pages };
}

function readEntry(entry: unknown): DraftPage[] {
  const { raw, childPath, inside } = takeApart(isPlain(entry) ? entry : {}, [...CHILD_KEYS, 'items']);
  return cutAtBreaks({ key: newKey(), kind: 'entry', raw, childPath, items: [] }, inside);
}

/** Page elements among others begin pages, and those after one stand on it too. */
function cutAtBreaks(first: DraftPage, list: readonly unknown[]): DraftPage[] {
  const pages = [{ page: first, items: [] as Element[] }];
  for (const value of list) {
    if (isPlain(value) && kindOf(settingsOf(value)) === 'page') {
      const { raw, childPath, inside } = takeApart(value, [...CHILD_KEYS, 'items']);
      const page: DraftPage = { key: newKey(), kind: 'break', raw, childPath, items: [] };
      pages.push({ page, items: inside.map(readElement) });
      continue;
    }
    const current = pages.at(-1);
    const element = readElement(value);
    const isOutside = current?.page.kind === 'break' && current.page.childPath !== null;
    current?.items.push(isOutside ? { ...element, outside: true } : element);
  }
  return pages.map(({ page, items }) => ({ ...page, items }));
}

/** An element as it is written, opened for changes. */
export function readElement(value: unknown): Element {
  if (!isPlain(value)) return { key: newKey(), raw: value, childPath: null, children: [] };
  const kind = kindOf(settingsOf(value));
  const more = { page: ['items'], section: ['items'], group: ['items', 'columns'] }[kind as string];
  if (more === undefined) return { key: newKey(), raw: value, childPath: null, children: [] };
  const { raw, childPath, inside } = takeApart(value, [...CHILD_KEYS, ...more]);
  return { key: newKey(), raw, childPath, children: inside.map(readElement) };
}

function takeApart(element: Plain, keys: readonly string[]) {
  const childPath = locate(element, keys, Array.isArray);
  if (childPath === null) return { raw: element, childPath, inside: [] };
  return { raw: setAt(element, childPath, []), childPath, inside: valueAt(element, childPath) as unknown[] };
}
