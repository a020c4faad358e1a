import { isPlain, type Plain } from '../model/compile/settings.ts';
import { choiceIn } from './codings.ts';
import { extensionsOf, ownUrl, ownValue, STANDARD } from './extensions.ts';
import { hasControl, type ItemKind, kindOf } from './kinds-of-items.ts';

/** Under which key the words of a kind stand in a translation; those of questions are labels. */
const WORDS: Partial<Record<ItemKind, string>> = { page: 'title', section: 'title', heading: 'text' };

const SILENT = { add: () => undefined };

/** What is said of an item in another language: texts, and those of its choices by their values. */
type Words = Map<string, string | Map<string, string>>;

type Translations = Map<string, { texts: Plain; items: Map<string, Words> }>;

/** An item that others stand in, as far as these need to know. */
interface Around {
  id: string;
  kind: ItemKind;
}

/** The translations of a Questionnaire as a form keeps them; undefined where it has none. */
export function readTranslations(root: Plain): Plain | undefined {
  const translations: Translations = new Map();
  for (const key of ['title', 'description']) {
    for (const [language, text] of textsIn(root[`_${key}`])) of(translations, language).texts[key] = text;
  }
  const [label] = extensionsOf(root, ownUrl('signature-label'));
  for (const [language, text] of textsIn(label?.['_valueString'])) {
    of(translations, language).texts['signature_confirmation_label'] = text;
  }
  const top: Around = { id: '', kind: 'page' };
  const left = listOf(root['item']).map((item) => ({ item, parent: top }));
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { item, parent } = next;
    const own = { id: String(ownValue(item, 'id') ?? item['linkId']), kind: kindOf(item, SILENT) };
    for (const inner of listOf(item['item'])) left.push({ item: inner, parent: own });
    readItem(translations, item, own, parent);
  }
  if (translations.size === 0) return undefined;
  return Object.fromEntries(
    [...translations].map(([language, { texts, items }]) => [language, { ...texts, items: plain(items) }]),
  );
}

function readItem(translations: Translations, item: Plain, own: Around, parent: Around): void {
  const { kind } = own;
  const isRow = parent.kind === 'matrix' && kind !== 'heading';
  const isHelp = kind === 'heading' && hasControl(item, 'help');
  const isConsent = kind === 'heading' && parent.kind === 'consent' && !isHelp;
  for (const [language, text] of textsIn(item['_text'])) {
    if (isRow) choicesOf(translations, language, parent, 'rows').set(rowOf(item), text);
    else if (isHelp) wordsOf(translations, language, parent).set('help', text);
    else if (isConsent) wordsOf(translations, language, parent).set('text', text);
    else wordsOf(translations, language, own).set(WORDS[kind] ?? 'label', text);
  }
  for (const { valueCoding } of listOf(item['answerOption'])) {
    const value = choiceIn(valueCoding)?.value;
    if (value === undefined || !isPlain(valueCoding)) continue;
    for (const [language, text] of textsIn(valueCoding['_display'])) {
      choicesOf(translations, language, isRow ? parent : own, isRow ? 'columns' : 'options').set(value, text);
    }
  }
}

function rowOf(row: Plain): string {
  return String(ownValue(row, 'value') ?? row['linkId']);
}

function wordsOf(translations: Translations, language: string, { id }: Around): Words {
  const { items } = of(translations, language);
  const known: Words = items.get(id) ?? new Map();
  items.set(id, known);
  return known;
}

function choicesOf(translations: Translations, language: string, item: Around, key: string): Map<string, string> {
  const words = wordsOf(translations, language, item);
  const there = words.get(key);
  const known = there instanceof Map ? there : new Map<string, string>();
  words.set(key, known);
  return known;
}

function plain(items: Map<string, Words>): Plain {
  const texts = (words: Words) =>
    [...words].map(([key, text]) => [key, text instanceof Map ? Object.fromEntries(text) : text]);
  return Object.fromEntries([...items].map(([id, words]) => [id, Object.fromEntries(texts(words))]));
}

function of(translations: Translations, language: string) {
  const known = translations.get(language) ?? { texts: {}, items: new Map<string, Words>() };
  translations.set(language, known);
  return known;
}

/** The texts in other languages that stand beside one. */
function textsIn(element: unknown): [language: string, text: string][] {
  return extensionsOf(element, STANDARD.translation).flatMap((translation) => {
    const parts = listOf(translation['extension']);
    const language = parts.find(({ url }) => url === 'lang')?.['valueCode'];
    const content = parts.find(({ url }) => url === 'content');
    const text = content?.['valueString'] ?? content?.['valueMarkdown'];
    return typeof language === 'string' && typeof text === 'string' ? [[language, text]] : [];
  });
}

function listOf(value: unknown): Plain[] {
  return Array.isArray(value) ? value.filter(isPlain) : [];
}
