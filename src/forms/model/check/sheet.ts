import { evaluate, type Facts, holds } from '../expression/evaluate.ts';
import type { Expression } from '../expression/syntax.ts';
import { MOST_IN_GROUP, MOST_STEPS, type RepeatingGroup } from '../form-model.ts';
import { isBlank, isRecord, normaliseAnswer } from '../normalise.ts';
import { type Asking, type Plan, planOfEntry, stepsOfEntry } from './plan.ts';
import { scoreOf } from './score.ts';
import { takeAnswers } from './take-answers.ts';

const MOST_BLANK_ENTRIES = 100;
const ENTRY = /^(0|[1-9]\d{0,8})\.(.*)$/s;

/** A question with what became of it. */
export interface Filled {
  asking: Asking;
  isAsked: boolean;
  /** The normalised answer, undefined where there is none. */
  answer: unknown;
  /** The entries of a repeating group whose answer could be read as such. */
  entries: readonly Sheet[];
}

/** The answers of a form, or of one entry of a group: read, and settled which of the questions are asked. */
export class Sheet {
  readonly filled = new Map<string, Filled>();
  /** Answers that no question has, as they came. */
  readonly leftOver: Map<string, unknown>;
  readonly #plan: Plan;
  readonly #around: Facts;
  readonly #files: ReadonlySet<string>;
  readonly #known = new Map<Expression, boolean>();

  /** The files that were sent are known here by the paths of their questions, seen from this sheet. */
  constructor(
    plan: Plan,
    sent: Readonly<Record<string, unknown>>,
    around: Facts,
    files: ReadonlySet<string> = new Set(),
  ) {
    this.#plan = plan;
    this.#around = around;
    this.#files = files;
    const taken = takeAnswers(plan, sent);
    this.leftOver = taken.leftOver;
    for (const asking of plan.order) {
      this.filled.set(asking.question.name, this.#fill(asking, taken.byName.get(asking.question.name)));
    }
  }

  /** The questions in the order of the form. */
  inOrder(): Filled[] {
    return this.#plan.askings.map((asking) => this.filled.get(asking.question.name) as Filled);
  }

  /** Whether nobody said or sent anything here. */
  isBlank(): boolean {
    return this.#files.size === 0 && !this.inOrder().some(isSaid) && this.leftOver.values().every(isBlank);
  }

  /** Whether a condition of a question holds among all the answers. */
  holds(condition: Expression): boolean {
    return holds(condition, this.#facts(new Set()));
  }

  /** The answers as they are kept. */
  answers(): Record<string, unknown> {
    const known = this.inOrder().filter(({ answer }) => answer !== undefined);
    return Object.fromEntries([...known.map(({ asking, answer }) => [asking.question.name, answer]), ...this.leftOver]);
  }

  #fill(asking: Asking, sent: unknown): Filled {
    const isAsked = asking.conditions.every((condition) => this.#isMet(asking, condition));
    const { question, blind } = asking;
    if (question.kind === 'calculated') {
      const answer = isAsked ? (evaluate(question.formula, this.#facts(blind)) ?? undefined) : undefined;
      return { asking, isAsked, answer, entries: [] };
    }
    if (question.kind !== 'group') {
      return { asking, isAsked, answer: normaliseAnswer(question, sent), entries: [] };
    }
    const files = filesByEntry(question, this.#files);
    const list = withEntriesOfFiles(isRecord(sent) ? [sent] : sent, files);
    if (isBlank(list)) return { asking, isAsked, answer: undefined, entries: [] };
    if (!Array.isArray(list) || list.length > mostSheets(question) || !list.every(isRecord))
      return { asking, isAsked, answer: list, entries: [] };
    const plan = planOfEntry(question);
    const entries = withoutBlankEnd(list.map((entry, i) => new Sheet(plan, entry, this.#facts(blind), files.get(i))));
    const answers = entries.map((entry) => entry.answers());
    return { asking, isAsked, answer: isBlank(answers) ? undefined : answers, entries };
  }

  /** A section's condition is the same for all questions in it, save those that must not see some of the others. */
  #isMet({ blind }: Asking, condition: Expression): boolean {
    if (blind.size > 0) return holds(condition, this.#facts(blind));
    const met = this.#known.get(condition) ?? holds(condition, this.#facts(blind));
    this.#known.set(condition, met);
    return met;
  }

  #facts(blind: ReadonlySet<string>): Facts {
    const seen = (name: string): Filled | undefined => (blind.has(name) ? undefined : this.filled.get(name));
    const isOwn = (name: string): boolean => this.#plan.byName.has(name);
    return {
      answer: (name) => (isOwn(name) ? visible(seen(name)) : this.#around.answer(name)),
      score: (name) => {
        if (!isOwn(name)) return this.#around.score(name);
        const filled = seen(name);
        return filled === undefined ? undefined : scoreOf(filled.asking.question, visible(filled));
      },
      today: this.#around.today,
    };
  }
}

function isSaid({ asking, answer }: Filled): boolean {
  return asking.question.kind !== 'calculated' && answer !== undefined;
}

function visible(filled: Filled | undefined): unknown {
  return filled?.isAsked ? filled.answer : undefined;
}

/** The files in the entries of a group, by the number of the entry and the names of its questions. */
function filesByEntry(group: RepeatingGroup, files: ReadonlySet<string>): Map<number, Set<string>> {
  const found = new Map<number, Set<string>>();
  const start = `${group.name}.`;
  for (const path of files) {
    const [, place, name = ''] = (path.startsWith(start) && ENTRY.exec(path.slice(start.length))) || [];
    if (place === undefined || Number(place) >= mostSheets(group) || !isForFiles(planOfEntry(group), name)) continue;
    found.set(Number(place), (found.get(Number(place)) ?? new Set()).add(name));
  }
  return found;
}

function isForFiles({ askings }: Plan, name: string): boolean {
  return askings.some(
    ({ question, aliases }) => question.kind === 'file' && (question.name === name || aliases.includes(name)),
  );
}

/** A list of entries that reaches as far as their files do; what is no list stays as it is. */
function withEntriesOfFiles(sent: unknown, files: ReadonlyMap<number, unknown>): unknown {
  if (files.size === 0 || !(isBlank(sent) || Array.isArray(sent))) return sent;
  const list: unknown[] = Array.isArray(sent) ? sent : [];
  const length = Math.max(list.length, ...[...files.keys()].map((place) => place + 1));
  return Array.from({ length }, (_, i) => (i < list.length ? list[i] : {}));
}

/** How many entries are read at all: more than are allowed, as a page may send rows that were left empty. */
function mostSheets(group: RepeatingGroup): number {
  const { most, items } = group;
  const room = Math.min(Math.floor(MOST_IN_GROUP / items.length), Math.floor(MOST_STEPS / stepsOfEntry(group)));
  return Math.max(most, Math.min(most + MOST_BLANK_ENTRIES, room));
}

/** A page may send rows that were left empty; only the last ones are dropped, so that the others keep their numbers. */
function withoutBlankEnd(entries: readonly Sheet[]): Sheet[] {
  return entries.slice(0, entries.findLastIndex((entry) => !entry.isBlank()) + 1);
}
