import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ASVS_LEVEL_2 } from './asvs-ids.ts';
import { type Claim, hasTest, readClaims } from './claims.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const numbered = (letter: string, last: number) => Array.from({ length: last }, (_, index) => `${letter}${index + 1}`);

const PAGES = [
  { page: 'hipaa.md', ids: numbered('H', 28) },
  { page: 'asvs.md', ids: ASVS_LEVEL_2 },
  { page: 'threat-model.md', ids: [...numbered('A', 33), ...numbered('R', 20)] },
];
/** What `npm test` runs: the same patterns as in tests/run.ts. */
const RUN = new Set(globSync(['src/**/*.test.ts', 'tests/**/*.test.ts'], { cwd: ROOT }));
const measurements = readFileSync(join(ROOT, 'docs', 'measurements.md'), 'utf8');

for (const { page, ids } of PAGES) {
  const claims = readClaims(page);
  const wrongIn = (isWrong: (claim: Claim) => boolean) => claims.filter(isWrong).map(({ id }) => id);

  test(`docs/${page} has every id of its list, once`, () => {
    assert.deepEqual(
      claims.map(({ id }) => id),
      ids,
    );
  });

  test(`every test that docs/${page} names is there and runs`, () => {
    for (const { id, tests } of claims)
      for (const { file, title } of tests) {
        if (file.startsWith('proofs/')) {
          assert.ok(existsSync(join(ROOT, file)), `${id}: ${file}`);
          assert.ok(measurements.includes(title), `${id}: docs/measurements.md has nothing of: ${title}`);
          continue;
        }
        assert.ok(RUN.has(file), `${id}: npm test does not run ${file}`);
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

test('of every line that is not done the pages say so in their summary', () => {
  for (const { page } of PAGES) {
    const text = readFileSync(join(ROOT, 'docs', page), 'utf8');
    const counts = new Map<string, number>();
    for (const { state } of readClaims(page)) counts.set(state, (counts.get(state) ?? 0) + 1);
    for (const [state, count] of counts) assert.ok(text.includes(`${count} ${state}`), `${page}: ${count} ${state}`);
  }
});
