import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { HandedOver } from '../../src/email/index.ts';
import { advanceSends } from '../../src/marketing/mailings/sending/advance.ts';
import { cancelPage } from '../../src/marketing/mailings/sending/cancel.ts';
import { leasePeople, renewLeases } from '../../src/marketing/mailings/sending/lease.ts';
import type { Send } from '../../src/marketing/mailings/sending/send.ts';
import type { Settlement } from '../../src/marketing/mailings/sending/settle.ts';
import { writeSettlements } from '../../src/marketing/mailings/sending/write-settlements.ts';
import type { Tx } from '../../src/platform/db/database.ts';
import { startApp } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { createWorker } from '../support/delivery.ts';
import { eventually } from '../support/eventually.ts';
import { asOwner } from '../support/owner.ts';
import { advancing } from './advancing.ts';
import { addList, addMailing, readSend, startSend } from './mailing.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

function unwanted(): never {
  assert.fail('nothing was to be handed over');
}

/** A send with one person, whose mails a test takes and settles by hand. */
async function begin(t: TestContext) {
  const clock = createMovableClock();
  const app = await startApp(t, { clock });
  const worker = await createWorker(t, app);
  const customer = await app.createCustomer();
  const listId = await addList(app, customer, []);
  const id = await startSend(app, customer, await addMailing(app, customer), { subscription_list_id: listId });
  const query = (text: string) =>
    asOwner(app, async (client) => (await client.query(text, text.includes('$1') ? [id] : [])).rows);
  await query(`insert into mailing_recipients (id, customer_id, send_id, mailing_id, subscriber_id, domain, state, due_at)
    select time_ordered_id(now()), customer_id, id, mailing_id, gen_random_uuid(), 'example.com', 'queued', send_at
    from campaign_mailing_sends where id = $1`);
  const [send] = (await query('select * from campaign_mailing_sends where id = $1')) as [Send];
  const keys = await worker.vault.of(customer.id);
  const inTenant = <T>(work: (tx: Tx) => Promise<T>) => worker.db.tenant([customer.id], work);
  return {
    clock,
    worker,
    send,
    inTenant,
    query,
    counts: () => readSend(app, customer, id),
    async take() {
      const [person] = await inTenant((tx) => leasePeople(tx, clock, send, 1));
      return person ?? assert.fail('nobody is due');
    },
    write: (settlement: Settlement) =>
      writeSettlements(advancing(worker, { handOver: unwanted }), { send, keys, warmUp: null, takenAt: clock.now() }, [
        settlement,
      ]),
    async states() {
      return (await query('select state, attempts from mailing_recipients')) as { state: string; attempts: number }[];
    },
  };
}

test('what was settled does not settle a later lease of the same attempt', async (t) => {
  const { take, write, clock, states } = await begin(t);
  const first = await take();
  const putOff = { person: first, putOffUntil: clock.now(), paced: false };
  await write(putOff);
  clock.advance(1);
  const second = await take();
  assert.equal(second.attempts, first.attempts);
  await write(putOff);
  assert.deepEqual(await states(), [{ state: 'sending', attempts: 1 }]);
});

test('a lease that is renewed is not given up for lost, and is settled as it was taken', async (t) => {
  const { worker, send, take, write, clock, states, inTenant, query } = await begin(t);
  await query(`update campaign_mailing_sends set state = 'cancelled'`);
  const person = await take();
  clock.advance(2 * MINUTE);
  await renewLeases(worker, send, [person]);
  clock.advance(2 * MINUTE);
  await inTenant((tx) => cancelPage(tx, clock, send));
  assert.deepEqual(await states(), [{ state: 'sending', attempts: 1 }]);
  const moment = { startedAt: clock.now(), finishedAt: clock.now() };
  const handed: HandedOver = { result: 'delivered', code: 250, reply: '250 fine', met: null, ...moment };
  await write({ person: { ...person, email: 'ann@example.com' }, handed, keptAs: null });
  assert.deepEqual(await states(), [{ state: 'delivered', attempts: 1 }]);
});

test('a mail of a cancelled send that comes back late is cancelled too, and waits for nobody', async (t) => {
  const { send, take, write, clock, query, inTenant, counts } = await begin(t);
  const person = await take();
  await query(`update campaign_mailing_sends set state = 'cancelled' where id = $1`);
  clock.advance(4 * MINUTE);
  await inTenant((tx) => cancelPage(tx, clock, send));
  await write({ person, putOffUntil: clock.now(), paced: false });
  assert.deepEqual(await query('select state, due_at from mailing_recipients'), [{ state: 'cancelled', due_at: null }]);
  const { cancelled, uncertain } = await counts();
  assert.deepEqual([cancelled, uncertain], [1, 0]);
});

test('what came of others is written down while a server takes its time', async (t) => {
  const app = await startApp(t);
  const worker = await createWorker(t, app);
  const customer = await app.createCustomer();
  const listId = await addList(app, customer, ['quick@example.com', 'slow@example.com']);
  const id = await startSend(app, customer, await addMailing(app, customer), { subscription_list_id: listId });
  const taken = Promise.withResolvers<void>();
  const deps = advancing(worker, {
    settleMs: 5,
    async handOver({ recipient }) {
      const startedAt = new Date();
      if (recipient.startsWith('slow')) await taken.promise;
      return { result: 'delivered', code: 250, reply: '250 fine', met: null, startedAt, finishedAt: new Date() };
    },
  });
  const sending = (async () => {
    while ((await advanceSends(deps)) > 0);
  })();
  await eventually(async () => (await readSend(app, customer, id)).delivered === 1);
  taken.resolve();
  await sending;
  const { delivered, state } = await readSend(app, customer, id);
  assert.deepEqual([delivered, state], [2, 'finished']);
});

test('what is written once more changes nothing, also where only the server knows whether it has the mail', async (t) => {
  const { take, write, clock, query, counts } = await begin(t);
  const person = { ...(await take()), email: 'ann@example.com' };
  const moment = { startedAt: clock.now(), finishedAt: clock.now() };
  const handed: HandedOver = { result: 'uncertain', code: null, reply: null, met: null, ...moment };
  const settlement = { person, handed, keptAs: null };
  await write(settlement);
  await write(settlement);
  assert.equal((await counts()).uncertain, 1);
  assert.deepEqual(await query('select attempt, outcome from delivery_attempts'), [
    { attempt: 1, outcome: 'uncertain' },
  ]);
});

/** A server that was met over TLS. */
const MET: HandedOver['met'] = {
  host: 'mx.example.com',
  address: '192.0.2.1',
  tls: { version: 'TLSv1.3', cipher: 'x' },
  certificateHash: Buffer.alloc(32),
  judgement: { verified: true, policy: 'pkix', basis: null, reason: null, mayNotice: true, mayWaive: true },
};

test('how long a mail has met no TLS counts from when it last met some', async (t) => {
  const { take, write, clock, states } = await begin(t);
  const defer = async (met: HandedOver['met']) => {
    const person = { ...(await take()), email: 'ann@example.com' };
    const moment = { startedAt: clock.now(), finishedAt: clock.now() };
    const said =
      met === null ? { code: null, reply: 'no TLS', tls: 'missing' as const } : { code: 452, reply: '452 full' };
    await write({ person, handed: { result: 'deferred', ...said, met, ...moment }, keptAs: null });
  };
  for (const met of [null, MET, MET, null, null]) {
    await defer(met);
    assert.equal((await states())[0]?.state, 'deferred');
    clock.advance(3 * HOUR);
  }
  await defer(null);
  assert.deepEqual(await states(), [{ state: 'bounced', attempts: 6 }]);
});
