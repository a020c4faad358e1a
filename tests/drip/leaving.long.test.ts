import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { linkTo, oneClick, post } from '../consent/mailing.ts';
import { eventually } from '../support/eventually.ts';
import { asOwner } from '../support/owner.ts';
import {
  addTo,
  arrived,
  comesTo,
  entriesOf,
  type LivelyScene,
  linksIn,
  mail,
  mailsOf,
  openLively,
  openQuiet,
  type QuietScene,
  type Scene,
  startDrip,
  steer,
  whereIs,
} from './drip.ts';

type Fields = Record<string, unknown>;

let enterQuiet: (at?: string) => Promise<QuietScene>;
let enterLively: (at?: string) => Promise<LivelyScene>;
before(async (t) => {
  enterQuiet = await openQuiet(t as TestContext);
  enterLively = await openLively(t as TestContext);
});

/** A mail, a day of waiting, and another mail. */
const twoMails = (scene: Scene) => [mail(scene, 'first'), { id: 'nap', type: 'delay', days: 1 }, mail(scene, 'second')];
const NEXT_DAY = '2026-11-17T12:00:00Z';

const unsubscribe = ({ marketing }: Scene, id: string, lists?: string[]) =>
  marketing.take('POST', '/subscriptions/unsubscribe', {
    subscriber_ids: [id],
    ...(lists === undefined ? {} : { subscription_list_ids: lists }),
  });

test('whoever takes a way out, bounces or is suppressed gets nothing more', async () => {
  const scene = await enterLively();
  const { app, customer, marketing, peer } = scene;
  peer.answerWith((recipient) =>
    recipient.startsWith('gone') ? { code: 550, text: '5.1.1 No such mailbox' } : 'take',
  );
  const drip = await startDrip(scene, twoMails(scene));
  const ways: Record<string, [reason: string, (id: string) => Promise<unknown>]> = {
    staying: ['through', async () => {}],
    gone: ['left as bounced', async () => {}],
    'by-page': ['left as left_list', async () => post(linksOf('by-page').leave, {})],
    'by-click': ['left as left_list', async () => oneClick(linksOf('by-click').leave)],
    nothing: ['left as unsubscribed', async (id) => post(await linkTo(app, 'preferences', id), { want: 'nothing' })],
    everything: ['left as unsubscribed', (id) => unsubscribe(scene, id)],
    'off-list': ['left as left_list', (id) => unsubscribe(scene, id, [scene.list])],
    suppressed: ['left as suppressed', () => suppress('suppressed@example.com')],
    deleted: ['left as deleted', (id) => marketing.take('DELETE', `/subscribers/${id}`)],
  };
  const suppress = (address: string) =>
    app.request('POST', '/v1/email/suppressions', { key: customer.key, body: { address, reason: 'manual' } });
  const linksOf = (name: string) => {
    const found = peer.received.find(({ recipient }) => recipient.startsWith(name));
    assert.ok(found);
    return linksIn(scene, found);
  };
  const ids: Record<string, string> = {};
  for (const name of Object.keys(ways)) ids[name] = await addTo(scene, name);
  await arrived(scene, 8);
  for (const [name, [, leave]] of Object.entries(ways)) await leave(ids[name] as string);
  for (const [name, [place]] of Object.entries(ways)) {
    if (name !== 'staying') await comesTo(scene, drip, ids[name] as string, place);
  }
  await scene.becomes(NEXT_DAY);
  await comesTo(scene, drip, ids.staying as string, 'through');
  await arrived(scene, 9);
  await eventually(async () => (await mailsOf(scene, drip)).filter((line) => line.includes('second')).length === 1);
  assert.equal(peer.received.length, 9);
  assert.equal(peer.received.at(-1)?.recipient, 'staying@example.com');
  const { data } = await marketing.take('GET', `/drip_campaigns/${drip}`);
  assert.deepEqual([data.attributes.subscriber_count, data.attributes.subscriber_completed_count], [9, 1]);
});

test('a mail that waits its turn when somebody leaves is not sent', async () => {
  const scene = await enterLively();
  const { app, customer, marketing, peer } = scene;
  await marketing.take('POST', '/subscriber_custom_field_types', { name: 'Well' });
  const steps = [mail(scene, 'first'), { id: 'nap', type: 'delay', hours: 2 }];
  const drip = await startDrip(scene, steps, { goal: { event: 'paid' } });
  const tested = await startDrip(scene, steps, { goal: { field: 'Well', value: 'yes' }, start_trigger: 'manual' });
  // The mails are written down and cannot leave: their peer asks to wait.
  peer.answerWith(() => ({ code: 454, text: '4.7.0 Too fast' }));
  const suppression = { address: 'suppressed@example.com', reason: 'manual' };
  const ways: Record<string, (id: string) => Promise<unknown>> = {
    staying: async () => {},
    'off-list': (id) => unsubscribe(scene, id, [scene.list]),
    everything: (id) => unsubscribe(scene, id),
    suppressed: () => app.request('POST', '/v1/email/suppressions', { key: customer.key, body: suppression }),
    deleted: (id) => marketing.take('DELETE', `/subscribers/${id}`),
    'at-goal': (id) => marketing.take('POST', '/drip_events', { event: 'paid', subscriber_id: id }),
    'taken-out': async (id) => {
      const { data } = await marketing.take('GET', `/drip_campaigns/${drip}/enrollments?subscriber_id=${id}`);
      await marketing.take('DELETE', `/drip_campaigns/${drip}/enrollments/${data[0].id}`);
    },
  };
  const names = Object.keys(ways);
  const ids: Record<string, string> = {};
  for (const name of names) ids[name] = await addTo(scene, name);
  await eventually(async () => (await mailsOf(scene, drip)).filter((line) => line.includes('deferred')).length === 7);
  await marketing.take('POST', `/drip_campaigns/${tested}/enrollments`, { subscriber_ids: [ids.staying] });
  await eventually(async () => (await mailsOf(scene, tested)).join() === 'staying first deferred');
  for (const [name, leave] of Object.entries(ways)) await leave(ids[name] as string);
  await comesTo(scene, drip, ids['at-goal'] as string, 'left as goal');
  await comesTo(scene, drip, ids['taken-out'] as string, 'left as removed');
  // Paused, so that what a field says is looked at before the mails are.
  await steer(scene, tested, 'pause');
  await addTo(scene, 'staying', { custom_fields: [{ Well: 'yes' }] });
  peer.answerWith(() => 'take');
  await scene.becomes('2026-11-16T14:00:00Z');
  await arrived(scene, 1);
  const settled = async (id: string) =>
    (await mailsOf(scene, id)).every((line) => !/queued|sending|deferred/.test(line));
  await eventually(() => settled(drip));
  await asOwner(app, (client) => client.query(`update drip_campaigns set state = 'running' where id = $1`, [tested]));
  await scene.becomes('2026-11-16T14:00:00Z');
  await eventually(() => settled(tested));
  assert.deepEqual(await mailsOf(scene, tested), ['staying first excluded']);
  assert.deepEqual(
    peer.received.map(({ recipient }) => recipient),
    ['staying@example.com'],
  );
  const { data } = await marketing.take('GET', `/drip_campaigns/${drip}/explain?subscriber_id=${ids['at-goal']}`);
  assert.deepEqual(data.left_out_mails[0]?.rule, 'left_drip');
  const sends = await marketing.take('GET', `/campaign_mailing_sends?campaign_mailing_id=${scene.mailing}`);
  const counts = sends.data.map((send: (typeof sends.data)[number]) => send.attributes);
  assert.deepEqual(
    counts.map((each: Fields) => [each.people, each.delivered, each.excluded, each.suppressed]).toSorted(),
    [
      [1, 0, 1, 0],
      [7, 1, 5, 1],
    ],
  );
});

test('whoever comes back while a mail waits gets that of the new time, and not the one that they had left', async () => {
  const scene = await enterLively();
  const { app, marketing, peer } = scene;
  const steps = [mail(scene, 'first'), { id: 'nap', type: 'delay', days: 1 }];
  const drip = await startDrip(scene, steps, { reentry: 'after_leaving' });
  peer.answerWith(() => ({ code: 454, text: '4.7.0 Too fast' }));
  const [ann, ben] = [await addTo(scene, 'ann'), await addTo(scene, 'ben')];
  await eventually(async () => (await mailsOf(scene, drip)).filter((line) => line.includes('deferred')).length === 2);
  const preferences = await linkTo(app, 'preferences', ben);
  await unsubscribe(scene, ann, [scene.list]);
  await post(preferences, { want: 'nothing' });
  await comesTo(scene, drip, ann, 'left as left_list');
  await comesTo(scene, drip, ben, 'left as unsubscribed');
  const lists = { subscriber_ids: [ann], subscription_list_ids: [scene.list] };
  await marketing.take('POST', '/subscriptions/subscribe', lists);
  await post(preferences, { want: 'again' });
  await comesTo(scene, drip, ann, `in nap until ${NEXT_DAY}`);
  await eventually(async () => (await mailsOf(scene, drip)).every((line) => !/queued|sending/.test(line)));
  peer.answerWith(() => 'take');
  await scene.becomes(NEXT_DAY);
  await comesTo(scene, drip, ann, 'through');
  await eventually(async () => (await mailsOf(scene, drip)).every((line) => /excluded|delivered/.test(line)));
  assert.deepEqual((await mailsOf(scene, drip)).toSorted(), [
    'ann first delivered',
    'ann first excluded',
    'ben first excluded',
  ]);
  assert.deepEqual(
    peer.received.map(({ recipient }) => recipient),
    ['ann@example.com'],
  );
});

test('a mail that waits is taken back as well where only the next step finds that somebody has left', async () => {
  const scene = await enterQuiet();
  const drip = await startDrip(scene, twoMails(scene));
  const [ann, ben] = [await addTo(scene, 'ann'), await addTo(scene, 'ben')];
  await scene.engine.settle();
  await unsubscribe(scene, ann, [scene.list]);
  await unsubscribe(scene, ben);
  // Another lane may take somebody further before it is dealt with that they left.
  await asOwner(scene.app, (client) => client.query('delete from drip_facts'));
  await scene.becomes(NEXT_DAY);
  assert.equal(await whereIs(scene, drip, ann), 'left as left_list');
  assert.equal(await whereIs(scene, drip, ben), 'left as unsubscribed');
  assert.deepEqual((await mailsOf(scene, drip)).toSorted(), ['ann first excluded', 'ben first excluded']);
});

test('who leaves a list leaves the drips on it and no other', async () => {
  const scene = await enterQuiet();
  const { marketing } = scene;
  const other = await marketing.addList('Other');
  const nap = [{ id: 'nap', type: 'delay', days: 1 }];
  const drip = await startDrip(scene, nap);
  const beside = await startDrip(scene, nap, { subscription_list_id: other });
  const ann = await addTo(scene, 'ann');
  await marketing.take('POST', '/subscriptions/subscribe', { subscriber_ids: [ann], subscription_list_ids: [other] });
  await scene.engine.settle();
  await unsubscribe(scene, ann, [other]);
  await scene.engine.settle();
  const places = [await whereIs(scene, beside, ann), await whereIs(scene, drip, ann)];
  assert.deepEqual(places, ['left as left_list', `in nap until ${NEXT_DAY}`]);
});

test('whoever is where the drip would have them leaves it', async () => {
  const scene = await enterQuiet();
  const { marketing } = scene;
  await marketing.take('POST', '/subscriber_custom_field_types', { name: 'Booked' });
  const rule = { name: 'Known', rule: 'first_name is "Ann"' };
  const segment = (await marketing.take('POST', '/dynamic_lists', rule)).data.id;
  const other = await marketing.addList('Other');
  const goals: [goal: Fields, reach: (id: string) => Promise<unknown>, atOnce: boolean][] = [
    [
      { field: 'Booked', op: 'is', terms: ['yes'] },
      () => addTo(scene, 'ann', { custom_fields: [{ Booked: 'yes' }] }),
      false,
    ],
    [{ segment }, () => addTo(scene, 'ann', { first_name: 'Ann' }), false],
    [{ event: 'paid' }, (id) => marketing.take('POST', '/drip_events', { event: 'paid', subscriber_id: id }), true],
    [
      { event: 'joined', subscription_list_id: other },
      (id) =>
        marketing.take('POST', '/subscriptions', { subscription: { subscription_list_id: other, subscriber_id: id } }),
      true,
    ],
  ];
  const drips: string[] = [];
  for (const [goal] of goals) drips.push(await startDrip(scene, twoMails(scene), { goal }));
  const [ann, ben] = [await addTo(scene, 'ann'), await addTo(scene, 'ben')];
  await scene.engine.settle();
  for (const [index, [goal, reach, atOnce]] of goals.entries()) {
    const drip = drips[index] as string;
    assert.equal(await whereIs(scene, drip, ann), `in nap until ${NEXT_DAY}`);
    await reach(ann);
    await scene.engine.settle();
    const place = atOnce ? 'left as goal' : `in nap until ${NEXT_DAY}`;
    assert.equal(await whereIs(scene, drip, ann), place, JSON.stringify(goal));
  }
  await scene.becomes(NEXT_DAY);
  for (const drip of drips) {
    assert.equal(await whereIs(scene, drip, ann), 'left as goal');
    assert.equal(await whereIs(scene, drip, ben), 'through');
    const seconds = (await mailsOf(scene, drip)).filter((line) => line.includes('second'));
    assert.deepEqual(seconds, ['ben second queued']);
  }
  // Who is there from the start gets nothing at all.
  const cara = await addTo(scene, 'cara', { first_name: 'Ann' });
  await scene.engine.settle();
  assert.equal(await whereIs(scene, drips[1] as string, cara), 'left as goal');
  assert.equal((await mailsOf(scene, drips[1] as string)).filter((line) => line.startsWith('cara')).length, 0);
});

test('who left may come back as the drip says: never, after leaving, or at any time', async () => {
  const scene = await enterQuiet();
  const { marketing, list } = scene;
  const start = (reentry: string) => startDrip(scene, twoMails(scene), { reentry });
  const drips = [await start('never'), await start('after_leaving'), await start('always')];
  const entered = async () => {
    await scene.engine.settle();
    const all = await Promise.all(drips.map((drip) => entriesOf(scene, drip)));
    return all.map((each) => each.ann);
  };
  const ann = await addTo(scene, 'ann');
  assert.deepEqual(await entered(), [1, 1, 1]);
  const lists = { subscriber_ids: [ann], subscription_list_ids: [list] };
  const leaveAndJoin = async () => {
    await marketing.take('POST', '/subscriptions/unsubscribe', lists);
    await marketing.take('POST', '/subscriptions/subscribe', lists);
  };
  await leaveAndJoin();
  assert.deepEqual(await entered(), [1, 2, 2]);
  for (const drip of drips.slice(1)) assert.equal((await mailsOf(scene, drip)).length, 2, 'another time, another mail');
  assert.equal((await mailsOf(scene, drips[0] as string)).length, 1);
  // By hand, in the middle of their way.
  for (const drip of drips) {
    await marketing.ask('POST', `/drip_campaigns/${drip}/enrollments`, { subscriber_ids: [ann] });
  }
  assert.deepEqual(await entered(), [1, 2, 3]);
  await scene.becomes(NEXT_DAY);
  assert.deepEqual(await Promise.all(drips.map((drip) => whereIs(scene, drip, ann))), [
    'left as left_list',
    'through',
    'through',
  ]);
  const { data } = await marketing.take('GET', `/drip_campaigns/${drips[2]}`);
  const { subscriber_count: people, subscriber_completed_count: completed } = data.attributes;
  assert.deepEqual([people, completed], [1, 1], 'one person, however often');
});

test('nobody goes on in a drip that is completed, and mails that wait are not sent', async () => {
  const scene = await enterLively();
  const { peer } = scene;
  const drip = await startDrip(scene, twoMails(scene));
  peer.answerWith(() => ({ code: 454, text: '4.7.0 Too fast' }));
  const ann = await addTo(scene, 'ann');
  await comesTo(scene, drip, ann, `in nap until ${NEXT_DAY}`);
  await steer(scene, drip, 'complete');
  await comesTo(scene, drip, ann, 'left as drip_completed');
  peer.answerWith(() => 'take');
  await scene.becomes(NEXT_DAY);
  await eventually(async () => (await mailsOf(scene, drip)).join() === 'ann first cancelled');
  assert.equal(peer.received.length, 0);
});
