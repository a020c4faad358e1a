import { type Expression, namesIn, renameIn } from '../expression/syntax.ts';
import type { FormModel, Item, Page } from '../form-model.ts';
import { slugsOf } from '../slug.ts';
import type { Reading } from './notes.ts';

/** The name of the question that a word stands for. */
type Names = (word: string) => string | undefined;

/** Makes every expression speak of questions by their names, where it spoke of their ids or slugs. */
export function linkNames(reading: Reading, pages: readonly Page[]): FormModel['pages'] {
  const names = namesOf(pages.flatMap((page) => page.items));
  return pages.map((page) => ({
    ...page,
    showWhen: linked(reading, page.id, names, page.showWhen),
    items: page.items.map((item) => linkItem(reading, names, item)),
  }));
}

function linkItem<T extends Item>(reading: Reading, names: Names, item: T): T;
function linkItem(reading: Reading, names: Names, item: Item): Item {
  const showWhen = linked(reading, item.id, names, item.showWhen);
  if (item.kind === 'heading') return { ...item, showWhen };
  if (item.kind === 'section') {
    return { ...item, showWhen, items: item.items.map((inner) => linkItem(reading, names, inner)) };
  }
  const requireWhen = linked(reading, item.id, names, item.requireWhen);
  if (item.kind === 'group') {
    const own = namesOf(item.items);
    const inside: Names = (word) => own(word) ?? names(word);
    return { ...item, showWhen, requireWhen, items: item.items.map((inner) => linkItem(reading, inside, inner)) };
  }
  if (item.kind !== 'calculated') return { ...item, showWhen, requireWhen };
  return { ...item, showWhen, requireWhen, formula: linked(reading, item.id, names, item.formula) };
}

function linked<T extends Expression | null>(reading: Reading, path: string, names: Names, expression: T): T;
function linked(reading: Reading, path: string, names: Names, expression: Expression | null): Expression | null {
  if (expression === null) return null;
  for (const name of namesIn(expression)) {
    if (names(name) === undefined) reading.note(path, 'an expression speaks of a question that is not there');
  }
  return renameIn(expression, (name) => names(name) ?? name);
}

/** Names win over ids, and ids over slugs. */
function namesOf(items: readonly Item[]): Names {
  const asked = items.flatMap(askedIn);
  const names = new Map<string, string>();
  for (const word of [({ name }: Word) => [name], ({ id }: Word) => [id], ({ name }: Word) => slugsOf(name)]) {
    for (const question of asked) {
      for (const key of word(question)) if (!names.has(key)) names.set(key, question.name);
    }
  }
  return (word) => names.get(word);
}

type Word = { name: string; id: string };

function askedIn(item: Item): Word[] {
  if (item.kind === 'section') return item.items.flatMap(askedIn);
  return item.kind === 'heading' ? [] : [item];
}
