import type { Expression } from './expression/syntax.ts';

/** Stands for a limit that a form does not set. */
export const NO_LIMIT = Number.MAX_SAFE_INTEGER;

/** How many questions all entries of a repeating group have together: in each entry they are judged for themselves. */
export const MOST_IN_GROUP = 20_000;

/** How many steps the expressions of a form take together, those inside of groups for every entry. */
export const MOST_STEPS = 2_000_000;

/**
 * What a form asks, read once from whatever shape its `form_json` has. Validation, JSON Schema, exports and
 * pages are all made from this and from nothing else.
 */
export interface FormModel {
  /** The shape that was recognised. A form of an unknown one takes any object as its answers. */
  shape: 'body' | 'fields' | 'pages' | 'json-schema' | 'unknown';
  pages: Page[];
  /** Whether files may be sent with the answers at all. */
  takesFiles: boolean;
}

export interface Page {
  id: string;
  title: string | null;
  showWhen: Expression | null;
  items: Item[];
}

export type Item = Heading | Section | Question | RepeatingGroup;

/** Text between questions: nothing is answered. */
export interface Heading {
  kind: 'heading';
  id: string;
  text: string;
  showWhen: Expression | null;
}

/** Questions that stand and are shown together; their answers lie beside all others. */
export interface Section {
  kind: 'section';
  id: string;
  title: string | null;
  showWhen: Expression | null;
  items: Item[];
}

/** Questions that may be answered several times: the answer is a list of objects. */
export interface RepeatingGroup extends Asked {
  kind: 'group';
  /** How many times at least (where it is answered at all) and at most. */
  least: number;
  most: number;
  items: (Heading | Question)[];
}

/** What every question has. */
export interface Asked {
  /** Stays the same while a question is renamed from version to version. */
  id: string;
  /** The key of its answer in `form_data`. */
  name: string;
  label: string;
  help: string | null;
  required: boolean;
  /** Required also where this holds. */
  requireWhen: Expression | null;
  /** Asked only where this holds; what is sent for a question that is not asked is kept but not checked. */
  showWhen: Expression | null;
  /** Whether the address of the page may carry its answer. */
  prefill: boolean;
  /** What an export without identities does with it, where its kind does not decide. */
  deidentify: Deidentify | null;
}

export type Deidentify = 'keep' | 'drop' | 'year' | 'age' | 'zip';

export type Question = Asked &
  (
    | {
        kind: 'text' | 'long_text';
        leastLength: number;
        mostLength: number;
        pattern: string | null;
        /** A date with a time of day, as RFC 3339 writes them; seconds and zone may be left out. */
        format: 'date-time' | null;
      }
    | { kind: 'number'; least: number | null; most: number | null; whole: boolean; multipleOf: number | null }
    | { kind: 'email' | 'phone' | 'time' | 'address' }
    /** Dates as YYYY-MM-DD, or the word `today`. */
    | { kind: 'date'; earliest: string | null; latest: string | null }
    /** A question without choices has `other`: any text answers it, or any texts. */
    | { kind: 'select' | 'radio'; choices: Choice[]; other: boolean }
    /** Where nothing may be said twice, what is counts once; so it is wherever there are choices. */
    | { kind: 'checkboxes'; choices: Choice[]; other: boolean; least: number; most: number; unique: boolean }
    /** Of which only one may be answered, where a form says so. */
    | { kind: 'yes_no'; only: boolean | null }
    | { kind: 'rating'; least: number; most: number }
    /** Where required, every row is. Without rows or columns, any may be sent; without rows, it is never required. */
    | { kind: 'matrix'; rows: Choice[]; columns: Choice[] }
    | { kind: 'file'; most: number; mostBytes: number | null; accept: string[] }
    | { kind: 'signature' }
    | { kind: 'consent'; text: string }
    | { kind: 'hidden' }
    /** Of a type that is not known: written on a page, and answered by any value. */
    | { kind: 'unknown' }
    | { kind: 'calculated'; formula: Expression }
  );

export type QuestionKind = Question['kind'];

export interface Choice {
  value: string;
  label: string;
  /** What it counts in calculations. */
  score: number | null;
  /** The answer that it stands for, where a JSON Schema lists that as a number or a truth and not as a text. */
  constant?: number | boolean;
}

/** Answers as the model keeps them: blanks left out, numbers and booleans as what they are. */
export type Answers = Record<string, unknown>;

/** What was found of a submission's answers. */
export interface Verdict {
  /** The answers as they are kept: those of known questions normalised, all others as they came. */
  answers: Answers;
  /** What is wrong, by the name of the question; empty where the answers are good. */
  problems: Record<string, string[]>;
  /** Keys that no question has, and those of questions that were not asked: kept, and marked by standing here. */
  unasked: string[];
}

/** A file as far as answers are checked against it. */
export interface SentFile {
  name: string;
  type: string;
  size: number;
  /** The question it was sent for, where the sender said so. */
  field: string | null;
}
