import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { visit } from '../consent/mailing.ts';
import { rowsOf } from '../marketing/support.ts';
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
  setClock,
  startDrip,
  steer,
  whereIs,
} from './drip.ts';

type Policy = 'catch_up' | 'shift' | 'skip_overdue';

let enterQuiet: (at?: string) => Promise<QuietScene>;
let enterLively: (at?: string) => Promise<LivelyScene>;
before(async (t) => {
  enterQuiet = await openQuiet(t as TestContext);
  enterLively = await openLively(t as TestContext);
});

const nap = (id: string, days: number) => ({ id, type: 'delay', days });

/** Four mails, each a day after the other. */
const fourMails = (scene: Scene) => [
  mail(scene, 'one'),
  nap('nap-1', 1),
  mail(scene, 'two'),
  nap('nap-2', 1),
  mail(scene, 'three'),
  nap('nap-3', 1),
  mail(scene, 'four'),
];

/** The steps whose mails somebody was meant to get, in their order. */
const stepsFor = async (scene: Scene, drip: string, name: string) =>
  (await mailsOf(scene, drip)).filter((line) => line.startsWith(`${name} `)).map((line) => line.split(' ')[1]);

test('after a pause people go on at once, later by as long, or without what is overdue', async () => {
  const scene = await enterQuiet();
  const policies: Policy[] = ['catch_up', 'shift', 'skip_overdue'];
  const drips = new Map<Policy, { short: string; long: string }>();
  for (const policy of policies) {
    const short = await startDrip(scene, fourMails(scene));
    drips.set(policy, { short, long: await startDrip(scene, [nap('week', 7), mail(scene, 'late')]) });
  }
  const dripsBy = (policy: Policy) => drips.get(policy) as { short: string; long: string };
  const all = policies.flatMap((policy) => Object.values(dripsBy(policy)));
  const ann = await addTo(scene, 'ann');
  await scene.engine.settle();
  await scene.becomes('2026-11-16T18:00:00Z');
  for (const drip of all) await steer(scene, drip, 'pause');
  await scene.becomes('2026-11-17T18:00:00Z');
  for (const policy of policies) {
    const { short } = dripsBy(policy);
    assert.equal(await whereIs(scene, short, ann), 'in nap-1 until 2026-11-17T12:00:00Z', 'everybody stays');
    assert.deepEqual(await stepsFor(scene, short, 'ann'), ['one']);
  }
  setClock(scene.clock, '2026-11-18T18:00:00Z');
  for (const policy of policies) {
    for (const drip of Object.values(dripsBy(policy))) await steer(scene, drip, 'resume', { policy });
  }
  await scene.engine.settle();
  const stands = async (policy: Policy, place: string, mails: string[]) => {
    const { short } = dripsBy(policy);
    assert.equal(await whereIs(scene, short, ann), place, policy);
    assert.deepEqual(await stepsFor(scene, short, 'ann'), mails, policy);
  };
  await stands('catch_up', 'in nap-2 until 2026-11-19T18:00:00Z', ['one', 'two']);
  await stands('shift', 'in nap-1 until 2026-11-19T12:00:00Z', ['one']);
  await stands('skip_overdue', 'in nap-3 until 2026-11-19T12:00:00Z', ['one']);
  await scene.becomes('2026-11-19T11:59:59Z');
  await stands('shift', 'in nap-1 until 2026-11-19T12:00:00Z', ['one']);
  await scene.becomes('2026-11-19T12:00:00Z');
  await stands('shift', 'in nap-2 until 2026-11-20T12:00:00Z', ['one', 'two']);
  await stands('skip_overdue', 'through', ['one', 'four']);
  for (const moment of ['19T18', '20T18']) await scene.becomes(`2026-11-${moment}:00:00Z`);
  await stands('catch_up', 'through', ['one', 'two', 'three', 'four']);
  // Who was due after the pause waits for longer only where everything is shifted.
  await scene.becomes('2026-11-23T12:00:00Z');
  for (const policy of ['catch_up', 'skip_overdue'] as const) {
    assert.deepEqual(await stepsFor(scene, dripsBy(policy).long, 'ann'), ['late'], policy);
  }
  assert.equal(await whereIs(scene, dripsBy('shift').long, ann), 'in week until 2026-11-25T12:00:00Z');
  await scene.becomes('2026-11-25T11:59:59Z');
  assert.deepEqual(await stepsFor(scene, dripsBy('shift').long, 'ann'), []);
  await scene.becomes('2026-11-25T12:00:00Z');
  assert.deepEqual(await stepsFor(scene, dripsBy('shift').long, 'ann'), ['late']);
});

test('of two pauses in a row each counts by its own rule, and only for who was there', async () => {
  const scene = await enterQuiet();
  const steps = [nap('nap', 1), mail(scene, 'late')];
  const [shifted, mixed] = [await startDrip(scene, steps), await startDrip(scene, steps)];
  const rest = async (drip: string, from: string, to: string, policy: Policy) => {
    await scene.becomes(from);
    await steer(scene, drip, 'pause');
    await scene.becomes(to);
    await steer(scene, drip, 'resume', { policy });
    await scene.engine.settle();
  };
  const ann = await addTo(scene, 'ann');
  await scene.engine.settle();
  await rest(shifted, '2026-11-16T13:00:00Z', '2026-11-16T15:00:00Z', 'shift');
  await rest(mixed, '2026-11-16T15:00:00Z', '2026-11-16T16:00:00Z', 'shift');
  const ben = await addTo(scene, 'ben');
  await rest(shifted, '2026-11-16T16:00:00Z', '2026-11-16T19:00:00Z', 'shift');
  // It would have been noon, became one in the afternoon, and falls into the second pause.
  await rest(mixed, '2026-11-17T12:30:00Z', '2026-11-17T14:00:00Z', 'catch_up');
  assert.deepEqual(await stepsFor(scene, mixed, 'ann'), ['late']);
  assert.deepEqual(await stepsFor(scene, shifted, 'ann'), []);
  await scene.becomes('2026-11-17T16:59:59Z');
  assert.equal(await whereIs(scene, shifted, ann), 'in nap until 2026-11-17T17:00:00Z', 'five hours later');
  await scene.becomes('2026-11-17T17:00:00Z');
  assert.deepEqual([await whereIs(scene, shifted, ann), await whereIs(scene, mixed, ben)], ['through', 'through']);
  assert.equal(await whereIs(scene, shifted, ben), 'in nap until 2026-11-17T19:00:00Z', 'three hours later');
  await scene.becomes('2026-11-17T18:59:59Z');
  assert.deepEqual(await stepsFor(scene, shifted, 'ben'), []);
  await scene.becomes('2026-11-17T19:00:00Z');
  assert.deepEqual(await stepsFor(scene, shifted, 'ben'), ['late']);
});

test('what happens in a pause counts once it is over, but nobody enters by it', async () => {
  const scene = await enterQuiet();
  const { marketing } = scene;
  const wait = { id: 'wait', type: 'wait', for: { event: 'paid' }, timeout: { days: 1 } };
  const steps = [{ ...wait, then: [mail(scene, 'yes')], else: [mail(scene, 'no')] }, nap('nap', 1), mail(scene, 'end')];
  const policies: Policy[] = ['catch_up', 'shift', 'skip_overdue'];
  const drips: string[] = [];
  for (const _ of policies) drips.push(await startDrip(scene, steps));
  const [ann, ben, cara] = [await addTo(scene, 'ann'), await addTo(scene, 'ben'), await addTo(scene, 'cara')];
  await scene.engine.settle();
  await scene.becomes('2026-11-16T13:00:00Z');
  for (const drip of drips) await steer(scene, drip, 'pause');
  await addTo(scene, 'new');
  // Longer than she waits; but nobody had gone on yet.
  await scene.becomes('2026-11-17T13:00:00Z');
  await marketing.take('POST', '/drip_events', { event: 'paid', subscriber_id: ann });
  await marketing.take('POST', '/subscriptions/unsubscribe', { subscriber_ids: [cara] });
  await scene.engine.settle();
  for (const drip of drips) {
    assert.deepEqual(await mailsOf(scene, drip), []);
    assert.equal(await whereIs(scene, drip, cara), 'left as unsubscribed', 'nobody is kept from leaving');
  }
  setClock(scene.clock, '2026-11-17T16:00:00Z');
  for (const [index, drip] of drips.entries()) await steer(scene, drip, 'resume', { policy: policies[index] });
  await scene.engine.settle();
  const [caughtUp, shifted, skipped] = drips as [string, string, string];
  assert.deepEqual((await mailsOf(scene, caughtUp)).toSorted(), ['ann yes queued', 'ben no queued']);
  assert.deepEqual(await mailsOf(scene, shifted), ['ann yes queued'], 'what has happened is not put off');
  assert.equal(await whereIs(scene, shifted, ben), 'in wait until 2026-11-18T15:00:00Z');
  assert.deepEqual(await mailsOf(scene, skipped), []);
  assert.equal(await whereIs(scene, skipped, ann), 'in nap until 2026-11-18T13:00:00Z');
  await scene.becomes('2026-11-30T12:00:00Z');
  assert.deepEqual((await mailsOf(scene, skipped)).toSorted(), ['ann end queued', 'ben end queued']);
  for (const drip of drips) assert.deepEqual(Object.keys(await entriesOf(scene, drip)), ['ann', 'ben', 'cara']);
});

test('mails that are written down already rest as well, and go out once the drip is started again', async () => {
  const scene = await enterLively();
  const { peer } = scene;
  const drip = await startDrip(scene, fourMails(scene));
  peer.answerWith(() => ({ code: 454, text: '4.7.0 Too fast' }));
  const ann = await addTo(scene, 'ann');
  await comesTo(scene, drip, ann, 'in nap-1 until 2026-11-17T12:00:00Z');
  await eventually(async () => (await mailsOf(scene, drip)).join() === 'ann one deferred');
  await steer(scene, drip, 'pause');
  peer.answerWith(() => 'take');
  const beside = await startDrip(scene, [mail(scene, 'beside')]);
  await scene.becomes('2026-11-17T13:00:00Z');
  const ben = await addTo(scene, 'ben');
  await comesTo(scene, beside, ben, 'through');
  await arrived(scene, 1);
  // Long enough for the mails of the other to have been looked at as well.
  await scene.becomes('2026-11-17T13:30:00Z');
  await addTo(scene, 'cara');
  await arrived(scene, 2);
  const reached = () => peer.received.map(({ recipient }) => recipient).toSorted();
  assert.deepEqual(reached(), ['ben@example.com', 'cara@example.com']);
  assert.deepEqual(await mailsOf(scene, drip), ['ann one deferred']);
  await steer(scene, drip, 'start');
  await arrived(scene, 4);
  assert.equal(reached().filter((recipient) => recipient === 'ann@example.com').length, 2);
  await comesTo(scene, drip, ann, 'in nap-2 until 2026-11-18T13:30:00Z');
  assert.deepEqual(Object.keys(await entriesOf(scene, drip)), ['ann'], 'nobody entered meanwhile');
});

test('a mail of which nobody knows whether it arrived is not sent again in a pause, whatever is decided', async () => {
  const scene = await enterLively();
  const { marketing, mailing, peer } = scene;
  const drip = await startDrip(scene, [mail(scene, 'one')]);
  peer.answerWith(() => 'break off');
  await addTo(scene, 'ann');
  await eventually(async () => (await mailsOf(scene, drip)).join() === 'ann one uncertain');
  const sends = await marketing.take('GET', `/campaign_mailing_sends?campaign_mailing_id=${mailing}`);
  await steer(scene, drip, 'pause');
  const { id } = sends.data[0];
  const reply = await marketing.ask('POST', `/campaign_mailing_sends/${id}/decide`, { decision: 'resend' });
  assert.ok(reply.status < 300, reply.text);
  peer.answerWith(() => 'take');
  const beside = await startDrip(scene, [mail(scene, 'beside')]);
  const ben = await addTo(scene, 'ben');
  await comesTo(scene, beside, ben, 'through');
  await arrived(scene, 1);
  await addTo(scene, 'cara');
  await arrived(scene, 2);
  assert.deepEqual(await mailsOf(scene, drip), ['ann one queued']);
  await steer(scene, drip, 'resume');
  await arrived(scene, 3);
  assert.equal(peer.received.at(-1)?.recipient, 'ann@example.com');
});

test('a drip that is paused while its first mails are prepared mails links that lead somewhere', async () => {
  const scene = await enterLively();
  const { app } = scene;
  const drip = await startDrip(scene, [mail(scene, 'one')]);
  const ready = `select from campaign_mailing_sends where drip_id = $1 and state = 'finished'`;
  await eventually(async () => (await rowsOf(app, ready, [drip])).length === 1);
  await steer(scene, drip, 'pause');
  // As it would be, had the pause come between the first look at the send and the second.
  await asOwner(app, async (client) => {
    await client.query(
      'delete from tracking_links l using campaign_mailing_sends s where s.id = l.send_id and s.drip_id = $1',
      [drip],
    );
    await client.query(`update campaign_mailing_sends set state = 'paused', finished_at = null where drip_id = $1`, [
      drip,
    ]);
  });
  await steer(scene, drip, 'resume');
  await addTo(scene, 'ann');
  const [received] = await arrived(scene, 1);
  assert.ok(received);
  const followed = await visit(linksIn(scene, received).more);
  assert.equal(followed.headers.get('location'), 'https://example.org/a');
});
