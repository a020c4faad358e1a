import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { webhookSecretOf } from '../../src/marketing/drip/engine/webhook-secret.ts';
import { visit } from '../consent/mailing.ts';
import type { Received } from '../mailings/mail-peer.ts';
import { addMailing } from '../mailings/mailing.ts';
import { rowsOf } from '../marketing/support.ts';
import { eventually } from '../support/eventually.ts';
import { asOwner } from '../support/owner.ts';
import { startReceiver } from '../support/webhook-receiver.ts';
import {
  addTo,
  arrived,
  comesTo,
  headerOf,
  type LivelyScene,
  linksIn,
  MINUTE,
  mail,
  openLively,
  startDrip,
} from './drip.ts';

let enter: (at?: string) => Promise<LivelyScene>;
before(async (t) => {
  enter = await openLively(t as TestContext);
});

const to = (name: string) => `${name}@example.com`;
const wordsOf = (received?: Received) => received?.mime.replaceAll('=\r\n', '') ?? '';

test('the mail of a step arrives with its own subject, in the words of the person, and with a way out', async () => {
  const scene = await enter();
  const html =
    '<p>Dear {{first_name default="friend"}}, welcome to ward {{Ward}}</p><a href="https://a.test/">More</a>';
  await scene.marketing.take('POST', '/subscriber_custom_field_types', { name: 'Ward' });
  const mailing = await addMailing(scene.app, scene.customer, { html_part: html });
  const steps = [
    { id: 'own', type: 'email', campaign_mailing_id: mailing, subject: 'For {{first_name}}' },
    { id: 'nap', type: 'delay', days: 1 },
    { id: 'plain', type: 'email', campaign_mailing_id: mailing },
  ];
  const drip = await startDrip(scene, steps, { from_name: 'Front Desk', reply_to: 'desk@example.org' });
  const ann = await addTo(scene, 'ann', { first_name: 'Ann', custom_fields: [{ Ward: '7' }] });
  const [first] = await arrived(scene, 1);
  assert.ok(first);
  assert.equal(first.recipient, to('ann'));
  assert.equal(headerOf(first, 'Subject'), 'For Ann');
  assert.match(headerOf(first, 'From'), /^"?Front Desk"? <clinic@example.org>$/);
  assert.equal(headerOf(first, 'Reply-To'), 'desk@example.org');
  assert.match(first.mime.replaceAll('=\r\n', ''), /Dear Ann, welcome to ward 7/);
  assert.match(headerOf(first, 'List-Unsubscribe'), /^<http.*\/t\/.*>$/);
  assert.equal(headerOf(first, 'List-Unsubscribe-Post'), 'List-Unsubscribe=One-Click');
  await scene.becomes('2026-11-17T12:00:00Z');
  const [, second] = await arrived(scene, 2);
  assert.ok(second);
  assert.equal(headerOf(second, 'Subject'), 'News of the clinic');
  await comesTo(scene, drip, ann, 'through');
  const sends = await scene.marketing.take('GET', `/campaign_mailing_sends?campaign_mailing_id=${mailing}`);
  await eventually(async () => {
    const { data } = await scene.marketing.take('GET', `/campaign_mailing_sends?campaign_mailing_id=${mailing}`);
    return data.every((send: (typeof data)[number]) => send.attributes.delivered === 1);
  });
  assert.equal(sends.data.length, 2, 'each step is a send');
  assert.equal(scene.peer.received.length, 2);
});

test('a field that is known only since the drip began stands in the mails that leave later', async () => {
  const scene = await enter();
  const mailing = await addMailing(scene.app, scene.customer, { html_part: '<p>See you at {{clinic}}!</p>' });
  await startDrip(scene, [{ id: 'hello', type: 'email', campaign_mailing_id: mailing }]);
  await addTo(scene, 'ann');
  assert.match(wordsOf((await arrived(scene, 1))[0]), /See you at !/);
  await addTo(scene, 'ben', { custom_fields: [{ clinic: 'North' }] });
  const [, after] = await arrived(scene, 2);
  assert.equal(after?.recipient, to('ben'));
  assert.match(wordsOf(after), /See you at North!/);
});

test('whoever opens or follows a link is led another way, at once where they are waited for', async () => {
  const scene = await enter();
  const { mailing } = scene;
  const wait = (what: 'opened' | 'clicked') => ({
    id: what,
    type: 'wait',
    for: { [what]: mailing },
    timeout: { days: 3 },
  });
  const asked = (what: 'opened' | 'clicked') => ({
    id: `${what}?`.replace('?', '-then'),
    type: 'branch',
    if: { [what]: mailing },
  });
  const drip = await startDrip(scene, [
    mail(scene, 'hello'),
    {
      ...wait('opened'),
      then: [mail(scene, 'seen', { subject: 'Seen' })],
      else: [mail(scene, 'unseen', { subject: 'Unseen' })],
    },
    { ...wait('clicked'), then: [mail(scene, 'followed', { subject: 'Followed' })] },
    {
      ...asked('opened'),
      then: [mail(scene, 'reader', { subject: 'Reader' })],
      else: [mail(scene, 'other', { subject: 'Other' })],
    },
    { ...asked('clicked'), then: [{ id: 'done', type: 'exit' }], else: [mail(scene, 'last', { subject: 'Last' })] },
  ]);
  const [ann, ben, cara] = [await addTo(scene, 'ann'), await addTo(scene, 'ben'), await addTo(scene, 'cara')];
  const subjectsOf = (name: string) =>
    scene.peer.received.filter(({ recipient }) => recipient === to(name)).map((each) => headerOf(each, 'Subject'));
  await arrived(scene, 3);
  const linksOf = (name: string) => {
    const found = scene.peer.received.find(({ recipient }) => recipient === to(name));
    assert.ok(found);
    return linksIn(scene, found);
  };
  await visit(linksOf('ann').picture, { 'user-agent': 'BarracudaCentral scanner' });
  await visit(linksOf('ben').picture);
  await comesTo(scene, drip, ben, 'in clicked until 2026-11-19T12:00:00Z');
  await visit(linksOf('ben').more);
  await comesTo(scene, drip, ben, 'left as exit_step');
  await comesTo(scene, drip, ann, 'in opened until 2026-11-19T12:00:00Z');
  await scene.becomes('2026-11-19T12:00:00Z');
  await comesTo(scene, drip, ann, 'in clicked until 2026-11-22T12:00:00Z');
  await visit(linksOf('cara').picture);
  await scene.becomes('2026-11-22T12:00:00Z');
  await comesTo(scene, drip, ann, 'through');
  await comesTo(scene, drip, cara, 'through');
  await arrived(scene, 12);
  assert.deepEqual(subjectsOf('ben').toSorted(), ['Followed', 'News of the clinic', 'Reader', 'Seen']);
  assert.deepEqual(subjectsOf('ann').toSorted(), ['Last', 'News of the clinic', 'Other', 'Unseen']);
  assert.deepEqual(subjectsOf('cara').toSorted(), ['Last', 'News of the clinic', 'Reader', 'Unseen'], 'opened late');
});

test('a webhook step tells ids only, signed, and again under the same id until it is heard', async (t) => {
  const scene = await enter();
  const { app, customer } = scene;
  const receiver = await startReceiver(t);
  // Who sends it elsewhere has not taken it.
  receiver.answer(({ path }) => ({ status: receiver.received.length === 1 && path === '/hook' ? 302 : 204 }));
  const drip = await startDrip(scene, [
    { id: 'call', type: 'webhook', url: receiver.url },
    mail(scene, 'after', { subject: 'After the call' }),
  ]);
  const ann = await addTo(scene, 'ann', { first_name: 'Zq7name' });
  await comesTo(scene, drip, ann, 'through');
  await receiver.atLeast(1);
  await arrived(scene, 1);
  // The side jobs try again by the clock of the database.
  await eventually(async () => {
    const { rowCount } = await asOwner(app, (client) =>
      client.query(`update graphile_worker._private_jobs set run_at = now() where attempts = 1 and locked_at is null`),
    );
    return (rowCount ?? 0) > 0 || receiver.received.length > 1;
  });
  const [first, second] = await receiver.atLeast(2);
  assert.ok(first && second);
  assert.equal(first.raw, second.raw);
  assert.equal(first.headers['webhook-id'], second.headers['webhook-id']);
  const [enrolment] = await rowsOf(app, 'select id from drip_enrolments where drip_id = $1', [drip]);
  assert.deepEqual(first.body, {
    event_name: 'drip_step',
    payload: {
      drip_campaign_id: drip,
      enrollment_id: enrolment.id,
      subscriber_id: ann,
      step: 'call',
      visit: 1,
      time: '2026-11-16T12:00:00.000Z',
    },
  });
  assert.ok(!JSON.stringify([first, second]).match(/zq7name|ann@/i), 'nothing of the person');
  const secret = webhookSecretOf(await app.installation.vault.of(customer.id), Number(drip));
  // The library compares with the clock of the machine, which the test does not set.
  const at = Number(first.headers['webhook-timestamp']);
  assert.equal(at, Date.parse('2026-11-16T12:00:00Z') / 1_000);
  for (const { raw, headers } of [first, second]) {
    const signed = new Webhook(secret).sign(String(headers['webhook-id']), new Date(at * 1_000), raw);
    assert.equal(headers['webhook-signature'], signed);
  }
  const other = webhookSecretOf(await app.installation.vault.of(customer.id), Number(drip) + 1);
  assert.notEqual(secret, other, 'each drip has its own');
});

test('an address that is gone (410) is told nothing again', async (t) => {
  const scene = await enter();
  const receiver = await startReceiver(t);
  receiver.answer({ status: 410 });
  const drip = await startDrip(scene, [{ id: 'call', type: 'webhook', url: receiver.url }]);
  await comesTo(scene, drip, await addTo(scene, 'ann'), 'through');
  await receiver.atLeast(1);
  const waiting = `select from graphile_worker.jobs where task_identifier = 'marketing.drip_webhook'`;
  await eventually(async () => (await rowsOf(scene.app, waiting)).length === 0);
});

test('an address that hangs holds up the calls of its own campaign, and nothing else', async (t) => {
  const scene = await enter();
  const { list, marketing } = scene;
  const [slow, quick] = [await startReceiver(t), await startReceiver(t)];
  slow.answer('hang');
  await startDrip(scene, [{ id: 'call', type: 'webhook', url: slow.url }]);
  for (const name of ['ann', 'ben', 'cara', 'dan', 'eve']) await addTo(scene, name);
  await eventually(async () => slow.hanging() > 0);
  await startDrip(scene, [{ id: 'call', type: 'webhook', url: quick.url }]);
  await addTo(scene, 'finn');
  await quick.atLeast(1);
  const { data } = await marketing.take('POST', '/subscriptions/dynamic_bulk_unsubscribe', {
    from_subscription_list_id: list,
    filters: [[{ field: 'email', op: 'is', terms: [to('ann')] }]],
  });
  assert.equal((await marketing.ended(data.jid)).state, 'done');
  assert.deepEqual([slow.received.length, slow.hanging()], [1, 1], 'all of this while one hung');
  slow.answer({ status: 204 });
  slow.release();
});

test('an address that fails again and again is left alone for a minute, and then asked by one call', async (t) => {
  const scene = await enter();
  const { app, clock } = scene;
  const receiver = await startReceiver(t);
  receiver.answer({ status: 500 });
  await startDrip(scene, [{ id: 'call', type: 'webhook', url: receiver.url }]);
  const names = Array.from({ length: 20 }, (_, n) => `person-${n}`);
  for (const name of names) await addTo(scene, name);
  const jobs = `graphile_worker._private_jobs where key like 'drip/%' and payload->>'customerId' = '${scene.customer.id}'`;
  const failed = (attempts: number) =>
    eventually(async () => {
      const rows = await rowsOf(app, `select from ${jobs} and attempts >= ${attempts} and locked_at is null`);
      return rows.length === names.length;
    });
  const again = () => rowsOf(app, `update ${jobs.replace(' where', ' set run_at = now() where')} returning id`);
  await failed(1);
  const asked = receiver.received.length;
  assert.ok(asked >= 5 && asked <= 8, `${asked} calls before it was left alone`);
  clock.advance(MINUTE);
  await again();
  await failed(2);
  assert.equal(receiver.received.length, asked + 1);
  receiver.answer({ status: 204 });
  clock.advance(MINUTE);
  await again();
  await eventually(async () => {
    await again();
    return (await rowsOf(app, `select from ${jobs}`)).length === 0;
  });
  assert.equal(new Set(receiver.received.map(({ raw }) => raw)).size, names.length, 'all were told');
});
