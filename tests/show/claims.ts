import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');

/** The pages of `docs` that say how rules are met. */
export const CLAIM_PAGES = ['hipaa.md', 'asvs.md', 'threat-model.md'] as const;

const STATES = ['done', 'partly', 'not yet', 'not applicable', 'yours'] as const;
export type State = (typeof STATES)[number];

/** A test by its file and what it says; where the title differs from run to run, a claim has `…` in its place. */
export interface NamedTest {
  file: string;
  title: string;
}

/** A line of a table that says how a rule is met. */
export interface Claim {
  id: string;
  state: State;
  /** Files that answer the rule. */
  files: string[];
  /** Tests that show it. */
  tests: NamedTest[];
  /** What stands in the line beside files and tests. */
  words: string;
}

const PATH =
  /^(?:src|web|docs|tests|migrations|deploy|scripts|proofs)\/[\w./-]+$|^[A-Z]+\.md$|^(?:package-lock\.json|\.npmrc)$/;

/** The claims of a page: the rows of its tables that begin with an id and a state. */
export function readClaims(page: string): Claim[] {
  const rows = readFileSync(join(ROOT, 'docs', page), 'utf8').split('\n');
  return rows.flatMap((row) => {
    const [, id, state, ...cells] = row.split('|').map((cell) => cell.trim());
    if (id === undefined || !/^[HAR]?\d+(?:\.\d+)*$/.test(id)) return [];
    if (!STATES.includes(state as State)) throw new Error(`${page}, ${id}: ${state} is no state`);
    const rest = cells.join(' ');
    const quoted = [...rest.matchAll(/`([^`]+)`/g)].map(([, text]) => text as string);
    const tests = quoted.filter((text) => text.includes(' › ')).map(splitTest);
    return [
      {
        id,
        state: state as State,
        files: quoted.filter((text) => PATH.test(text)),
        tests,
        words: rest
          .replaceAll(/`[^`]+`/g, '')
          .replaceAll('<br>', ' ')
          .trim(),
      },
    ];
  });
}

function splitTest(text: string): NamedTest {
  const at = text.indexOf(' › ');
  return { file: text.slice(0, at), title: text.slice(at + 3) };
}

/** Claims of all pages about files that ran which none of the tests that passed shows. */
export function findUnshown(passed: NamedTest[], ran: ReadonlySet<string>): string[] {
  const titlesIn = Map.groupBy(passed, ({ file }) => file);
  const isShown = ({ file, title }: NamedTest) => {
    const fits = new RegExp(`^${title.split('…').map(RegExp.escape).join('.+')}$`);
    return titlesIn.get(file)?.some((test) => fits.test(test.title)) === true;
  };
  return CLAIM_PAGES.flatMap((page) =>
    readClaims(page).flatMap(({ id, tests }) =>
      tests
        .filter((test) => ran.has(test.file) && !isShown(test))
        .map(({ file, title }) => `docs/${page}, ${id}: ${file} › ${title}`),
    ),
  );
}

/** Whether what shows a rule is run by hand, and what came of it written down. */
export function isProof({ file }: NamedTest): boolean {
  return file.startsWith('proofs/');
}

/** Whether a paragraph says what a proof found, when, and at which commit. */
export function isWrittenDown({ file, title }: NamedTest, paragraphs: string[]): boolean {
  return paragraphs.some(
    (text) =>
      text.includes(file) &&
      text.includes(title) &&
      /\b20\d\d-\d\d-\d\d\b/.test(text) &&
      /\bcommit [0-9a-f]{7}\b/.test(text),
  );
}

const CALL = /(?:^|[^.\w])(?:test|t\.test)\(\s*(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/g;

/** Whether the text of a file has a test of that title; where a title is put together, its fixed parts have to fit. */
export function hasTest(file: string, title: string): boolean {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return [...text.matchAll(CALL)].some(([, single, double, template]) => {
    if (template === undefined) return unescaped(single ?? double ?? '') === title;
    const parts = template.split(/\$\{(?:[^{}]|\{[^}]*\})*\}/).map((part) => RegExp.escape(unescaped(part)));
    return new RegExp(`^${parts.join('.+')}$`).test(title);
  });
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(.)/g, '$1');
}
