import type { Question, SentFile } from '../form-model.ts';
import { isRecord } from '../normalise.ts';
import type { Say } from '../phrases.ts';
import type { ProblemKey } from '../problems.ts';

type FileQuestion = Extract<Question, { kind: 'file' }>;

/** A question for files, where it stands in the answers, and what was answered to it. */
export interface FilePlace {
  question: FileQuestion;
  /** `photo`, or `medications.0.photo` inside a group. */
  path: string;
  /** What else its answer may stand under. */
  aliases: readonly string[];
  answer: unknown;
  /** A question that is not asked keeps the files that are meant for it, and takes no others. */
  isAsked: boolean;
}

/** The files sent with a submission, sorted by the questions that they are for. */
export class SortedFiles {
  readonly #say: Say<ProblemKey>;
  readonly #isAskedOnce: boolean;
  readonly #meant = new Map<FilePlace, SentFile[]>();
  readonly #loose: SentFile[] = [];
  readonly #fitting = new Map<FileQuestion, readonly SentFile[]>();
  /** The questions that loose files answer. */
  readonly #given = new Map<SentFile, FilePlace>();
  /** The questions that no loose file is left for: none becomes free again. */
  readonly #exhausted = new Set<FileQuestion>();

  constructor(places: readonly FilePlace[], files: readonly SentFile[], say: Say<ProblemKey>) {
    this.#say = say;
    this.#isAskedOnce = places.filter((place) => place.isAsked).length === 1;
    for (const place of places) this.#meant.set(place, []);
    if (files.length > 0) this.#sort(places, files);
  }

  #sort(places: readonly FilePlace[], files: readonly SentFile[]): void {
    const byKey = new Map([
      ...places.flatMap((place) => place.aliases.map((alias) => [alias, place] as const)),
      ...places.map((place) => [place.path, place] as const),
    ]);
    const byFile = new Map(places.flatMap((place) => namesIn(place.answer).map((name) => [name, place] as const)));
    for (const file of files) {
      const place = (file.field === null ? undefined : byKey.get(file.field)) ?? byFile.get(file.name);
      (place === undefined ? this.#loose : (this.#meant.get(place) as SentFile[])).push(file);
    }
  }

  /** Whether a file was meant for this question, asked or not. */
  isSent(place: FilePlace): boolean {
    return (this.#meant.get(place) ?? []).length > 0;
  }

  /** The files that are meant for a question, each with its path. */
  paths(): Map<SentFile, string> {
    return new Map([...this.#meant].flatMap(([{ path }, files]) => files.map((file) => [file, path] as const)));
  }

  /** Whether a question has a file: one that is meant for it, or one that is meant for none and answers no other. */
  isAnswered(place: FilePlace): boolean {
    return this.#meantFor(place).length > 0 || this.#giveOne(place);
  }

  #giveOne(place: FilePlace): boolean {
    const tried = new Set<FileQuestion>();
    const isGiven = !this.#exhausted.has(place.question) && this.#give(place, tried);
    if (!isGiven) for (const question of tried) this.#exhausted.add(question);
    return isGiven;
  }

  /** Gives a question a file that fits it and is free, or whose own question can be given another. */
  #give(place: FilePlace, tried: Set<FileQuestion>): boolean {
    if (tried.has(place.question)) return false;
    tried.add(place.question);
    const fitting = this.#fittingOf(place.question);
    const file =
      fitting.find((each) => !this.#given.has(each)) ??
      fitting.find((each) => this.#give(this.#given.get(each) as FilePlace, tried));
    if (file !== undefined) this.#given.set(file, place);
    return file !== undefined;
  }

  #fittingOf(question: FileQuestion): readonly SentFile[] {
    const known = this.#fitting.get(question);
    const fitting = known ?? this.#loose.filter((file) => problemsOfFile(question, file, this.#say).length === 0);
    this.#fitting.set(question, fitting);
    return fitting;
  }

  problemsOf(place: FilePlace): string[] {
    const files = this.#meantFor(place);
    const problems = new Set(files.flatMap((file) => problemsOfFile(place.question, file, this.#say)));
    const { most } = place.question;
    if (files.length > most) problems.add(this.#say('mostFiles', most));
    return [...problems];
  }

  /** Where a form asks for files only once, all of them are for that question. */
  #meantFor(place: FilePlace): SentFile[] {
    const meant = this.#meant.get(place) ?? [];
    return this.#isAskedOnce ? [...meant, ...this.#loose] : meant;
  }
}

/** The names of files that an answer gives: one, a list, or objects that have a name. */
function namesIn(answer: unknown): string[] {
  const list = Array.isArray(answer) ? answer : [answer];
  return list.map((one) => (isRecord(one) ? one['name'] : one)).filter((name) => typeof name === 'string');
}

/** What is wrong with one file as an answer to a question. */
export function problemsOfFile({ accept, mostBytes }: FileQuestion, file: SentFile, say: Say<ProblemKey>): string[] {
  const problems: string[] = [];
  if (accept.length > 0 && !accept.some((kind) => isKind(kind, file))) {
    problems.push(say('fileKind'));
  }
  if (mostBytes !== null && file.size > mostBytes) problems.push(say('fileBytes', mostBytes));
  return problems;
}

/** As in HTML: a type, `image/*`, or the end of the name. */
function isKind(kind: string, { name, type }: SentFile): boolean {
  if (kind === '*' || kind === '*/*') return true;
  if (kind.startsWith('.')) return name.toLowerCase().endsWith(kind);
  const sent = (type.split(';')[0] ?? '').trim().toLowerCase();
  return kind.endsWith('/*') ? sent.startsWith(kind.slice(0, -1)) : sent === kind;
}
