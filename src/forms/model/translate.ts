import { isPlain, type Plain, textIn } from './compile/settings.ts';
import type { Choice, FormModel, Item, Page, Question, RepeatingGroup } from './form-model.ts';

type Of<K extends Question['kind']> = Extract<Question, { kind: K }>;

const OWN_LANGUAGE = 'en';
const MOST_LANGUAGES = 50;
const TAG = /^[a-z]{2,8}(?:-[a-z0-9]{1,8}){0,3}$/i;

/** The texts of a form that are not its model. */
export interface Texts {
  title: string;
  description: string | null;
  /** What is confirmed by signing. */
  label: string | null;
}

/** The languages of a form, the one it is written in first. */
export function languagesOf(formJson: unknown): string[] {
  const own = textIn(valueOf(formJson, 'language')) ?? OWN_LANGUAGE;
  const translations = valueOf(formJson, 'translations');
  const others = isPlain(translations) ? Object.keys(translations).filter((tag) => isPlain(translations[tag])) : [];
  const tags = [TAG.test(own) ? own : OWN_LANGUAGE, ...others.filter((tag) => TAG.test(tag))];
  return [...new Set(tags)].slice(0, MOST_LANGUAGES);
}

/** A form in one of its languages. What is not translated stays as it is. */
export function translateForm<T extends Texts & { model: FormModel }>(form: T, formJson: unknown, language: string): T {
  const translation = valueOf(valueOf(formJson, 'translations'), language);
  if (!isPlain(translation)) return form;
  const items = valueOf(translation, 'items');
  return {
    ...form,
    title: textAt(translation, 'title') ?? form.title,
    description: textAt(translation, 'description') ?? form.description,
    label: textAt(translation, 'signature_confirmation_label') ?? form.label,
    model: isPlain(items) ? translateModel(form.model, items) : form.model,
  };
}

/** What was worked out of a model is kept with it, so a translated one should be the same each time. */
const translated = new WeakMap<FormModel, WeakMap<Plain, FormModel>>();

function translateModel(model: FormModel, items: Plain): FormModel {
  const known = translated.get(model) ?? new WeakMap<Plain, FormModel>();
  const made = known.get(items) ?? { ...model, pages: model.pages.map((page) => translatePage(page, items)) };
  translated.set(model, known.set(items, made));
  return made;
}

function translatePage(page: Page, items: Plain): Page {
  const own = valueOf(items, page.id);
  const title = textAt(own, 'title', 'label', 'text') ?? page.title;
  return { ...page, title, items: page.items.map((item) => translateItem(item, items)) };
}

function translateItem(item: Item, items: Plain): Item {
  if (item.kind === 'heading') {
    return { ...item, text: textAt(valueOf(items, item.id), 'text', 'label', 'title') ?? item.text };
  }
  if (item.kind === 'section') {
    const title = textAt(valueOf(items, item.id), 'title', 'label', 'text') ?? item.title;
    return { ...item, title, items: item.items.map((inside) => translateItem(inside, items)) };
  }
  if (item.kind === 'group') {
    const group = withAskedTexts(item, items);
    return { ...group, items: item.items.map((inside) => translateItem(inside, items) as typeof inside) };
  }
  return translateQuestion(item, items);
}

function translateQuestion(question: Question, items: Plain): Question {
  const own = translationOf(question, items);
  if (question.kind === 'consent' && question.label === question.text) return withOneText(question, own);
  const asked = withAskedTexts(question, items);
  if ('choices' in asked) return { ...asked, choices: translateChoices(asked.choices, valueOf(own, 'options')) };
  if (asked.kind === 'consent') return { ...asked, text: textAt(own, 'text') ?? asked.text };
  if (asked.kind !== 'matrix') return asked;
  return {
    ...asked,
    rows: translateChoices(asked.rows, valueOf(own, 'rows')),
    columns: translateChoices(asked.columns, valueOf(own, 'columns')),
  };
}

/** A consent that says only one thing has one text for both. */
function withOneText(consent: Of<'consent'>, own: unknown): Question {
  const text = textAt(own, 'label', 'text', 'title') ?? consent.text;
  return { ...consent, label: text, text, help: textAt(own, 'help') ?? consent.help };
}

function withAskedTexts<Q extends Question | RepeatingGroup>(question: Q, items: Plain): Q {
  const own = translationOf(question, items);
  const label = question.kind === 'consent' ? textAt(own, 'label', 'title') : textAt(own, 'label', 'title', 'text');
  return { ...question, label: label ?? question.label, help: textAt(own, 'help') ?? question.help };
}

/** By the id of a question, which stays when it is renamed, or else by its name. */
function translationOf({ id, name }: Question | RepeatingGroup, items: Plain): unknown {
  return valueOf(items, id) ?? valueOf(items, name);
}

function translateChoices(choices: readonly Choice[], labels: unknown): Choice[] {
  return choices.map((choice) => ({ ...choice, label: textAt(labels, choice.value) ?? choice.label }));
}

/** The first text that stands under one of these keys. */
function textAt(source: unknown, ...keys: string[]): string | null {
  return keys.map((key) => textIn(valueOf(source, key))).find((text) => text !== null) ?? null;
}

function valueOf(source: unknown, key: string): unknown {
  return isPlain(source) && Object.hasOwn(source, key) ? source[key] : undefined;
}
