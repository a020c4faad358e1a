import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Row, Sources } from '../../src/operations/evidence-pack/section.ts';
import { breakGlass, incidents, reviews } from '../../src/operations/evidence-pack/sections/oversight.ts';
import { startApp } from '../support/app.ts';
import { asOwner } from '../support/owner.ts';

const MANY = 701;

test('the tables of oversight in an evidence pack hold every row, however many there are', async (t) => {
  const app = await startApp(t);
  const [clinic, other] = [await app.createCustomer(), await app.createCustomer()];
  const day = { from: new Date('2026-05-01T00:00:00Z'), to: new Date('2026-05-02T00:00:00Z') };
  const times = `select gen_random_uuid() as id, '2026-05-01T00:00:00Z'::timestamptz + n * interval '1 minute' as at
    from generate_series(0, ${MANY - 1}) n`;
  await asOwner(app, async (client) => {
    await client.query(
      `insert into break_glass_grants (id, customer_id, operator_id, reason, minutes, asked_at)
       select id, $1, gen_random_uuid(), '', 5, at from (${times}) t`,
      [clinic.id],
    );
    await client.query(
      `insert into activity_reviews (id, customer_id, period_from, period_to, findings, made_at, due_at)
       select id, $1, at, at, '[]', at, at from (${times}) t`,
      [clinic.id],
    );
    await client.query(
      `insert into incidents (id, customer_id, discovered_at, severity, state, told, opened_at, opened_by_kind, opened_by)
       select id, $1, at, 'low', 'open', '', at, 'cli', 'test' from (${times}) t`,
      [clinic.id],
    );
  });
  const customers = [clinic, other].map(({ id, username }) => ({ id, username }));
  const sources = { installation: app.installation, customers, period: day } as Sources;
  for (const read of [breakGlass, reviews, incidents]) {
    const { name, rows, columns } = await read(sources);
    assert.equal(rows.length, MANY, name);
    assert.equal(new Set(rows.map(({ id }: Row) => id)).size, MANY, `${name}: each once`);
    assert.deepEqual([...new Set(rows.map(({ customer }: Row) => customer))], [clinic.username]);
    assert.deepEqual(Object.keys(rows[0] as Row), columns);
  }
});
