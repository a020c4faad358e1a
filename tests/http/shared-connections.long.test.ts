import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { withConnection } from '../../src/platform/db/pool.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { addForm } from '../support/forms.ts';

type Outcome = 'own rows' | 'no rows' | 'saved' | 'given up' | 'failed';
type Step = (app: TestApp, asker: TestCustomer, other: TestCustomer) => Promise<Outcome>;

function listForms(app: TestApp, { key }: TestCustomer, { id }: TestCustomer) {
  return app.request('GET', `/api/forms?customer_id=${id}`, { key });
}

const STEPS: Step[] = [
  async (app, asker) => {
    const { status, body } = await listForms(app, asker, asker);
    if (status !== 200) return 'failed';
    assert.deepEqual(
      body.results.map(({ title }: { title: string }) => title),
      [asker.username],
    );
    return 'own rows';
  },
  async (app, asker, other) => {
    const { status, body } = await listForms(app, asker, other);
    if (status !== 200) return 'failed';
    assert.deepEqual(body.results, []);
    return 'no rows';
  },
  async (app, { key, username }) => {
    const subscriber = { email: `${randomUUID()}@${username}.example` };
    const { status, body } = await app.request('POST', '/v1/marketing/subscribers', { key, body: { subscriber } });
    if (status !== 200) return 'failed';
    assert.equal(body.data.attributes.email, subscriber.email);
    return 'saved';
  },
  async (app, { key, id }) => {
    const signal = AbortSignal.timeout(Math.ceil(Math.random() * 20));
    const headers = { authorization: `Bearer ${key}` };
    const reply = fetch(`${app.url}/api/forms?customer_id=${id}`, { signal, headers });
    await reply.then((answered) => answered.text()).catch(() => {});
    return 'given up';
  },
];

/** Makes a part of all writes fail half-way through their transaction. */
async function addStumblingBlock({ installation }: TestApp): Promise<void> {
  await withConnection(installation.ownerUrl, (client) =>
    client.query(`create function stumble() returns trigger language plpgsql as $$
        begin if random() < 0.3 then raise 'stumbled'; end if; return new; end $$;
      create trigger stumble after insert on subscriptions for each row execute function stumble()`),
  );
}

/** Ends a connection of the application, whatever it is doing. */
async function cutConnection({ installation }: TestApp): Promise<void> {
  await withConnection(installation.ownerUrl, (client) =>
    client.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where usename = 'carepost_app' and datname = current_database() order by random() limit 1`),
  );
}

/** Every subscriber with its customer, and whether the lists it is on belong to the same one. */
async function savedSubscribers({ installation }: TestApp) {
  const { rows } = await withConnection(installation.ownerUrl, (client) =>
    client.query(`select s.email, c.username, l.customer_id = s.customer_id as on_own_list
      from subscribers s join customers c on c.id = s.customer_id
      join subscriptions on subscriber_id = s.id join subscription_lists l on l.id = subscription_list_id`),
  );
  return rows;
}

test('connections that serve two customers in turn show neither the rows of the other, whatever fails', async (t) => {
  // Without the checks of the application, so that nothing but the connection's own setting is in the way.
  const app = await startApp(t, { overrides: { requireOwn: async () => {}, mayList: () => true } });
  const [one, other] = [await app.createCustomer(), await app.createCustomer()];
  for (const { id, username } of [one, other]) {
    await addForm(app, id, { title: username });
  }
  await addStumblingBlock(app);
  const seen = { 'own rows': 0, 'no rows': 0, saved: 0, 'given up': 0, failed: 0 };
  const ask = async () => {
    for (let number = 0; number < 40; number += 1) {
      const [asker, asked] = Math.random() < 0.5 ? [one, other] : [other, one];
      const step = STEPS[Math.floor(Math.random() * STEPS.length)] as Step;
      seen[await step(app, asker, asked)] += 1;
      if (number % 20 === 0) await cutConnection(app);
    }
  };
  await Promise.all(Array.from({ length: 24 }, ask));
  for (const [outcome, count] of Object.entries(seen)) assert.ok(count > 20, `${outcome}: ${count}`);
  const subscribers = await savedSubscribers(app);
  assert.ok(subscribers.length >= seen.saved);
  for (const { email, username, on_own_list } of subscribers) {
    assert.ok(email.endsWith(`@${username}.example`) && on_own_list);
  }
});
