// Every property of src is tried for SECONDS with inputs of its own, in place of a few hundred, and the inputs are counted.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

const SECONDS = process.env.SECONDS ?? '15';
const ROOT = join(import.meta.dirname, '..');
const HOOK = join(import.meta.dirname, 'use-tireless-fast-check.ts');

function filesWithProperties(): string[] {
  const files = globSync('src/**/*.test.ts', { cwd: ROOT });
  return files.filter((file) => readFileSync(join(ROOT, file), 'utf8').includes('fc.assert'));
}

test(`every property of src for ${SECONDS} seconds`, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'carepost-inputs-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const inputsFile = join(folder, 'inputs');
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const tests = spawn(
    process.execPath,
    ['--import', HOOK, '--test', '--test-reporter=spec', ...filesWithProperties()],
    {
      cwd: ROOT,
      env: { ...env, SECONDS, INPUTS_FILE: inputsFile },
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  const [code] = await once(tests, 'close');
  const inputs = readFileSync(inputsFile, 'utf8').trim().split('\n').map(Number);
  const all = inputs.reduce((sum, some) => sum + some, 0);
  process.stdout.write(`${inputs.length} properties, ${all} inputs\n`);
  assert.equal(code, 0);
});
