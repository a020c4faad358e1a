import { isPlain, type Plain, textIn } from '../model/compile/settings.ts';
import { LONGEST_EXPRESSION } from '../model/expression/syntax.ts';
import { writeName } from '../model/expression/write.ts';
import { ownValue, STANDARD, valueOf } from './extensions.ts';
import { hasControl, type ItemKind, kindOf, ownKind } from './kinds-of-items.ts';
import { type FindByLinkId, readEnableWhen } from './read-enable-when.ts';
import { readOccurrences, readRules } from './read-rules.ts';
import type { ReadingNotes } from './reading-notes.ts';

/** As deep as a form may nest its sections; what lies deeper stands beside what it stood in. */
const DEEPEST_SECTION = 6;
/** What nests deeper than any Questionnaire does is not read. */
const DEEPEST = 50;

/** Kinds that are answered several times by one question. */
const LISTS = new Set<ItemKind>(['checkboxes', 'file', 'group', 'matrix', 'address']);

/** The items of a list in any JSON. */
export function itemsIn(part: Plain): Plain[] {
  return Array.isArray(part['item']) ? part['item'].filter(isPlain) : [];
}

/** Everything of a Questionnaire by its linkId, with the name that it gets. */
export function findingLinkIds(root: Plain): FindByLinkId {
  const found = new Map<string, ReturnType<FindByLinkId>>();
  const left = [root];
  for (let item = left.pop(); item !== undefined; item = left.pop()) {
    for (const inside of itemsIn(item)) left.push(inside);
    const { linkId } = item;
    if (typeof linkId !== 'string' || found.has(linkId)) continue;
    const kind = kindOf(item, SILENT);
    found.set(linkId, { name: writeName(nameOf(item)), kind, isList: isWrapped(item, kind) });
  }
  return (linkId) => found.get(linkId);
}

const SILENT = { add: () => undefined };

/** Where items are read: how deep, and whether among the questions of a repeating group. */
interface Place {
  depth: number;
  isInGroup: boolean;
}

/** Turns the items of a Questionnaire into the elements of a form. */
export class ItemReader {
  readonly #find: FindByLinkId;
  readonly #notes: ReadingNotes;
  /** What is asked only once a question above it is answered. */
  readonly #hanging = new Set<Plain>();

  constructor(find: FindByLinkId, notes: ReadingNotes) {
    this.#find = find;
    this.#notes = notes;
  }

  page(item: Plain): Plain {
    const show = this.#showWhen(item);
    const fields = this.all(itemsIn(item), { depth: 1, isInGroup: false });
    return tidy({ id: idOf(item), title: labelOf(item), show_when: show, fields });
  }

  all(items: readonly Plain[], place: Place): Plain[] {
    return items.flatMap((item) => this.#one(item, place));
  }

  #one(item: Plain, place: Place): Plain[] {
    if (place.depth > DEEPEST) {
      this.#notes.add(item, 'it is nested too deep: left out');
      return [];
    }
    const kind = kindOf(item, this.#notes);
    if (kind === 'heading') return [this.#heading(item)];
    if (kind === 'section' || kind === 'page') return this.#section(item, place);
    if (kind === 'group') return this.#group(item, place);
    return this.#question(item, kind, place);
  }

  #heading(item: Plain): Plain {
    return tidy({ type: 'heading', id: idOf(item), text: item['text'], show_when: this.#showWhen(item) });
  }

  #section(item: Plain, place: Place): Plain[] {
    const inside = this.all(itemsIn(item), { ...place, depth: place.depth + 1 });
    const show = this.#showWhen(item);
    if (!place.isInGroup && place.depth <= DEEPEST_SECTION) {
      return [tidy({ type: 'section', id: idOf(item), title: labelOf(item), show_when: show, fields: inside })];
    }
    if (show !== undefined) this.#notes.add(item, 'the condition of a group inside another could not be carried over');
    return labelOf(item) === undefined ? inside : [this.#heading({ ...item, enableWhen: [] }), ...inside];
  }

  #group(item: Plain, place: Place): Plain[] {
    if (place.isInGroup) {
      this.#notes.add(item, 'a repeating group inside another one is asked once for each entry');
      return this.#section({ ...item, repeats: false }, place);
    }
    const { help, others } = this.#below(item);
    const fields = this.all(others, { depth: place.depth + 1, isInGroup: true });
    return [
      tidy({ ...this.#asked(item, help), ...readRules(item, 'group', this.#notes), type: 'repeating group', fields }),
    ];
  }

  #question(item: Plain, kind: ItemKind, place: Place): Plain[] {
    const { help, others } = this.#below(item);
    this.#noteLosses(item);
    const element = tidy({ ...this.#asked(item, help), ...readRules(item, kind, this.#notes), type: kind });
    const isOurs = ownKind(item) !== null;
    const wrapped = isWrapped(item, kind) && !place.isInGroup ? this.#wrap(item, element) : element;
    if (isOurs || others.length === 0) return [wrapped];
    this.#notes.add(item, 'what stood below this question follows it, and is asked once it is answered');
    const inside = this.all(others, { ...place, depth: place.depth + 1 });
    const answered = `not empty(${writeName(nameOf(item))})`;
    return [wrapped, ...inside.map((each) => this.#withCondition(item, each, answered))];
  }

  /** The nearest question above an element is enough: what is not asked is not answered either. */
  #withCondition(above: Plain, element: Plain, condition: string): Plain {
    if (this.#hanging.has(element)) return element;
    const { show_when: own } = element;
    const both = typeof own === 'string' ? `${condition} and (${own})` : condition;
    const isTooLong = both.length > LONGEST_EXPRESSION;
    if (isTooLong) this.#notes.add(above, 'that it be answered is too long a condition for what stood below');
    const hanging = isTooLong ? element : { ...element, show_when: both };
    this.#hanging.add(hanging);
    return hanging;
  }

  /** A question that may be answered several times, where its kind takes one answer only. */
  #wrap(item: Plain, { id, name, label, show_when: show, required, ...inner }: Plain): Plain {
    return tidy({
      type: 'repeating group',
      id,
      name,
      label,
      show_when: show,
      required,
      ...readOccurrences(item),
      fields: [{ ...inner, id: 'answer', name: 'answer', label, required: true }],
    });
  }

  #asked(item: Plain, help: string | undefined): Plain {
    return {
      id: idOf(item),
      name: nameOf(item),
      label: labelOf(item),
      help,
      required: item['required'] === true,
      show_when: this.#showWhen(item),
      require_when: ownValue(item, 'require-when'),
      prefill: ownValue(item, 'prefill'),
      deidentify: ownValue(item, 'deidentify'),
    };
  }

  /** The help of a question, and what else stands below it. */
  #below(item: Plain): { help: string | undefined; others: Plain[] } {
    const below = itemsIn(item);
    const texts = below.filter(isHelp).flatMap((each) => textIn(each['text']) ?? []);
    return {
      help: texts.length === 0 ? undefined : texts.join('\n'),
      others: below.filter((each) => !isHelp(each)),
    };
  }

  #showWhen(item: Plain): unknown {
    if (ownKind(item) !== null) return ownValue(item, 'show-when');
    return readEnableWhen(item, this.#find, this.#notes) ?? undefined;
  }

  #noteLosses(item: Plain): void {
    if (Array.isArray(item['initial']) && item['initial'].length > 0) {
      this.#notes.add(item, 'the answer that stands there from the beginning is left out');
    }
  }
}

/** Whether a question of others takes several answers of a kind that takes one. */
function isWrapped(item: Plain, kind: ItemKind): boolean {
  return (
    item['repeats'] === true &&
    ownKind(item) === null &&
    !LISTS.has(kind) &&
    !['hidden', 'section', 'heading', 'page'].includes(kind)
  );
}

function isHelp(item: Plain): boolean {
  return item['type'] === 'display' && (hasControl(item, 'help') || hasControl(item, 'flyover'));
}

function idOf(item: Plain): unknown {
  return ownValue(item, 'id') ?? item['linkId'];
}

function nameOf(item: Plain): string {
  const name = [ownValue(item, 'name'), idOf(item)].find((each) => textIn(each) !== null);
  return textIn(name) ?? '';
}

/** The text of an item with what stands before it, such as its number, and its unit. */
function labelOf(item: Plain): string | undefined {
  const unit = valueOf(item, STANDARD.unit);
  const words = isPlain(unit) ? (textIn(unit['display']) ?? textIn(unit['code'])) : null;
  const label = [textIn(item['prefix']), textIn(item['text'])].filter((part) => part !== null).join(' ');
  return label === '' ? undefined : words === null ? label : `${label} (${words})`;
}

/** An element without what it does not say; that an answer may be no and nothing else is said by false. */
function tidy(element: Plain): Plain {
  return Object.fromEntries(
    Object.entries(element).filter(([key, value]) => value !== undefined && (value !== false || key === 'const')),
  );
}
