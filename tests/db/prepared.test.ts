import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { openDatabase } from '../../src/platform/db/database.ts';
import { preparedAs } from '../../src/platform/db/prepared.ts';
import { createLog } from '../../src/platform/log.ts';
import { createTestDatabase } from '../support/database.ts';

const log = createLog('silent');

async function namesAfter(t: { after(work: () => Promise<void>): void }, lent: boolean): Promise<string[]> {
  const { url, drop } = await createTestDatabase();
  const db = openDatabase({ ownerUrl: url, poolerUrl: lent ? url : null, log }, 'app', 1);
  t.after(async () => {
    await db.close();
    await drop();
  });
  for (const number of [1, 2]) {
    const { rows } = await db.untenanted((tx) =>
      sql<{ twice: number }>`${preparedAs('enqueue-webhooks')} select 2 * ${number}::int as twice`.execute(tx),
    );
    assert.deepEqual(rows, [{ twice: 2 * number }]);
    const chosen = await db.untenanted((tx) =>
      tx
        .selectFrom('subscription_lists')
        .modifyFront(preparedAs('lease-webhooks'))
        .select('id')
        .where('id', '=', number)
        .execute(),
    );
    assert.deepEqual(chosen, []);
  }
  const { rows } = await db.untenanted((tx) =>
    sql<{ name: string }>`select name from pg_prepared_statements order by name`.execute(tx),
  );
  return rows.map(({ name }) => name);
}

test('a statement that asks for it is prepared once on its connection', async (t) => {
  assert.deepEqual(await namesAfter(t, false), ['enqueue-webhooks', 'lease-webhooks']);
});

test('where connections are lent, nothing is prepared, and it is carried out all the same', async (t) => {
  assert.deepEqual(await namesAfter(t, true), []);
});
