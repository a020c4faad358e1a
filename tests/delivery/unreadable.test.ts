import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import type { Client } from '../../src/platform/db/pool.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock, type MovableClock } from '../support/clock.ts';
import { createPeer, createTestEngine, createWorker, type Worker, willing } from '../support/delivery.ts';
import { messageTo, send } from '../support/mail.ts';
import { asOwner } from '../support/owner.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
let app: TestApp;
let clock: MovableClock;
let worker: Worker;

before(async (t) => {
  clock = createMovableClock();
  app = await startApp(t as TestContext, { clock });
  worker = await createWorker(t as TestContext, app);
});

async function recipientOf(id: string) {
  return asOwner(app, async (client) => {
    const { rows } = await client.query(
      `select r.state, r.attempts, r.due_at, a.outcome from message_recipients r
       left join delivery_attempts a on a.message_id = r.message_id and a.attempt = r.attempts where r.message_id = $1`,
      [id],
    );
    return rows[0] as { state: string; attempts: number; due_at: Date | null; outcome: string | null };
  });
}

/** Keeps PostgreSQL from reading the content of a message, as damage does: every statement that meets it fails. */
function damage(code: string): Kind['harm'] {
  return async (client, id) => {
    await client.query(`create function is_sound(id uuid) returns boolean language plpgsql as $$ begin
      if id = '${id}' then raise 'cannot be read' using errcode = '${code}'; end if; return true; end $$`);
    await client.query(`create policy damaged on message_contents as restrictive using (is_sound(id))`);
  };
}

async function mendPage(client: Client): Promise<void> {
  await client.query('drop policy if exists damaged on message_contents');
  await client.query('drop function if exists is_sound');
}

interface Kind {
  what: string;
  harm(client: Client, id: string, customer: TestCustomer): Promise<unknown>;
}

const KINDS: Kind[] = [
  { what: 'stands on a damaged page', harm: damage('XX001') },
  { what: 'names a transaction of which nothing is known', harm: damage('58P01') },
  {
    what: 'has lost its content',
    harm: (client, id) => client.query('delete from message_contents where id = $1', [id]),
  },
  {
    what: 'has content whose seal is broken',
    harm: (client, id) =>
      client.query(
        `update message_contents set sealed = set_byte(sealed, 40, 255 - get_byte(sealed, 40)) where id = $1`,
        [id],
      ),
  },
  {
    what: 'has an envelope whose seal is broken',
    harm: (client, id) =>
      client.query(
        `update messages set envelope = set_byte(envelope, 40, 255 - get_byte(envelope, 40)) where id = $1`,
        [id],
      ),
  },
  {
    what: 'is of a customer whose keys cannot be opened',
    async harm(client, _id, { id }) {
      await client.query(
        `update customer_keys set wrapped = set_byte(wrapped, 20, 255 - get_byte(wrapped, 20)) where customer_id = $1`,
        [id],
      );
      app.installation.vault.forget(id);
    },
  },
];

for (const { what, harm } of KINDS) {
  test(`a message that ${what} is tried again by itself, and the others go`, async (t) => {
    const [customer, neighbour] = [await app.createCustomer(), await app.createCustomer()];
    const id = await send(app, customer.key, messageTo('ann@example.com'));
    const others: string[] = [];
    for (let place = 0; place < 3; place += 1)
      others.push(await send(app, neighbour.key, messageTo('bob@example.com')));
    await asOwner(app, (client) => harm(client, id, customer));
    t.after(() => asOwner(app, mendPage));
    const engine = createTestEngine(worker, createPeer(willing).find);
    assert.ok((await engine.turn()) >= 4, 'they are taken together');
    await engine.settled();
    for (const other of others) assert.equal((await recipientOf(other)).state, 'delivered');
    const put = await recipientOf(id);
    const minutes = ((put.due_at?.getTime() ?? 0) - clock.now().getTime()) / MINUTE;
    assert.deepEqual([put.state, put.attempts, put.outcome], ['queued', 1, 'deferred']);
    assert.ok(minutes > 0.5 && minutes < 1.5, `again in ${minutes} minutes`);
    assert.match(app.logged(), new RegExp(`"messageId":"${id}"[^\n]*"outcome":"deferred"`));
    clock.advance(6 * DAY);
    await engine.turn();
    await engine.settled();
    assert.equal((await recipientOf(id)).state, 'bounced', 'and given up after days');
  });
}
