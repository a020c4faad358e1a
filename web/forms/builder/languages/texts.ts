import { isPlain, type Plain } from '../../../../src/forms/model/compile/settings.ts';
import { words } from '../../../words/builder/languages.ts';
import type { Draft, Element } from '../draft/draft.ts';
import { idOfElement, idOfPage } from '../draft/ids.ts';
import { kindOfElement } from '../draft/kinds.ts';
import { nameOf } from '../draft/names.ts';
import { COLUMNS, OPTIONS, optionsOf, ROWS } from '../draft/options.ts';
import { SETTINGS, type Setting, settingsOf, textOf } from '../draft/settings.ts';
import { allElements } from '../draft/tree.ts';
import { elementInWords, pageInWords } from '../place-in-words.ts';

/** A text of a form that can be said in other languages. */
export interface Text {
  /** The page or element that it belongs to; null for the form as a whole. */
  key: string | null;
  /** What it belongs to and what it is, in words. */
  of: string;
  what: string;
  own: string;
  /** Where its translation stands within a language; further places where the product finds it too. */
  path: readonly string[];
  also: readonly (readonly string[])[];
}

/** Every text of a form, in the order of its pages. */
export function textsOf(draft: Draft): Text[] {
  const elements = allElements(draft);
  return [
    ...whole('title', words.title, draft.title),
    ...whole('description', words.description, draft.description),
    ...(draft.signable ? whole('signature_confirmation_label', words.signature, draft.signatureLabel) : []),
    ...draft.pages.flatMap((page) => [
      ...textsAt(
        page.key,
        pageInWords(draft, page),
        [idOfPage(draft, page)],
        [
          {
            what: words.title,
            own: settingsOf(page.raw).text(...SETTINGS.title.keys) ?? '',
            parts: ['title', 'label', 'text'],
          },
        ],
      ),
      ...elements.filter((each) => each.page.key === page.key).flatMap(({ element }) => textsIn(draft, element)),
    ]),
  ];
}

function whole(name: string, what: string, own: string): Text[] {
  return own.trim() === '' ? [] : [{ key: null, of: words.form, what, own, path: [name], also: [] }];
}

interface Part {
  what: string;
  own: string;
  /** The names under which the product looks for it, the usual one first. */
  parts: readonly string[];
  /** Set for a text within a list of choices. */
  within?: string;
}

function textsAt(key: string, of: string, ids: readonly string[], parts: readonly Part[]): Text[] {
  return parts
    .filter(({ own }) => own.trim() !== '')
    .map(({ what, own, parts: names, within }) => {
      const paths = ids.flatMap((id) =>
        names.map((name) => ['items', id, ...(within === undefined ? [] : [within]), name]),
      );
      return { key, of, what, own, path: paths[0] ?? [], also: paths.slice(1) };
    });
}

function textsIn(draft: Draft, element: Element): Text[] {
  const kind = kindOfElement(element);
  if (kind === 'ornament') return [];
  const { raw } = element;
  const text = (setting: Setting) => textOf(raw, setting);
  const ids = [...new Set([idOfElement(draft, element), nameOf(element) ?? ''])].filter((id) => id !== '');
  const at = (parts: readonly Part[]) => textsAt(element.key, elementInWords(element), ids, parts);
  if (kind === 'heading')
    return at([{ what: words.text, own: text(SETTINGS.headingText), parts: ['text', 'label', 'title'] }]);
  if (kind === 'section')
    return at([{ what: words.title, own: text(SETTINGS.title), parts: ['title', 'label', 'text'] }]);
  if (kind === 'hidden') return [];
  const label: Part = { what: words.label, own: elementInWords(element), parts: ['label', 'title', 'text'] };
  const help: Part = { what: words.help, own: text(SETTINGS.help), parts: ['help'] };
  if (kind === 'consent') {
    return at([
      { ...label, parts: ['label', 'title'] },
      { what: words.consent, own: text(SETTINGS.consentText), parts: ['text'] },
      help,
    ]);
  }
  return at([label, help, ...choiceTexts(kind, raw)]);
}

function choiceTexts(kind: string, raw: unknown): Part[] {
  const lists =
    kind === 'matrix'
      ? ([
          ['rows', ROWS],
          ['columns', COLUMNS],
        ] as const)
      : ['select', 'radio', 'checkboxes'].includes(kind)
        ? ([['options', OPTIONS]] as const)
        : [];
  return lists.flatMap(([within, list]) =>
    optionsOf(raw, list).map(({ label, value }) => ({ what: words.choice, own: label, parts: [value], within })),
  );
}

/** What a text is in a language; '' where it is not translated. */
export function translationOf({ json }: Draft, language: string, { path, also }: Text): string {
  const translations = json['translations'];
  const own = isPlain(translations) ? translations[language] : undefined;
  for (const each of [path, ...also]) {
    const value = each.reduce<unknown>(
      (at, name) => (isPlain(at) && Object.hasOwn(at, name) ? at[name] : undefined),
      own,
    );
    if (typeof value === 'string' && value.trim() !== '') return value;
  }
  return '';
}

/** The draft with a text said in a language; an empty one takes it away. */
export function withTranslation(draft: Draft, language: string, text: Text, said: string): Draft {
  const translations = isPlain(draft.json['translations']) ? draft.json['translations'] : {};
  const own = isPlain(translations[language]) ? translations[language] : {};
  const without = [text.path, ...text.also].reduce((at, path) => put(at, path, undefined), own);
  const next = said === '' ? without : put(without, text.path, said);
  return { ...draft, json: { ...draft.json, translations: { ...translations, [language]: next } } };
}

/** An object with a value at a path; undefined takes it away and leaves no empty objects behind. */
function put(source: Plain, [name = '', ...rest]: readonly string[], value: unknown): Plain {
  const { [name]: before, ...others } = source;
  if (rest.length === 0) return value === undefined ? others : { ...source, [name]: value };
  const inner = put(isPlain(before) ? before : {}, rest, value);
  return Object.keys(inner).length === 0 ? others : { ...source, [name]: inner };
}
