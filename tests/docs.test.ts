import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { configurationPage } from '../src/configuration-page.ts';
import { startApp } from './support/app.ts';

const docs = join(import.meta.dirname, '..', 'docs');

test('docs/configuration.md lists the settings that there are: npm run docs', () => {
  assert.equal(readFileSync(join(docs, 'configuration.md'), 'utf8'), configurationPage());
});

test('docs/api/openapi.json is what the server serves: npm run docs', async (t) => {
  const app = await startApp(t);
  const { body } = await app.request('GET', '/openapi.json');
  assert.deepEqual(JSON.parse(readFileSync(join(docs, 'api', 'openapi.json'), 'utf8')), body);
});
