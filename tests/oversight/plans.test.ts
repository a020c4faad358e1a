import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CompiledQuery } from 'kysely';
import { suppressedBy } from '../../src/email/index.ts';
import { startApp } from '../support/app.ts';
import { lookedAt } from '../support/looked-at.ts';
import { asOwner } from '../support/owner.ts';

const ADD_OTHERS = `
  insert into suppressions (customer_id, address_index, reason, sealed, created_at)
  select $1, sha256(n::text::bytea), 'manual', '', now() from generate_series(1, 2000) n`;
const NAME = `select encode(address_index, 'hex') || '.' || reason as name from suppressions where customer_id = $1`;

test('the address of a suppression is found by the name that the audit log has of it, without a look at the others', async (t) => {
  const app = await startApp(t);
  const customer = await app.createCustomer();
  const body = { address: 'ann@example.com' };
  const { status } = await app.request('POST', '/v1/email/suppressions', { key: customer.key, body });
  assert.equal(status, 200);
  const name: string = await asOwner(app, async (client) => {
    const { rows } = await client.query(NAME, [customer.id]);
    await client.query(ADD_OTHERS, [customer.id]);
    await client.query('analyze suppressions');
    return rows[0].name;
  });
  const { db, vault } = app.installation;
  const keys = await vault.of(customer.id);
  await db.tenant([customer.id], async (tx) => {
    assert.equal((await suppressedBy(tx, keys, customer.id, [])).size, 0);
    const found = await suppressedBy(tx, keys, customer.id, [name, 'ab.none', 'odd', 'abc.manual']);
    assert.deepEqual([...found], [[name, 'ann@example.com']]);
    const { suppressions = 0 } = await lookedAt((text) => tx.executeQuery(CompiledQuery.raw(text)));
    assert.ok(suppressions <= 5, `${suppressions} rows`);
  });
});
