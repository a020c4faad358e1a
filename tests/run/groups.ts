import { join } from 'node:path';
import { run } from 'node:test';
import type { TestEvent } from 'node:test/reporters';

const GROUP = join(import.meta.dirname, 'group.ts');
/** What files leave behind adds up, and one that hangs takes the rest of its group with it. */
const MOST_FILES = 8;
/** A group that takes longer hangs. */
const LONGEST_MS = 15 * 60_000;
/** One whose files are all over has nothing left to do; what still runs in it was left behind. */
const LONGEST_END_MS = 20_000;

/** They change what is one for a whole process, or measure it. */
const BY_THEMSELVES = new Set(['tests/blob/bounded-memory.long.test.ts', 'tests/db/embedded.test.ts']);

/** What came of a file, or of a group as such. */
export interface Outcome {
  /** All that shared its process. Once one has failed, what another left behind is not told apart. */
  group: string[];
  /** The titles of what passed. */
  passed: string[];
  failed: number;
  ms: number;
}

export interface Told extends Outcome {
  name: string;
  events: TestEvent[];
}

/** What a stream says at its end of all its files. */
const SUMMARY = /^(?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/;

/** Files that lie beside each other share a process. */
export function inGroups(files: string[]): string[][] {
  const groups: string[][] = [];
  let open: string[] | null = null;
  for (const file of files) {
    const isAlone = BY_THEMSELVES.has(file);
    if (open === null || isAlone || open.length === MOST_FILES) groups.push((open = []));
    open.push(file);
    if (isAlone) open = null;
  }
  return groups;
}

/** Runs a group and tells of each file once it has ended, and of the group if it fails without one of them. */
export async function* runGroup(files: string[]): AsyncGenerator<Told> {
  const left = new Set(files);
  const whole = begin(`the group of ${files[0]}`, files);
  let current = whole;
  const hung = new AbortController();
  const { signal } = hung;
  for await (const event of run({ files: [GROUP], argv: files, isolation: 'process', timeout: LONGEST_MS, signal })) {
    if (isSummary(event)) continue;
    if (event.type === 'test:start' && event.data.nesting === 0) {
      const { name } = event.data;
      current = left.has(name) ? begin(name, files) : whole;
    }
    current.events.push(event);
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue;
    if (event.data.nesting > 0) {
      countTest(current, event);
      continue;
    }
    current.ms = event.data.details.duration_ms;
    // What is around its tests can fail too.
    if (event.type === 'test:fail') current.failed = Math.max(current.failed, 1);
    left.delete(current.name);
    yield current;
    current = whole;
    const rest = new Error(`one of these left something running: ${files.join(', ')}`);
    if (left.size === 0) setTimeout(() => hung.abort(rest), LONGEST_END_MS).unref();
  }
  if (left.size > 0) yield { ...begin(`${[...left].join(', ')} came to no end`, files), failed: 1 };
}

function begin(name: string, group: string[]): Told {
  return { name, group, passed: [], failed: 0, ms: 0, events: [] };
}

function countTest(counted: Told, { type, data }: Extract<TestEvent, { type: 'test:pass' | 'test:fail' }>): void {
  if (data.details.type === 'suite') return;
  const isWhole = type === 'test:pass' && data.skip === undefined && data.todo === undefined;
  if (isWhole) counted.passed.push(data.name);
  else counted.failed += 1;
}

function isSummary({ type, data }: TestEvent): boolean {
  return type === 'test:summary' || (type === 'test:diagnostic' && SUMMARY.test(data.message));
}
