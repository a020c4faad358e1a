import assert from 'node:assert/strict';
import { before, beforeEach, type TestContext, test } from 'node:test';
import { type Reason, suppressMany } from '../../src/email/index.ts';
import { refusalOf, rowsOf } from '../marketing/support.ts';
import type { Reply } from '../support/app.ts';
import { addDrip, addTo, DAY, openQuiet, type QuietScene, startDrip, steer } from './drip.ts';
import { auditOf, enter, explained } from './enrollments.ts';

let scene: QuietScene;
let open: () => Promise<QuietScene>;
before(async (t) => {
  open = await openQuiet(t as TestContext);
});
beforeEach(async () => {
  scene = await open();
});

type Body = Reply['body'];

const mail = (id: string) => ({ id, type: 'email', campaign_mailing_id: scene.mailing });
const nap = { id: 'nap', type: 'delay', days: 1 };
const wait = {
  id: 'wait',
  type: 'wait',
  for: { event: 'custom', name: 'called' },
  timeout: { days: 1 },
  then: [],
  else: [],
};
const begin = (steps: object[] = [nap], more: object = {}) =>
  startDrip(scene, steps as Record<string, unknown>[], { start_trigger: 'manual', ...more });
const inADay = () => new Date(scene.clock.now().getTime() + DAY).toISOString();
const reasonsOf = ({ would_enter: { now, reasons } }: Body) => (now ? [] : reasons);

/** Lets an address get nothing more. */
async function stop(reason: Reason, address: string): Promise<void> {
  const { db, vault } = scene.app.installation;
  const { id: customerId } = scene.customer;
  const keys = await vault.of(customerId);
  const cause = { customerId, addresses: [address], reason, messageId: null, at: scene.clock.now() };
  await db.tenant([customerId], (tx) => suppressMany(tx, keys, cause));
}

test('somebody who is in it is told where they stand and what comes next', async () => {
  const drip = await begin([mail('hello'), nap, wait, { ...wait, id: 'ever', timeout: undefined, else: undefined }]);
  const ann = await addTo(scene, 'ann');
  const [id] = await enter(scene, drip, ann);
  const at = scene.clock.now().toISOString();
  const told = await explained(scene, drip, ann);
  assert.deepEqual([told.subscriber_id, told.in, reasonsOf(told)], [ann, true, ['already_in']]);
  assert.deepEqual(told.enrollments, [
    { id, rotation: 1, state: 'active', reason: null, step: 'hello', next: { at, what: 'step hello (email)' } },
  ]);
  assert.equal(told.summary, `They are in it at step hello. Next, at ${at}: step hello (email).`);
  await scene.engine.settle();
  const day = inADay();
  assert.equal(
    (await explained(scene, drip, ann)).summary,
    `They are in it at step nap. Next, at ${day}: the wait is over.`,
  );
  scene.clock.advance(DAY);
  await scene.engine.settle();
  const waits = await explained(scene, drip, ann);
  assert.deepEqual(waits.enrollments[0].next, { at: inADay(), what: 'they wait for custom until then' });
  await scene.marketing.take('POST', '/drip_events', { event: 'called', subscriber_id: ann });
  await scene.engine.settle();
  const endless = await explained(scene, drip, ann);
  assert.deepEqual(endless.enrollments[0].next, { at: null, what: 'they wait for custom' });
  assert.equal(endless.summary, 'They are in it at step ever. Next: they wait for custom.');
  await steer(scene, drip, 'pause');
  const paused = await explained(scene, drip, ann);
  assert.match(paused.summary, /^They are in it at step ever\. The drip campaign is paused/);
  assert.deepEqual(reasonsOf(paused), ['drip_paused', 'already_in']);
});

test('each cause for which somebody left is told', async () => {
  const drip = await begin([nap, { id: 'out', type: 'exit' }], { goal: { event: 'custom', name: 'bought' } });
  const people = new Map<string, string>();
  for (const name of ['exit', 'goal', 'opted', 'list', 'bounce', 'stopped', 'removed', 'ended']) {
    people.set(name, await addTo(scene, name));
  }
  const idOf = (name: string) => people.get(name) as string;
  const enrolled = await enter(scene, drip, ...people.values());
  const late = new Date(scene.clock.now().getTime() + 5 * DAY);
  await rowsOf(scene.app, 'update drip_enrolments set due_at = $1 where subscriber_id <> $2', [late, idOf('exit')]);
  await scene.engine.settle();
  await scene.marketing.take('POST', '/drip_events', { event: 'bought', subscriber_id: idOf('goal') });
  await scene.marketing.take('POST', '/subscriptions/unsubscribe', { subscriber_ids: [idOf('opted')] });
  const fromList = { subscriber_ids: [idOf('list')], subscription_list_ids: [scene.list] };
  await scene.marketing.take('POST', '/subscriptions/unsubscribe', fromList);
  await stop('hard_bounce', 'bounce@example.com');
  await stop('manual', 'stopped@example.com');
  await scene.marketing.take('DELETE', `/drip_campaigns/${drip}/enrollments/${enrolled[6]}`);
  scene.clock.advance(DAY);
  await scene.engine.settle();
  const at = scene.clock.now().toISOString();
  const expected: [string, string, string, string[]][] = [
    ['exit', 'exit_step', 'a step ended it for them', ['may_not_reenter']],
    ['goal', 'goal', 'they reached its goal', ['may_not_reenter']],
    ['opted', 'unsubscribed', 'they opted out of mailings', ['opted_out', 'may_not_reenter']],
    ['list', 'left_list', 'they are no longer on its list', ['not_on_list', 'may_not_reenter']],
    ['bounce', 'bounced', 'their address does not exist', ['bounced', 'may_not_reenter']],
    ['stopped', 'suppressed', 'nothing is sent to their address', ['suppressed', 'may_not_reenter']],
    ['removed', 'removed', 'somebody took them out of it', ['may_not_reenter']],
  ];
  for (const [name, reason, words, reasons] of expected) {
    const told = await explained(scene, drip, idOf(name));
    assert.deepEqual([told.in, told.enrollments[0].reason, told.enrollments[0].next], [false, reason, null], name);
    assert.match(told.summary, new RegExp(`^They left it at step \\w+ at [\\dT:.-]+Z, as ${words}\\. `), name);
    assert.deepEqual(reasonsOf(told), reasons, name);
  }
  await steer(scene, drip, 'complete');
  await scene.engine.settle();
  const ended = await explained(scene, drip, idOf('ended'));
  assert.ok(ended.summary.startsWith(`They left it at step nap at ${at}, as it was completed. The drip campaign`));
  assert.deepEqual(reasonsOf(ended), ['drip_completed', 'may_not_reenter']);
});

test('whether somebody would enter, and all that keeps them from it', async () => {
  const drip = await addDrip(scene, [nap], { start_trigger: 'manual' });
  const [ann, off] = [await addTo(scene, 'ann'), await scene.marketing.addPerson('off@example.com')];
  const draft = await explained(scene, drip, ann);
  assert.deepEqual([draft.in, reasonsOf(draft)], [false, ['drip_draft']]);
  assert.equal(draft.summary, 'They have never been in it. The drip campaign has not been started.');
  await steer(scene, drip, 'start');
  const may = await explained(scene, drip, ann);
  assert.deepEqual(may.would_enter, { now: true, reasons: [] });
  assert.equal(may.summary, 'They have never been in it. They may enter.');
  assert.deepEqual(reasonsOf(await explained(scene, drip, off)), ['not_on_list']);
  await stop('manual', 'off@example.com');
  assert.deepEqual(reasonsOf(await explained(scene, drip, off)), ['suppressed', 'not_on_list']);
  await enter(scene, drip, ann);
  scene.clock.advance(DAY);
  await scene.engine.settle();
  scene.clock.advance(DAY);
  await scene.engine.settle();
  const through = await explained(scene, drip, ann);
  assert.match(through.summary, /^They reached its end at .*Z\. They were in it before and may not enter again\.$/);
});

test('mails of a drip that somebody did not get are told with their rule', async () => {
  const drip = await begin([mail('hello'), nap, mail('second'), { ...nap, id: 'more' }, mail('third')]);
  const nora = await scene.marketing.take('POST', '/subscribers', {
    subscriber: { phone_number: '+14155550199' },
    subscription_list_id: scene.list,
  });
  const ann = await addTo(scene, 'ann');
  await enter(scene, drip, ann, nora.data.id);
  await scene.engine.settle();
  const [{ step, rule, explanation }] = (await explained(scene, drip, nora.data.id)).left_out_mails;
  assert.deepEqual([step, rule, explanation], ['hello', 'no_address', 'No email address is known.']);
  assert.deepEqual((await explained(scene, drip, ann)).left_out_mails, []);
  await steer(scene, drip, 'pause');
  scene.clock.advance(1.5 * DAY);
  await steer(scene, drip, 'resume', { policy: 'skip_overdue' });
  await scene.engine.settle();
  const skipped = (await explained(scene, drip, ann)).left_out_mails;
  assert.deepEqual(
    skipped.map((each: Body) => [each.step, each.rule]),
    [['second', 'skipped']],
  );
  assert.match(skipped[0].explanation, /was paused/);
});

test('it asks for somebody by id, number or address, and repeats no address', async () => {
  const drip = await begin();
  const ann = await addTo(scene, 'Ann');
  const [{ number }] = await rowsOf(scene.app, 'select number from subscribers where id = $1', [ann]);
  for (const query of [`subscriber_id=${number}`, 'email=ANN%40example.com', `subscriber_id=${ann}`]) {
    const reply = await scene.marketing.ask('GET', `/drip_campaigns/${drip}/explain?${query}`);
    assert.equal(reply.body.data.subscriber_id, ann, query);
    assert.ok(!/ann@/i.test(reply.text));
  }
  assert.deepEqual(
    await auditOf(scene, 'drip.explained'),
    Array.from({ length: 3 }, () => ({ target: drip, details: { subscriber: ann } })),
  );
  const ask = (query: string) => scene.marketing.ask('GET', `/drip_campaigns/${drip}/explain${query}`);
  assert.deepEqual(refusalOf(await ask('')), [400, 'invalid_request', ['subscriber_id']]);
  const unknown = await ask('?email=eve%40example.com');
  assert.deepEqual([unknown.status, unknown.body.error], [404, 'email: no such subscriber']);
});
