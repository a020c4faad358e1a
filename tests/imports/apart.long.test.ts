import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { before, type TestContext, test } from 'node:test';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { asOwner } from '../support/owner.ts';
import { countsOf, importFile, look, send, settled } from './support.ts';

const ROWS = 30_000;
const LARGE = `email,first_name\n${Array.from({ length: ROWS }, (_, row) => `person.${row}@clinic.example.com,Ann-${row}\n`).join('')}`;
/** A byte more is worked on apart. */
const LARGEST_HERE = 256 * 1024;

let app: TestApp;
let customer: TestCustomer;

before(async (context) => {
  app = await startApp(context as TestContext, { env: { CAREPOST_ROLES: 'http,worker' } });
  customer = await app.createCustomer();
});

/** The process that works on imports for this one, while there is one. */
function importProcess(): number | null {
  for (const file of globSync('/proc/*/cmdline')) {
    const pid = Number(file.split('/')[2]);
    try {
      const [, parent] = /\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
      if (Number(parent) === process.pid && readFileSync(file, 'utf8').includes('imports/apart/process.ts')) return pid;
    } catch {
      // it has ended meanwhile
    }
  }
  return null;
}

function fileOf(bytes: number): string {
  const head = 'email,first_name\nann@example.com,';
  return `${head}${'A'.repeat(50)}\n`.padEnd(bytes, '\n');
}

test('a file of up to 256 KB is imported by the server itself, a larger one by a process of its own', async () => {
  const [below, at, above] = [-1, 0, 1].map((more) => fileOf(LARGEST_HERE + more)) as [string, string, string];
  for (const small of [below, at]) {
    assert.equal((await importFile(app, customer, small)).attributes.state, 'done');
    assert.equal(importProcess(), null);
  }
  assert.deepEqual(countsOf(await importFile(app, customer, above)), {
    created: 0,
    updated: 0,
    unchanged: 1,
    skipped: 0,
    opted_out: 0,
  });
  assert.notEqual(importProcess(), null);
});

test('killed in the middle of an import, it goes on where it was, takes it back when asked, and ends with the server', async () => {
  const { body } = await send(app, customer, LARGE);
  const { id } = body.data;
  await eventually(async () => (await look(app, customer, id)).attributes.rows_done > 0);
  process.kill(importProcess() as number, 'SIGKILL');
  const told = await settled(app, customer, id);
  assert.equal(told.attributes.state, 'done');
  assert.equal(countsOf(told).created, ROWS);

  const path = `/v1/marketing/imports/${id}/undo`;
  assert.equal((await app.request('POST', path, { key: customer.key })).status, 200);
  const { attributes } = await eventually(async () => {
    const undone = await look(app, customer, id);
    return undone.attributes.state === 'undone' && undone;
  });
  assert.equal(attributes.removed, ROWS);
  const left = await asOwner(app, async (client) => {
    const { rows } = await client.query('select count(*)::int as people from subscribers where import_id = $1', [id]);
    return rows[0]?.people;
  });
  assert.equal(left, 0);

  assert.notEqual(importProcess(), null);
  await app.stop();
  assert.equal(importProcess(), null);
});
