import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { destroyCustomerKeys } from '../../src/accounts/index.ts';
import { nextDrips } from '../../src/marketing/drip/engine/due-drips.ts';
import { openDatabase } from '../../src/platform/db/database.ts';
import { withConnection } from '../../src/platform/db/pool.ts';
import { addMailing } from '../mailings/mailing.ts';
import { marketingOf, rowsOf } from '../marketing/support.ts';
import { eventually } from '../support/eventually.ts';
import {
  addTo,
  arrived,
  entriesOf,
  type LivelyScene,
  MINUTE,
  mail,
  mailsOf,
  openLively,
  openQuiet,
  type QuietScene,
  setClock,
  startDrip,
  steer,
  whereIs,
} from './drip.ts';
import { createEngine } from './engine.ts';

let enterQuiet: (at?: string) => Promise<QuietScene>;
let enterLively: (at?: string) => Promise<LivelyScene>;
before(async (t) => {
  enterQuiet = await openQuiet(t as TestContext);
  enterLively = await openLively(t as TestContext);
});

const nap = (id: string, more: Record<string, number> = { days: 1 }) => ({ id, type: 'delay', ...more });

/** Whose connection waits for a lock, once somebody does. */
function whoIsBlocked({ app }: QuietScene): Promise<number> {
  const waiting = `select pid from pg_stat_activity
    where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`;
  return eventually(async () => (await rowsOf(app, waiting))[0]?.pid as number | undefined);
}

test('of two engines neither takes anybody along whom the other has', async (t) => {
  const scene = await enterQuiet();
  const { app, clock, marketing, list } = scene;
  const other = await marketing.addList('Other');
  await marketing.take('POST', '/subscriber_custom_field_types', { name: 'Stage' });
  const steps = [
    mail(scene, 'one'),
    { id: 'on', type: 'list', add: other },
    { id: 'stage', type: 'field', name: 'Stage', value: 'in' },
    nap('nap'),
    mail(scene, 'two'),
  ];
  const drips = [await startDrip(scene, steps), await startDrip(scene, steps)];
  const subscribers = Array.from({ length: 300 }, (_, n) => ({ email: `person-${n}@example.com` }));
  await marketing.take('POST', '/subscribers_bulk_create', { subscribers, subscription_list_id: list });
  const engines = [scene.engine, createEngine(t, app, clock)];
  const work = () => Promise.all(engines.map((engine) => engine.settle()));
  await work();
  setClock(clock, '2026-11-17T12:00:00Z');
  await work();
  await scene.engine.settle();
  for (const drip of drips) {
    const mails = await mailsOf(scene, drip);
    assert.equal(mails.length, 600);
    assert.equal(new Set(mails).size, 600, 'nobody twice');
    const { attributes } = (await marketing.take('GET', `/drip_campaigns/${drip}`)).data;
    assert.deepEqual([attributes.subscriber_count, attributes.subscriber_completed_count], [300, 300]);
  }
  const sends = await rowsOf(
    app,
    `select distinct c.people::int from send_counts c join campaign_mailing_sends s on s.id = c.send_id
     where s.drip_id = any($1)`,
    [drips],
  );
  assert.deepEqual(sends, [{ people: 300 }]);
});

test('an engine that is killed in the middle has done nothing, and another does all of it', async (t) => {
  const scene = await enterQuiet();
  const { app, clock, marketing } = scene;
  await marketing.take('POST', '/subscriber_custom_field_types', { name: 'Stage' });
  const drip = await startDrip(scene, [
    mail(scene, 'one'),
    { id: 'stage', type: 'field', name: 'Stage', value: 'in' },
    mail(scene, 'two'),
    nap('nap'),
  ]);
  const [ann, ben] = [await addTo(scene, 'ann'), await addTo(scene, 'ben')];
  const doomed = createEngine(t, app, clock);
  const blocked = () => whoIsBlocked(scene);
  await withConnection(app.installation.ownerUrl, async (holder) => {
    await holder.query('begin');
    await holder.query('select from subscribers where id = $1 for update', [ann]);
    const surviving = doomed.settle();
    const pid = await blocked();
    await rowsOf(app, 'select pg_terminate_backend($1)', [pid]);
    await eventually(async () => (await blocked()) !== pid);
    assert.deepEqual(await mailsOf(scene, drip), []);
    assert.equal(await whereIs(scene, drip, ann), 'before one');
    await holder.query('rollback');
    await Promise.all([surviving, scene.engine.settle()]);
  });
  const mails = ['ann one queued', 'ann two queued', 'ben one queued', 'ben two queued'];
  assert.deepEqual((await mailsOf(scene, drip)).toSorted(), mails);
  for (const id of [ann, ben]) assert.equal(await whereIs(scene, drip, id), 'in nap until 2026-11-17T12:00:00Z');
});

test('what could not be done just now is taken up again at once, and not after half a minute', async (t) => {
  const scene = await enterQuiet();
  const { app, clock, engine } = scene;
  const drip = await startDrip(scene, [nap('nap'), nap('more')]);
  const ann = await addTo(scene, 'ann');
  await withConnection(app.installation.ownerUrl, async (holder) => {
    await holder.query(`begin; select pg_advisory_xact_lock(hashtext('carepost drip entry'), ${drip})`);
    const entering = createEngine(t, app, clock).settle();
    await rowsOf(app, 'select pg_terminate_backend($1)', [await whoIsBlocked(scene)]);
    assert.deepEqual(await entering, clock.now(), 'the database was away for it');
    await holder.query('rollback');
    await engine.settle();
    setClock(clock, '2026-11-17T12:00:00Z');
    await holder.query(`begin; select from drip_enrolments where drip_id = ${drip} for update`);
    assert.deepEqual(await engine.settle(), clock.now(), 'somebody else has her');
    await holder.query('rollback');
  });
  assert.equal((await engine.settle())?.toISOString(), '2026-11-18T12:00:00.000Z');
  assert.equal(await whereIs(scene, drip, ann), 'in more until 2026-11-18T12:00:00Z');
});

test('a clock that jumps back and forth makes nobody get anything twice, nor too early', async () => {
  const scene = await enterQuiet();
  const drip = await startDrip(scene, [mail(scene, 'one'), nap('nap', { hours: 2 }), mail(scene, 'two')]);
  await addTo(scene, 'ann');
  await scene.engine.settle();
  for (const moment of ['13:30', '12:30', '13:59', '11:00', '13:00']) await scene.becomes(`2026-11-16T${moment}:00Z`);
  assert.deepEqual(await mailsOf(scene, drip), ['ann one queued']);
  await scene.becomes('2026-11-16T14:00:00Z');
  for (const moment of ['13:00', '14:00', '12:00', '15:00']) await scene.becomes(`2026-11-16T${moment}:00Z`);
  assert.deepEqual(await mailsOf(scene, drip), ['ann one queued', 'ann two queued']);
  // Paused by a clock that is fast, and resumed by one that was put right.
  const ben = await addTo(scene, 'ben');
  await scene.engine.settle();
  await steer(scene, drip, 'pause');
  setClock(scene.clock, '2026-11-16T14:00:00Z');
  await steer(scene, drip, 'resume', { policy: 'shift' });
  await scene.becomes('2026-11-16T16:59:59Z');
  assert.equal(await whereIs(scene, drip, ben), 'in nap until 2026-11-16T17:00:00Z');
  await scene.becomes('2026-11-16T17:00:00Z');
  assert.equal(await whereIs(scene, drip, ben), 'through');
});

test('steps about something that is gone are gone by', async () => {
  const scene = await enterQuiet();
  const { marketing } = scene;
  const [gone, awaited] = [await marketing.addList('Gone'), await marketing.addList('Awaited')];
  const make = async (name: string) =>
    (await marketing.take('POST', '/subscriber_custom_field_types', { name })).data.id;
  const [stage, ward] = [await make('Stage'), await make('Ward')];
  const drip = await startDrip(scene, [
    nap('nap'),
    { id: 'on', type: 'list', add: gone },
    { id: 'off', type: 'list', remove: gone },
    { id: 'stage', type: 'field', name: 'Stage', value: 'in' },
    {
      id: 'ward',
      type: 'branch',
      if: { field: 'Ward', value: '7' },
      then: [mail(scene, 'yes')],
      else: [mail(scene, 'no')],
    },
    { id: 'wait', type: 'wait', for: { joined: awaited }, timeout: { days: 1 } },
    mail(scene, 'end'),
  ]);
  const ann = await addTo(scene, 'ann', { custom_fields: [{ Ward: '7' }] });
  await scene.engine.settle();
  for (const list of [gone, awaited]) await marketing.take('DELETE', `/subscription_lists/${list}`);
  for (const field of [stage, ward]) await marketing.ask('DELETE', `/subscriber_custom_field_types/${field}`);
  await scene.becomes('2026-11-17T12:00:00Z');
  assert.equal(await whereIs(scene, drip, ann), 'in wait until 2026-11-18T12:00:00Z');
  await scene.becomes('2026-11-18T12:00:00Z');
  assert.equal(await whereIs(scene, drip, ann), 'through');
  assert.equal((await mailsOf(scene, drip)).at(-1), 'ann end queued');
});

test('people of whom something is missing or odd hold nobody up', async () => {
  const scene = await enterQuiet();
  const { app, marketing, list } = scene;
  const drip = await startDrip(
    scene,
    [mail(scene, 'one'), { id: 'morning', type: 'delay', until: { time: '09:00' } }, nap('nap'), mail(scene, 'two')],
    { time_zone: 'Europe/Berlin' },
  );
  const [ann, martian] = [await addTo(scene, 'ann'), await addTo(scene, 'martian')];
  const { data } = await marketing.take('POST', '/subscribers', {
    subscriber: { phone_number: '+14155550123', first_name: 'Mute' },
    subscription_list_id: list,
  });
  await rowsOf(app, `update subscribers set time_zone = 'Mars/Olympus' where id = $1`, [martian]);
  await scene.engine.settle();
  for (const id of [ann, martian, data.id]) {
    assert.equal(await whereIs(scene, drip, id), 'in morning until 2026-11-17T08:00:00Z');
  }
  await scene.becomes('2026-11-17T08:00:00Z');
  await scene.becomes('2026-11-18T08:00:00Z');
  for (const id of [ann, martian, data.id]) assert.equal(await whereIs(scene, drip, id), 'through');
  assert.deepEqual((await mailsOf(scene, drip)).toSorted(), [
    '? one excluded',
    '? two excluded',
    'ann one queued',
    'ann two queued',
    'martian one queued',
    'martian two queued',
  ]);
  const dated = await startDrip(scene, [mail(scene, 'wish')], {
    start_trigger: 'date_field',
    date: { field: 'created_at', days: 3 },
  });
  await scene.becomes('2026-11-19T09:00:00Z');
  assert.equal((await entriesOf(scene, dated)).martian, 1);
});

test('a customer whose keys were destroyed holds up no other', async () => {
  const doomed = await enterQuiet();
  const { app, clock } = doomed;
  const customer = await app.createCustomer();
  const marketing = marketingOf(app, customer);
  const list = await marketing.addList('News');
  const scene = { ...doomed, customer, marketing, list, mailing: await addMailing(app, customer) };
  const lost = await startDrip(doomed, [nap('nap'), mail(doomed, 'one')]);
  const ann = await addTo(doomed, 'ann');
  await doomed.engine.settle();
  clock.advance(MINUTE);
  const drip = await startDrip(scene, [nap('nap'), mail(scene, 'one')]);
  await addTo(doomed, 'ben');
  await addTo(scene, 'cara');
  const { ownerUrl, db, keyStore: store, vault } = app.installation;
  const deps = { ownerUrl, db, store, vault, clock, backupDays: 1 };
  await destroyCustomerKeys(deps, app.act(doomed.customer.id, 'vault.destroyed'));
  await scene.engine.settle();
  await scene.becomes('2026-11-18T12:00:00Z');
  assert.deepEqual(await mailsOf(scene, drip), ['cara one queued']);
  assert.equal(await whereIs(doomed, lost, ann), 'in nap until 2026-11-17T12:00:00Z');
});

test('of drips with people who are due none has its turn always before the others', async (t) => {
  const scene = await enterQuiet();
  const { ownerUrl, log } = scene.app.installation;
  const db = openDatabase({ ownerUrl, log }, 'worker', 1);
  t.after(() => db.close());
  const [overdue, due, later] = [
    await startDrip(scene, [nap('nap')]),
    await startDrip(scene, [nap('nap', { days: 2 })]),
    await startDrip(scene, [nap('nap', { days: 9 })]),
  ];
  await addTo(scene, 'ann');
  await scene.engine.settle();
  setClock(scene.clock, '2026-11-19T12:00:00Z');
  const orders = new Set<string>();
  for (let turn = 0; turn < 30; turn += 1) {
    const drips = await nextDrips(db, scene.clock.now(), []);
    orders.add(drips.map(({ dripId }) => dripId).join(' '));
  }
  assert.deepEqual(orders, new Set([`${overdue} ${due} ${later}`, `${due} ${overdue} ${later}`]));
});

test('a drip whose list is deleted is completed, and its people are let go', async () => {
  const scene = await enterQuiet();
  const { marketing } = scene;
  const other = await marketing.addList('Other');
  const drip = await startDrip(scene, [mail(scene, 'one'), nap('nap'), mail(scene, 'two')]);
  const paused = await startDrip(scene, [nap('nap')]);
  const beside = await startDrip(scene, [nap('nap'), mail(scene, 'two')], { subscription_list_id: other });
  const ann = await addTo(scene, 'ann');
  await marketing.addPerson('ann@example.com', {}, other);
  await scene.engine.settle();
  await steer(scene, paused, 'pause');
  await marketing.take('DELETE', `/subscription_lists/${scene.list}`);
  await scene.becomes('2026-11-17T12:00:00Z');
  for (const id of [drip, paused]) {
    assert.equal((await marketing.take('GET', `/drip_campaigns/${id}`)).data.attributes.state, 'completed');
    assert.equal(await whereIs(scene, id, ann), 'left as drip_completed');
  }
  assert.equal((await mailsOf(scene, drip)).length, 1);
  assert.deepEqual(await mailsOf(scene, beside), ['ann two queued']);
});

test('whoever is on their way keeps the words of when the drip was saved', async () => {
  const scene = await enterLively();
  const { marketing, mailing, peer } = scene;
  const rewrite = (html_part: string) =>
    marketing.take('PATCH', `/campaign_mailings/${mailing}`, { campaign_mailing: { html_part } });
  await rewrite('<p>The first words</p>');
  const steps = [nap('nap'), mail(scene, 'one')];
  const drip = await startDrip(scene, steps);
  const ann = await addTo(scene, 'ann');
  await eventually(async () => (await whereIs(scene, drip, ann)).startsWith('in nap'));
  await rewrite('<p>Other words</p>');
  assert.deepEqual((await marketing.take('GET', `/drip_campaigns/${drip}`)).data.attributes.outdated_steps, ['one']);
  const ben = await addTo(scene, 'ben');
  await eventually(async () => (await whereIs(scene, drip, ben)).startsWith('in nap'));
  await marketing.take('PATCH', `/drip_campaigns/${drip}`, { drip_campaign: { steps } });
  const cara = await addTo(scene, 'cara');
  await eventually(async () => (await whereIs(scene, drip, cara)).startsWith('in nap'));
  await scene.becomes('2026-11-17T12:00:00Z');
  await arrived(scene, 3);
  const words = peer.received.map(({ recipient, mime }) => {
    const text = mime.replaceAll('=\r\n', '');
    return `${recipient.replace(/@.*/, '')}: ${/(The first|Other) words/.exec(text)?.[0]}`;
  });
  assert.deepEqual(words.toSorted(), ['ann: The first words', 'ben: The first words', 'cara: Other words']);
});
