import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '../../platform/db/database.ts';
import { createFindVersion } from './compiled-versions.ts';

/** Finds versions of forms that are as long as given, and tells how often one had to be read. */
function versionsOf(characters: number) {
  let read = 0;
  const row = {
    version: 1,
    form_json: { fields: [{ name: 'a' }] },
    form_html: 'x'.repeat(characters),
    form_css: null,
    signable: false,
    signature_confirmation_label: null,
  };
  const tenant = async () => {
    read += 1;
    return row;
  };
  const find = createFindVersion({ tenant } as unknown as Database);
  const ask = async (form: number) => await find({ id: `${form}`, customerId: 1 }, 1);
  return { ask, timesRead: () => read };
}

const askForAll = async (ask: (form: number) => Promise<unknown>, forms: number) => {
  for (let form = 0; form < forms; form += 1) await ask(form);
};

test('versions are kept by how long they are: many short ones, and few long ones', async () => {
  const short = versionsOf(1_000);
  await askForAll(short.ask, 5_000);
  await askForAll(short.ask, 5_000);
  assert.equal(short.timesRead(), 5_000);

  const long = versionsOf(1024 * 1024);
  await askForAll(long.ask, 15);
  await askForAll(long.ask, 15);
  assert.equal(long.timesRead(), 15);
  await long.ask(15);
  await long.ask(0);
  assert.equal(long.timesRead(), 17, 'the sixteenth has taken the place of the first');
});

test('a version that several ask for at once counts once', async () => {
  const { ask, timesRead } = versionsOf(1024 * 1024);
  await Promise.all(Array.from({ length: 20 }, () => ask(0)));
  const read = timesRead();
  await askForAll(ask, 15);
  assert.equal(timesRead(), read + 14);
});
