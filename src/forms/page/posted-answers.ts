import type { Answers, FormModel, Heading, Item, Page, Question, RepeatingGroup } from '../model/form-model.ts';
import { isBlank, isRecord } from '../model/normalise.ts';
import type { Answered } from '../model/questions.ts';
import { answerPath, OTHER_CHOICE, OWN_WORDS, plainPath } from './field-name.ts';
import { asPlainNumber, withPlainDigits } from './typed-number.ts';

/** What a form was posted with: the values of each control by its name. */
export type Controls = Readonly<Record<string, string | readonly string[]>>;

/** More entries than any form shows; a number beyond it was made up. */
const MOST_ENTRIES = 1_000;
/** A part of a question within an entry of a group: group, entry, question, part. */
const DEEPEST = 4;

/**
 * The answers of one page as its controls say them, laid over those that travelled with it. A question without controls
 * has no answer if it was seen, and keeps the one it had if it was not.
 */
export function readAnswers(page: Page, controls: Controls, travelled: Answers, seen: ReadonlySet<string>): Answers {
  const posted = new Posted(controls, seen);
  const answers = new Map(Object.entries(travelled));
  for (const question of questionsIn(page.items)) {
    if (question.kind !== 'group' && !posted.has([question.name])) continue;
    const answer =
      question.kind === 'group'
        ? readEntries(question, posted, answers.get(question.name))
        : readAnswer(question, [question.name], posted);
    if (answer === undefined) answers.delete(question.name);
    else answers.set(question.name, answer);
  }
  return Object.fromEntries(answers);
}

/** The questions of a page in their order, whatever section they stand in. */
export function questionsIn(items: readonly Item[]): Answered[] {
  return items.flatMap((item) => {
    if (item.kind === 'section') return questionsIn(item.items);
    return item.kind === 'heading' ? [] : [item];
  });
}

/** The question at a path of names and numbers, with the group it stands in; undefined where there is none. */
export function questionAt(
  model: FormModel,
  path: readonly (string | number)[],
): Question | RepeatingGroup | undefined {
  const [name, place, inside] = path;
  const found = model.pages.flatMap(({ items }) => questionsIn(items)).find((question) => question.name === name);
  if (path.length === 1 || found?.kind !== 'group') return path.length === 1 ? found : undefined;
  const isEntry = /^(?:0|[1-9]\d{0,8})$/.test(String(place)) && Number(place) < mostEntries(found);
  return path.length === 3 && isEntry ? askedIn(found.items).find((question) => question.name === inside) : undefined;
}

/** The questions among the items of a group. */
export function askedIn(items: readonly (Heading | Question)[]): Question[] {
  return items.filter((item) => item.kind !== 'heading');
}

type Path = readonly (string | number)[];

/** What came for the questions of a page, and which of them were seen. */
class Posted {
  readonly #values = new Map<string, readonly string[]>();
  readonly #seen: ReadonlySet<string>;
  /** The paths of controls, and all that lie above one. */
  readonly #sent = new Set<string>();
  /** The controls right below a path, by the last part of their names. */
  readonly #below = new Map<string, Map<string, string>>();

  constructor(controls: Controls, seen: ReadonlySet<string>) {
    this.#seen = seen;
    for (const [name, value] of Object.entries(controls)) {
      const path = name.split('.', DEEPEST + 2).length > DEEPEST + 1 ? null : answerPath(name);
      if (path === null) continue;
      const values = typeof value === 'string' ? [value] : value;
      this.#values.set(keyOf(path), values);
      this.#putBelow(keyOf(path.slice(0, -1)), path.at(-1) ?? '', asCounted(values.at(-1)) ?? '');
      for (let depth = 1; depth <= path.length; depth += 1) this.#sent.add(keyOf(path.slice(0, depth)));
    }
  }

  has(path: Path): boolean {
    return this.#sent.has(keyOf(path)) || this.#seen.has(plainPath(path));
  }

  all(path: Path): readonly string[] {
    return this.#values.get(keyOf(path)) ?? [];
  }

  /** The last value of a control. */
  one(path: Path): string | undefined {
    return asCounted(this.all(path).at(-1));
  }

  /** The controls right below a path, by the last part of their names. */
  below(path: Path): Record<string, string> {
    return Object.fromEntries(this.#below.get(keyOf(path)) ?? []);
  }

  #putBelow(parent: string, part: string, value: string): void {
    const parts = this.#below.get(parent) ?? new Map<string, string>();
    this.#below.set(parent, parts.set(part, value));
  }
}

/** Every name is a key several times: as JSON, since many long ones would take seconds to percent-encode. */
function keyOf(path: Path): string {
  return JSON.stringify(path.map(String));
}

/** A value with line breaks as the browser itself counts them. */
function asCounted(value: string | undefined): string | undefined {
  return value?.replaceAll('\r\n', '\n');
}

/** How many entries of a group a page has at most. */
export function mostEntries({ most }: RepeatingGroup): number {
  return Math.min(most, MOST_ENTRIES);
}

/** The entries of a group; what is not asked in one of them keeps the answer it had. */
function readEntries(group: RepeatingGroup, posted: Posted, travelled: unknown): unknown {
  const questions = askedIn(group.items);
  const has = (i: number) => questions.some(({ name }) => posted.has([group.name, i, name]));
  const most = mostEntries(group);
  const before = Array.isArray(travelled) ? travelled.slice(0, most) : [];
  if (!posted.has([group.name]) && !has(0)) return Array.isArray(travelled) ? before : travelled;
  let shown = 0;
  while (shown < most && has(shown)) shown += 1;
  // An entry of which nothing is asked has no controls.
  const length = Math.max(shown, before.length);
  const entries = Array.from({ length }, (_, i) => {
    const entry = new Map(Object.entries(isRecord(before[i]) ? before[i] : {}));
    for (const question of questions) {
      const path = [group.name, i, question.name];
      const answer = posted.has(path) ? readAnswer(question, path, posted) : entry.get(question.name);
      if (answer === undefined) entry.delete(question.name);
      else entry.set(question.name, answer);
    }
    return Object.fromEntries(entry);
  });
  return length === 0 ? undefined : entries;
}

/** An answer as it was typed; undefined where nothing was. */
function readAnswer(question: Question, path: Path, posted: Posted): unknown {
  switch (question.kind) {
    case 'checkboxes':
      return orNothing(withOwnWords(posted.all(path), posted.one([...path, OWN_WORDS])));
    case 'select':
    case 'radio':
      return readChoice(posted.one(path), posted.one([...path, OWN_WORDS]));
    case 'address':
      return posted.one(path) ?? orNothing(filled(posted.below(path)));
    case 'matrix':
      return orNothing(filled(posted.below(path)));
    case 'signature':
      return readSigned(posted.below(path));
    case 'file':
    case 'calculated':
      return undefined;
    case 'number':
    case 'rating':
      return asPlainNumber(posted.one(path) ?? '') || undefined;
    case 'phone':
      return withPlainDigits(posted.one(path) ?? '') || undefined;
    case 'text':
    case 'long_text':
    case 'email':
    case 'date':
    case 'time':
    case 'yes_no':
    case 'consent':
    case 'hidden':
    case 'unknown':
      return posted.one(path) || undefined;
    default:
      return question satisfies never;
  }
}

/** Who writes in their own words and chooses nothing means these. */
function readChoice(chosen: string | undefined, ownWords: string | undefined): string | undefined {
  return (chosen === OTHER_CHOICE || isBlank(chosen) ? ownWords : chosen) || undefined;
}

/** Own words count whether or not the box beside them is ticked. */
function withOwnWords(chosen: readonly string[], ownWords: string | undefined): string[] {
  const listed = chosen.filter((value) => value !== OTHER_CHOICE && !isBlank(value));
  return isBlank(ownWords) ? listed : [...listed, ownWords as string];
}

/** A signature as it stands so far: what is unconfirmed is kept, and counts as unsigned. */
export function readSigned(parts: Readonly<Record<string, string>>): Answers | undefined {
  const { name = '', image = '' } = parts;
  const method = parts.method === 'drawn' || parts.method === 'uploaded' ? parts.method : 'typed';
  const confirmed = parts.confirmed !== undefined && parts.confirmed !== '';
  const mark = method === 'typed' ? '' : image;
  if (!confirmed && isBlank(name) && mark === '') return undefined;
  return { confirmed, method, name, ...(mark === '' ? {} : { image: mark }) };
}

function filled(parts: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== ''));
}

function orNothing<T extends object>(value: T): T | undefined {
  return Object.keys(value).length === 0 ? undefined : value;
}
