// Runs the test files that its arguments name in this one process, one after the other, each with hooks and an end of its
// own: loading the product takes longer than most tests.
import '../support/seed.ts';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

for (const file of process.argv.slice(2)) {
  test(file, async () => void (await import(pathToFileURL(resolve(file)).href)));
}
