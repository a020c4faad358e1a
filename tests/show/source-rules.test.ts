import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const ROOT = join(import.meta.dirname, '..', '..');

function sources(...patterns: string[]): { file: string; text: string }[] {
  const files = globSync(patterns, { cwd: ROOT }).filter((file) => !/\.(test|examples)\.tsx?$/.test(file));
  return files.toSorted().map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') }));
}

const server = sources('src/**/*.ts');
const everything = sources('src/**/*.{ts,js}', 'web/**/*.{ts,tsx}');

function having(found: RegExp, among = everything): string[] {
  return among.filter(({ text }) => found.test(text)).map(({ file }) => file);
}

test('no text is run as a program', () => {
  assert.deepEqual(having(/\beval\(|new Function\(|'node:vm'|from 'handlebars'|setTimeout\(['"`]/), []);
  const started = ['src/platform/http/openapi.ts', 'src/platform/http/server.ts'];
  assert.deepEqual(having(/fastify\(/, server), started, 'this search finds what there is');
});

test('other programs are started by a few files, with lists of arguments and never by a shell', () => {
  const starters = server.filter(({ text }) => text.includes("'node:child_process'"));
  assert.ok(starters.length > 0);
  for (const { file, text } of starters) {
    assert.match(file, /^src\/(platform\/(db|jobs)|operations)\//, file);
    const [, imported = ''] = /import \{([^}]+)\} from 'node:child_process'/.exec(text) ?? [];
    const taken = imported.split(',').map((name) => name.trim().replace(/^type /, ''));
    for (const name of taken) assert.match(name, /^(spawn|spawnSync|execFile|execFileSync|fork|ChildProcess)$/, file);
    assert.doesNotMatch(text, /shell:/, file);
  }
});

test('regular expressions are our own: those of others are run by an engine of linear time', () => {
  const inFunctions = server.filter(({ text }) => /^[ \t]+.*new RegExp\(/m.test(text)).map(({ file }) => file);
  assert.deepEqual(inFunctions, [
    'src/forms/rights/words.ts',
    'src/marketing/mailings/content/shield.ts',
    'src/platform/one-time-codes/read-code.ts',
  ]);
  assert.ok(having(/from 're2js'/, server).length > 0);
});

test('what stands in a statement as it is comes from us: a constant, the catalogue, or one of two directions', () => {
  const raw = server.flatMap(({ text }) =>
    [...text.matchAll(/sql\.raw\(((?:[^()]|\([^()]*\))*)\)/g)].map(([, what]) => what ?? ''),
  );
  const ours =
    /^(?:[A-Z_]+|String\([A-Z_]+\)|`[^$`]*\$\{[A-Z_]+\}`|(?:query\.)?order|order === 'asc'.*|query\.order === 'asc' \? '>' : '<'|(?:place|column)\.row|row|type|`\/\* prepared \$\{name\} \*\/`)$/;
  assert.ok(raw.length > 10);
  assert.deepEqual(
    raw.filter((what) => !ours.test(what)),
    [],
  );
  assert.deepEqual(having(/preparedAs\(name: Statement\)/, server), ['src/platform/db/prepared.ts'], 'a list of names');
  const directions = having(/order: 'asc' \| 'desc'/, server);
  assert.ok(directions.length > 0, 'a direction is one of two words, by its type and by the check of the query');
});

test('randomness that matters comes from the system, and no broken hash or cipher is used', () => {
  assert.deepEqual(having(/createHash\('(?!sha(256|384|512)'|' *\))/, server), []);
  assert.deepEqual(having(/createCipheriv\('(?!aes-256-gcm')/, server), []);
  const guessable = having(/Math\.random\(/, server).filter((file) => !/delivery|lanes|webhooks|jobs|net/.test(file));
  assert.deepEqual(guessable, []);
});

test('in browsers, text stays text', () => {
  assert.deepEqual(having(/dangerouslySetInnerHTML|\.outerHTML\s*=|insertAdjacentHTML/), []);
  // The document for foreign HTML, which is of no origin and runs nothing.
  assert.deepEqual(having(/document\.write\(/), ['src/dashboard/web/frames.ts']);
  assert.deepEqual(having(/\.innerHTML\s*=(?!=)/), []);
});
