import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { selectDrips } from '../../src/marketing/drip/campaigns/drip.ts';
import { holdTogether } from '../../src/marketing/drip/campaigns/hold.ts';
import { withConnection } from '../../src/platform/db/pool.ts';
import { rowsOf } from '../marketing/support.ts';
import { eventually } from '../support/eventually.ts';
import { asOwner } from '../support/owner.ts';
import { addTo, mailsOf, openQuiet, type QuietScene, setClock, startDrip, steer, whereIs } from './drip.ts';

let enter: () => Promise<QuietScene>;
before(async (t) => {
  enter = await openQuiet(t as TestContext);
});

const WAITING = `select count(*)::int as waiting from pg_stat_activity
  where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`;

test('whoever pauses a drip waits for those who advance it now, and for nobody who comes later', async () => {
  const scene = await enter();
  const { app, customer } = scene;
  const drip = await startDrip(scene, [{ id: 'nap', type: 'delay', days: 1 }]);
  const { db } = app.installation;
  const waiting = async () => (await rowsOf(app, WAITING))[0]?.waiting as number;
  const { promise: held, resolve: goOn } = Promise.withResolvers<void>();
  const first = db.tenant([customer.id], async (tx) => {
    await holdTogether(tx, [Number(drip)]);
    await held;
  });
  const pausing = steer(scene, drip, 'pause');
  await eventually(async () => (await waiting()) === 1);
  const second = db.tenant([customer.id], async (tx) => {
    await holdTogether(tx, [Number(drip)]);
    return selectDrips(tx).where('id', '=', Number(drip)).executeTakeFirstOrThrow();
  });
  await eventually(async () => (await waiting()) === 2);
  goOn();
  await Promise.all([first, pausing]);
  assert.equal((await second).state, 'paused');
});

test('a fact that cannot be dealt with is set aside, and holds up nobody', async () => {
  const scene = await enter();
  const { app, customer } = scene;
  const drip = await startDrip(scene, [{ id: 'nap', type: 'delay', days: 1 }]);
  await asOwner(app, async (client) => {
    await client.query(
      `insert into suppressions (customer_id, address_index, reason, sealed, created_at)
       values ($1, '\\x00', 'manual', '\\x00', now())`,
      [customer.id],
    );
  });
  const ann = await addTo(scene, 'ann');
  await scene.engine.settle();
  assert.equal(await whereIs(scene, drip, ann), 'in nap until 2026-11-17T12:00:00Z');
  const left = await rowsOf(app, 'select kind, set_aside from drip_facts where customer_id = $1', [customer.id]);
  assert.deepEqual(left, [{ kind: 'suppressed', set_aside: true }]);
});

test('what happens to somebody before they come to wait for it counts, but not what they entered by', async () => {
  const scene = await enter();
  const { marketing, clock, list } = scene;
  const wait = { id: 'wait', type: 'wait', for: { event: 'booked' }, timeout: { days: 1 } };
  const drip = await startDrip(scene, [wait]);
  const again = await startDrip(scene, [{ ...wait, for: { event: 'joined', subscription_list_id: list } }]);
  const ann = await addTo(scene, 'ann');
  setClock(clock, '2026-11-16T12:00:01Z');
  await marketing.take('POST', '/drip_events', { event: 'booked', subscriber_id: ann });
  await scene.engine.settle();
  assert.equal(await whereIs(scene, drip, ann), 'through');
  assert.equal(await whereIs(scene, again, ann), 'in wait until 2026-11-17T12:00:01Z');
  const visits = await rowsOf(
    scene.app,
    `select v.outcome from drip_visits v join drip_enrolments e on e.id = v.enrolment_id where e.drip_id = $1`,
    [drip],
  );
  assert.deepEqual(visits, [{ outcome: 'then' }]);
});

test('whoever has opened a mail by the time they come to wait for that does not wait', async () => {
  const scene = await enter();
  const { app, mailing } = scene;
  const drip = await startDrip(scene, [
    { id: 'hello', type: 'email', campaign_mailing_id: mailing },
    { id: 'nap', type: 'delay', days: 1 },
    { id: 'wait', type: 'wait', for: { opened: mailing }, timeout: { days: 1 } },
  ]);
  const [ann, ben] = [await addTo(scene, 'ann'), await addTo(scene, 'ben')];
  await scene.engine.settle();
  await withConnection(app.installation.ownerUrl, (client) =>
    client.query(
      `insert into mailing_engagement (id, customer_id, send_id, mailing_id, subscriber_id, opens, first_opened_at)
       select id, customer_id, send_id, mailing_id, subscriber_id, 1, $2 from mailing_recipients where subscriber_id = $1`,
      [ann, '2026-11-16T13:00:00Z'],
    ),
  );
  await scene.becomes('2026-11-17T12:00:00Z');
  assert.equal(await whereIs(scene, drip, ann), 'through');
  assert.equal(await whereIs(scene, drip, ben), 'in wait until 2026-11-18T12:00:00Z');
  assert.equal((await mailsOf(scene, drip)).length, 2);
});

test('whoever gets through twice at the same time is one person who got through', async () => {
  const scene = await enter();
  const { marketing, engine } = scene;
  const drip = await startDrip(scene, [{ id: 'nap', type: 'delay', until: { time: '09:00' } }], { reentry: 'always' });
  const ann = await addTo(scene, 'ann');
  await engine.settle();
  await marketing.take('POST', `/drip_campaigns/${drip}/enrollments`, { subscriber_ids: [ann] });
  await scene.becomes('2026-11-17T09:00:00Z');
  await marketing.take('POST', `/drip_campaigns/${drip}/enrollments`, { subscriber_ids: [ann] });
  await scene.becomes('2026-11-18T09:00:00Z');
  const { data } = await marketing.take('GET', `/drip_campaigns/${drip}`);
  assert.deepEqual([data.attributes.subscriber_count, data.attributes.subscriber_completed_count], [1, 1]);
});
