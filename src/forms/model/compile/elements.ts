import type { Asked, Deidentify, Heading, Item, Page, Question, RepeatingGroup } from '../form-model.ts';
import { stepsOfItems } from '../steps.ts';
import { readRequireWhen, readShowWhen } from './conditions.ts';
import { childrenOf, kindOf, takesAnything } from './element-kind.ts';
import { readEntries } from './limits.ts';
import { DEEPEST_NESTING, type Reading } from './notes.ts';
import { readQuestion } from './question.ts';
import { isPlain, type Plain, Settings } from './settings.ts';

const CHOICES_OF_A_QUESTION = 20;
const DEIDENTIFY: readonly Deidentify[] = ['keep', 'drop', 'year', 'age', 'zip'];

/** The pages of a form while they are read, and the names that its questions have so far. */
export interface Book {
  pages: Page[];
  names: Set<string>;
}

/** Reads a list of elements into the last of the pages; page breaks and pages among them begin new ones. */
export function readElements(reading: Reading, book: Book, path: string, elements: readonly unknown[]): void {
  const items = book.pages.at(-1)?.items ?? [];
  readInto(reading, { ...book, items, depth: 1 }, path, elements);
}

/** An empty page with the title and the condition of an element. */
export function readPage(reading: Reading, path: string, settings: Settings, ordinal: number): Page {
  return {
    id: settings.text('id', 'key', 'name') ?? `page-${ordinal}`,
    title: settings.text('title', 'label', 'text', 'name'),
    showWhen: readShowWhen(reading, path, settings),
    items: [],
  };
}

interface Place {
  /** Null inside what cannot hold pages. */
  pages: Page[] | null;
  items: Item[];
  names: Set<string>;
  depth: number;
}

function readInto(reading: Reading, start: Place, path: string, elements: readonly unknown[]): void {
  const place = { ...start };
  for (const [i, element] of elements.entries()) {
    const at = `${path}[${i}]`;
    if (!reading.takeField(at)) return;
    if (isPlain(element)) readElement(reading, place, at, element);
    else reading.note(at, 'an element is an object');
  }
}

function readElement(reading: Reading, place: Place, path: string, element: Plain): void {
  const settings = new Settings(element);
  const kind = kindOf(settings);
  if (kind === 'ornament') return;
  if (kind === 'page' && place.pages !== null) beginPage(reading, place, place.pages, path, settings);
  else if (kind === 'page' || kind === 'section') addSection(reading, place, path, settings);
  else if (kind === 'heading') place.items.push(readHeading(reading, path, settings));
  else addAsked(reading, place, path, settings, kind);
}

function beginPage(reading: Reading, place: Place, pages: Page[], path: string, settings: Settings): void {
  const page = readPage(reading, path, settings, pages.length + 1);
  pages.push(page);
  place.items = page.items;
  readInside(reading, { ...place, pages: null }, path, childrenOf(settings, 'items'));
}

function addSection(reading: Reading, place: Place, path: string, settings: Settings): void {
  const section: Item = {
    kind: 'section',
    id: settings.text('id', 'key', 'name') ?? path,
    title: settings.text('title', 'label', 'text'),
    showWhen: readShowWhen(reading, path, settings),
    items: [],
  };
  place.items.push(section);
  readInside(reading, { ...place, pages: null, items: section.items }, path, childrenOf(settings, 'items'));
}

function readInside(reading: Reading, place: Place, path: string, children: unknown[] | null): void {
  if (children === null) return;
  if (place.depth >= DEEPEST_NESTING) {
    reading.note(path, `at most ${DEEPEST_NESTING} levels may be nested: what is inside is ignored`);
    return;
  }
  readInto(reading, { ...place, depth: place.depth + 1 }, path, children);
}

function readHeading(reading: Reading, path: string, settings: Settings): Heading {
  return {
    kind: 'heading',
    id: settings.text('id', 'key', 'name') ?? path,
    text: settings.text('text', 'label', 'title', 'content', 'html', 'value') ?? '',
    showWhen: readShowWhen(reading, path, settings),
  };
}

function addAsked(
  reading: Reading,
  place: Place,
  path: string,
  settings: Settings,
  kind: Question['kind'] | 'group',
): void {
  const name = settings.text('fieldname', 'name', 'id', 'key', 'label');
  if (name === null) return reading.note(path, 'a question without a name is ignored');
  if (place.names.has(name)) return reading.note(path, 'another question has the same name: this one is ignored');
  const asked: Asked = {
    id: settings.text('id', 'key') ?? name,
    name,
    label: settings.text('label', 'text', 'title', 'question') ?? name,
    help: settings.text('help', 'helptext', 'hint', 'description', 'instructions'),
    required: settings.flag('required', 'isrequired', 'mandatory'),
    requireWhen: readRequireWhen(reading, path, settings),
    showWhen: readShowWhen(reading, path, settings),
    prefill: settings.flag('prefill', 'allowprefill'),
    deidentify: readDeidentify(reading, path, settings),
  };
  const item = readAsked(reading, place, path, settings, kind, asked);
  if (item === null) return undefined;
  place.names.add(name);
  place.items.push(item);
  return undefined;
}

function readDeidentify(reading: Reading, path: string, settings: Settings): Deidentify | null {
  const word = settings.text('deidentify');
  const known = DEIDENTIFY.find((each) => each === word);
  if (word !== null && known === undefined) reading.note(path, `deidentify takes ${DEIDENTIFY.join(', ')}`);
  return known ?? null;
}

function readAsked(
  reading: Reading,
  place: Place,
  path: string,
  settings: Settings,
  kind: Question['kind'] | 'group',
  asked: Asked,
): Question | RepeatingGroup | null {
  if (kind === 'group') return readGroup(reading, place, path, settings, asked);
  if (settings.text('type') === 'object') reading.note(path, 'what is inside an object is kept as it comes');
  if (kind === 'unknown' && !takesAnything(settings)) {
    reading.note(path, 'the type is not known: any answer is taken as it comes');
  }
  return readQuestion(reading, path, settings, kind, asked);
}

function readGroup(reading: Reading, place: Place, path: string, settings: Settings, asked: Asked): RepeatingGroup {
  const items: Item[] = [];
  const inside = { pages: null, items, names: new Set<string>(), depth: place.depth };
  readInside(reading, inside, path, childrenOf(settings, 'items', 'columns'));
  const flat = items.filter((item) => item.kind !== 'section' && item.kind !== 'group');
  if (flat.length < items.length) reading.note(path, 'sections and groups inside a repeating group are ignored');
  const work = { weight: weightOf(flat), steps: stepsOfItems(flat) };
  return { ...asked, kind: 'group', ...readEntries(reading, path, settings, work), items: flat };
}

/** How much one entry of a group is to judge and to draw: a question is as much as twenty choices. */
function weightOf(items: RepeatingGroup['items']): number {
  const weights = items.map((item) => {
    if ('choices' in item) return 1 + item.choices.length / CHOICES_OF_A_QUESTION;
    return item.kind === 'matrix' ? 1 + (item.rows.length * item.columns.length) / CHOICES_OF_A_QUESTION : 1;
  });
  return weights.reduce((sum, weight) => sum + weight, 1);
}
