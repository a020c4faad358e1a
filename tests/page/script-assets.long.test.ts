import assert from 'node:assert/strict';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { parseAst } from 'rolldown/parseAst';
import { BUILT, loadPageAssets, type Manifest } from '../../src/forms/page/assets.ts';

const MOST_BYTES = 60_000;
const MANIFEST = join(BUILT, 'manifest.json');

/** What encrypts is loaded by those forms alone whose answers only the customer may read. */
const isSealing = (name: string) => name.startsWith('seal-form.');

test('all the script there is comes to less than 60 KB compressed, and an ordinary form loads less than half of it', async (t) => {
  const { script, files } = await loadPageAssets();
  const sizes = new Map([...files].map(([name, { gzip }]) => [name, gzip.length]));
  const all = [...sizes].reduce((sum, [name, size]) => (isSealing(name) ? sum : sum + size), 0);
  const sealing = [...sizes].find(([name]) => isSealing(name))?.[1] ?? 0;
  const main = sizes.get(script.replace('/f/-/', '')) ?? 0;
  t.diagnostic(`gzip: ${main} bytes for an ordinary form, ${all} with uploads, drawing and proof of work`);
  t.diagnostic(`gzip: ${sealing} bytes more where a form is encrypted end to end`);
  assert.ok(sealing > 0 && sealing < MOST_BYTES, `${sealing} bytes`);
  assert.ok(main > 0 && main < MOST_BYTES / 2, `${main} bytes`);
  assert.ok(all < MOST_BYTES, `${all} bytes`);
  for (const [name, { plain, gzip, br, type }] of files) {
    assert.match(name, /^[\w-]+\.[\w-]{8}\.js$/);
    assert.equal(type, 'text/javascript; charset=utf-8');
    assert.ok(gunzipSync(gzip).equals(plain) && brotliDecompressSync(br).equals(plain));
  }
});

/** Syntax that came after ES2019; modules that load others are older than that in browsers. */
const NEWER_NODES = new Set([
  'ChainExpression',
  'PropertyDefinition',
  'PrivateIdentifier',
  'StaticBlock',
  'AccessorProperty',
]);
const NEWER_SIGNS = new Set(['??', '??=', '||=', '&&=']);

function newerSyntaxIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const { type, operator, bigint, regex } = node as Record<string, unknown>;
  const found = [
    NEWER_NODES.has(String(type)) ? [String(type)] : [],
    NEWER_SIGNS.has(String(operator)) ? [String(operator)] : [],
    bigint === undefined || bigint === null ? [] : ['bigint'],
    isNewerExpression(regex as { pattern: string; flags: string } | undefined) ? ['regular expression'] : [],
  ].flat();
  return [...found, ...Object.values(node).flatMap(newerSyntaxIn)];
}

/** Safari looks behind only since 2023, and reads nothing of a script that does. */
function isNewerExpression(regex: { pattern: string; flags: string } | undefined): boolean {
  return regex !== undefined && (/[dv]/.test(regex.flags) || /\(\?<[=!]/.test(regex.pattern));
}

test('the script is written for browsers of 2019', async () => {
  assert.deepEqual(newerSyntaxIn(parseAst('class A { #b = a ?? b?.c(/(?<=d)e/) }')).toSorted(), [
    '??',
    'ChainExpression',
    'PrivateIdentifier',
    'PropertyDefinition',
    'regular expression',
  ]);
  const { files } = await loadPageAssets();
  for (const [name, { plain }] of files) assert.deepEqual(newerSyntaxIn(parseAst(plain.toString())), [], name);
});

test('the script is built when its sources have changed, and only then', async () => {
  await loadPageAssets();
  const { mtimeMs } = await stat(MANIFEST);
  const before = await loadPageAssets();
  assert.equal((await stat(MANIFEST)).mtimeMs, mtimeMs);
  const manifest = JSON.parse(await readFile(MANIFEST, 'utf8')) as Manifest;
  assert.ok('src/forms/model/check/judge.ts' in manifest.sources && 'package-lock.json' in manifest.sources);
  const sources = { ...manifest.sources, 'src/forms/model/check/judge.ts': 'another hash' };
  await writeFile(MANIFEST, JSON.stringify({ ...manifest, script: 'gone.js', sources }));
  assert.equal((await loadPageAssets()).script, before.script);
  assert.deepEqual(JSON.parse(await readFile(MANIFEST, 'utf8')), manifest);
});
