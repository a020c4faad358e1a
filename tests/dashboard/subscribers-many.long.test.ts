import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asOwner } from '../support/owner.ts';
import { openAudienceRoom } from './audience-room.ts';

const PEOPLE = 100_000;
const MOST_MS = 5_000;
const MOST_ROWS = 60;

test('a table of 100,000 people jumps to its middle at once and draws only what is in sight', async (t) => {
  const { app, customer, enter } = await openAudienceRoom(t);
  await asOwner(app, (client) =>
    client.query(
      `insert into subscribers (id, customer_id, email, first_name, created_at, updated_at)
       select overlay(gen_random_uuid()::text placing '0190' || substr(hex, 1, 4) || '-' || substr(hex, 5) from 1)::uuid,
         $1::int, 'person-' || n || '@patients.example', 'Person ' || n, now(), now()
       from generate_series(1, $2::int) n, lpad(to_hex(n), 8, '0') hex`,
      [customer.id, PEOPLE],
    ),
  );
  const { page, errors } = await enter('/marketing/subscribers');
  await page.getByText('100,000 people').waitFor();
  await page.getByRole('link', { name: 'person-100000@patients.example' }).waitFor();
  const table = page.getByRole('table', { name: 'Subscribers' });
  assert.equal(await table.getAttribute('aria-rowcount'), String(PEOPLE + 1));
  const scroller = page.getByRole('region', { name: 'Subscribers' });
  const jumpTo = async (share: number) => {
    const began = performance.now();
    await scroller.evaluate((box, part) => box.scrollTo({ top: (box.scrollHeight - box.clientHeight) * part }), share);
    const at = Math.round(PEOPLE * (1 - share));
    await page
      .getByRole('link', { name: new RegExp(`^person-(${at}|${at - 1}|${at + 1})@`) })
      .first()
      .waitFor();
    return performance.now() - began;
  };
  const times = [];
  for (const share of [0.5, 0.25, 0.75]) times.push(await jumpTo(share));
  const drawn = await table.locator('tbody tr').count();
  t.diagnostic(`jumps of ${times.map((ms) => Math.round(ms)).join(', ')} ms with ${drawn} rows drawn`);
  assert.ok(Math.max(...times) < MOST_MS, `jumps took ${times.join(', ')} ms`);
  assert.ok(drawn < MOST_ROWS, `${drawn} rows are drawn`);
  assert.deepEqual(errors, []);
});
