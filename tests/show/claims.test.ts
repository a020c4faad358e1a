import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ASVS_LEVEL_2 } from './asvs-ids.ts';
import {
  CLAIM_PAGES,
  type Claim,
  findUnshown,
  hasTest,
  isProof,
  isWrittenDown,
  type NamedTest,
  readClaims,
} from './claims.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const numbered = (letter: string, last: number) => Array.from({ length: last }, (_, index) => `${letter}${index + 1}`);

const IDS: Record<(typeof CLAIM_PAGES)[number], string[]> = {
  'hipaa.md': numbered('H', 28),
  'asvs.md': ASVS_LEVEL_2,
  'threat-model.md': [...numbered('A', 33), ...numbered('R', 20)],
};
/** What `npm run test:all` runs: the same patterns as in tests/run.ts. */
const RUN = new Set(globSync(['src/**/*.test.ts', 'tests/**/*.test.ts'], { cwd: ROOT }));
const measurements = readFileSync(join(ROOT, 'docs', 'measurements.md'), 'utf8').split(/\n{2,}/);

for (const page of CLAIM_PAGES) {
  const claims = readClaims(page);
  const wrongIn = (isWrong: (claim: Claim) => boolean) => claims.filter(isWrong).map(({ id }) => id);

  test(`docs/${page} has every id of its list, once`, () => {
    assert.deepEqual(
      claims.map(({ id }) => id),
      IDS[page],
    );
  });

  test(`every test that docs/${page} names is there, and what every proof found is written down`, () => {
    for (const { id, tests } of claims)
      for (const named of tests) {
        const { file, title } = named;
        if (isProof(named)) {
          assert.ok(existsSync(join(ROOT, file)), `${id}: ${file}`);
          const rule = 'docs/measurements.md has no paragraph with its name, a date and a commit';
          assert.ok(isWrittenDown(named, measurements), `${id}: ${file} › ${title}: ${rule}`);
          continue;
        }
        assert.ok(RUN.has(file), `${id}: npm run test:all does not run ${file}`);
        assert.ok(hasTest(file, title), `${id}: ${file} has no test: ${title}`);
      }
  });

  test(`every file that docs/${page} names is there`, () => {
    for (const { id, files } of claims)
      for (const file of files) assert.ok(existsSync(join(ROOT, file)), `${id}: ${file}`);
  });

  test(`what docs/${page} calls done has a file that does it and a test that shows it; all else has its reason`, () => {
    assert.deepEqual(
      wrongIn(({ state, tests }) => (state === 'done' || state === 'partly') && tests.length === 0),
      [],
      'no test',
    );
    assert.deepEqual(
      wrongIn(({ state, files }) => (state === 'done' || state === 'partly') && files.length === 0),
      [],
      'no file',
    );
    assert.deepEqual(
      wrongIn(({ state, words }) => state !== 'done' && words.length < 40),
      [],
      'no reason',
    );
  });
}

test('the reader of claims finds titles however they are written, and no others', () => {
  const here = 'tests/show/claims.test.ts';
  assert.ok(hasTest(here, 'docs/any-page.md has every id of its list, once'));
  assert.ok(hasTest(here, 'the reader of claims finds titles however they are written, and no others'));
  assert.equal(hasTest(here, 'the reader of claims'), false);
  assert.equal(hasTest(here, 'docs/any-page.md has every id'), false);
  assert.ok(
    hasTest(
      'tests/http/tenancy.test.ts',
      "another customer's id is refused wherever one can stand, tells nothing and changes nothing",
    ),
  );
  assert.ok(RUN.has(here) && !RUN.has('tests/show/claims.ts'));
});

test('a claim about a file that ran is unshown unless a test of its file with its title passed', () => {
  const passed = CLAIM_PAGES.flatMap((page) => readClaims(page)).flatMap(({ tests }) => tests);
  assert.deepEqual(findUnshown(passed, RUN), []);
  const [first, ...others] = passed.map(({ file, title }) => ({ file, title: title.replace('…', '25') }));
  assert.deepEqual(findUnshown([first as NamedTest, ...others], RUN), []);
  const isFirst = ({ file, title }: NamedTest) => file === first?.file && title === first.title;
  const without = findUnshown(
    others.filter((each) => !isFirst(each)),
    RUN,
  );
  assert.ok(without.length > 0);
  for (const line of without) assert.ok(line.endsWith(`: ${first?.file} › ${first?.title}`), line);
  const elsewhere = others.map((each) => (isFirst(each) ? { ...each, file: 'tests/run.ts' } : each));
  assert.deepEqual(findUnshown(elsewhere, RUN), without);
  assert.deepEqual(findUnshown([], new Set()), []);
});

test('of every line that is not done the pages say so in their summary', () => {
  for (const page of CLAIM_PAGES) {
    const text = readFileSync(join(ROOT, 'docs', page), 'utf8');
    const counts = new Map<string, number>();
    for (const { state } of readClaims(page)) counts.set(state, (counts.get(state) ?? 0) + 1);
    for (const [state, count] of counts) assert.ok(text.includes(`${count} ${state}`), `${page}: ${count} ${state}`);
  }
});
