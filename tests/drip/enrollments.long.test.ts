import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, beforeEach, type TestContext, test } from 'node:test';
import { marketingOf, refusalOf, rowsOf } from '../marketing/support.ts';
import { addTo, openQuiet, type QuietScene, startDrip, steer } from './drip.ts';
import { auditOf, enter, explained, listed, namesIn, pathOf, statisticsOf } from './enrollments.ts';

let scene: QuietScene;
let open: () => Promise<QuietScene>;
before(async (t) => {
  open = await openQuiet(t as TestContext);
});
beforeEach(async () => {
  scene = await open();
});

const manual = { start_trigger: 'manual', reentry: 'after_leaving' };
const mail = (id: string) => ({ id, type: 'email', campaign_mailing_id: scene.mailing });
const nap = (id: string, days = 1) => ({ id, type: 'delay', days });
const people = (...names: string[]) => Promise.all(names.map((name) => addTo(scene, name)));
const later = (days: number) => scene.becomes(new Date(scene.clock.now().getTime() + days * 86_400_000).toISOString());

test('somebody is shown where they are, and how they came there, in the order of the steps', async () => {
  const drip = await startDrip(
    scene,
    [
      mail('z-hello'),
      {
        id: 'y-fork',
        type: 'branch',
        if: { field: 'first_name', op: 'is', terms: ['Ann'] },
        then: [mail('x-ann')],
        else: [],
      },
      nap('nap'),
      mail('again'),
      { id: 'out', type: 'exit' },
    ],
    manual,
  );
  const ann = await addTo(scene, 'path-ann', { first_name: 'Ann' });
  const entered = scene.clock.now().toISOString();
  const [id = ''] = await enter(scene, drip, ann);
  const arrived = await scene.marketing.take('GET', `/drip_campaigns/${drip}/enrollments/${id}`);
  assert.deepEqual(arrived.data.attributes.path, []);
  assert.deepEqual([arrived.data.attributes.step, arrived.data.attributes.waiting], ['z-hello', false]);
  await scene.engine.settle();
  const { data } = await listed(scene, drip);
  const { due_at: due, ...attributes } = data[0].attributes;
  assert.deepEqual([data.length, data[0].id, data[0].type], [1, id, 'drip_enrollment']);
  assert.deepEqual(attributes, {
    drip_campaign_id: drip,
    subscriber_id: ann,
    email: 'path-ann@example.com',
    version: 1,
    rotation: 1,
    state: 'active',
    reason: null,
    step: 'nap',
    waiting: true,
    entered_at: entered,
    arrived_at: entered,
    ended_at: null,
    occasion: null,
  });
  assert.equal(Date.parse(due), scene.clock.now().getTime() + 86_400_000);
  const path = await pathOf(scene, drip, id);
  assert.deepEqual(
    path.map(({ step, type, visit, outcome, mail: meant }) => [step, type, visit, outcome, meant?.state ?? null]),
    [
      ['z-hello', 'email', 1, null, 'queued'],
      ['y-fork', 'branch', 1, 'then', null],
      ['x-ann', 'email', 1, null, 'queued'],
      ['nap', 'delay', 1, null, null],
    ],
  );
  const [{ message_id: messageId }] = path;
  const at = scene.clock.now();
  await rowsOf(scene.app, `update mailing_recipients set state = 'delivered', settled_at = $2 where id = $1`, [
    messageId,
    at,
  ]);
  await rowsOf(
    scene.app,
    `insert into mailing_engagement (id, customer_id, send_id, mailing_id, subscriber_id, first_opened_at)
     select id, customer_id, send_id, mailing_id, subscriber_id, $2 from mailing_recipients where id = $1`,
    [messageId, at],
  );
  await later(1);
  const whole = await pathOf(scene, drip, id);
  assert.deepEqual(
    whole.map(({ step }) => step),
    ['z-hello', 'y-fork', 'x-ann', 'nap', 'again', 'out'],
  );
  const time = at.toISOString();
  assert.deepEqual(whole[0].mail, {
    state: 'delivered',
    rule: null,
    delivered_at: time,
    opened_at: time,
    clicked_at: null,
  });
  const [left] = (await listed(scene, drip)).data;
  assert.deepEqual(
    [left.attributes.state, left.attributes.reason, left.attributes.due_at],
    ['exited', 'exit_step', null],
  );
  assert.deepEqual(
    (await auditOf(scene, 'drip_enrollment.read')).map(({ target }) => target),
    [id, id, id],
  );
});

test('a loop is told turn by turn', async () => {
  const wait = { id: 'b', type: 'wait', for: { event: 'again' }, then: [mail('a'), { type: 'goto', step: 'b' }] };
  const drip = await startDrip(scene, [{ ...wait, for: { event: 'custom', name: 'again' } }], manual);
  const [ann = ''] = await people('loop-ann');
  const [id = ''] = await enter(scene, drip, ann);
  await scene.engine.settle();
  for (const _ of [1, 2]) {
    await scene.marketing.take('POST', '/drip_events', { event: 'again', subscriber_id: ann });
    await scene.engine.settle();
  }
  assert.deepEqual(
    (await pathOf(scene, drip, id)).map(({ step, visit, outcome }) => `${step}${visit} ${outcome}`),
    ['b1 then', 'a1 null', 'b2 then', 'a2 null', 'b3 null'],
  );
});

test('lists are filtered and paged, the newest first', async () => {
  const drip = await startDrip(scene, [nap('one'), nap('two', 9), mail('end')], manual);
  const ids = await people('f-ann', 'f-bob', 'f-cyd', 'f-dan');
  const [ann = '', bob = '', cyd = '', dan = ''] = ids;
  const enrolled: string[] = [];
  for (const id of [ann, bob, cyd]) {
    enrolled.push(...(await enter(scene, drip, id)));
    scene.clock.advance(1_000);
  }
  await scene.engine.settle();
  await later(1);
  enrolled.push(...(await enter(scene, drip, dan)));
  await scene.engine.settle();
  await scene.marketing.take('DELETE', `/drip_campaigns/${drip}/enrollments/${enrolled[1]}`);
  assert.deepEqual(await namesIn(scene, drip), ['f-dan', 'f-cyd', 'f-bob', 'f-ann']);
  const expected: [string, string[]][] = [
    ['?state=active', ['f-dan', 'f-cyd', 'f-ann']],
    ['?state=exited', ['f-bob']],
    ['?state=completed', []],
    ['?reason=removed', ['f-bob']],
    ['?reason=goal', []],
    ['?step=two', ['f-cyd', 'f-bob', 'f-ann']],
    ['?step=two&state=active', ['f-cyd', 'f-ann']],
    ['?step=none', []],
    ['?version=1', ['f-dan', 'f-cyd', 'f-bob', 'f-ann']],
    [`?subscriber_id=${cyd}`, ['f-cyd']],
    ['?items=3', ['f-dan', 'f-cyd', 'f-bob']],
    ['?items=3&page=2', ['f-ann']],
    ['?items=3&page=3', []],
  ];
  for (const [query, names] of expected) assert.deepEqual(await namesIn(scene, drip, query), names, query);
  assert.deepEqual((await listed(scene, drip, '?items=3&page=2')).page_info, { count: 4, pages: 2, page: 2, items: 3 });
  assert.deepEqual((await listed(scene, drip, '?state=active&items=2')).page_info.count, 3);
  assert.equal((await listed(scene, drip)).page_info.items, 50);
  for (const query of ['state=gone', 'reason=bored', 'items=1001', 'items=0', 'page=x']) {
    const [name = ''] = query.split('=');
    const reply = await scene.marketing.ask('GET', `/drip_campaigns/${drip}/enrollments?${query}`);
    assert.deepEqual(refusalOf(reply), [400, 'invalid_request', [name]], query);
  }
  for (const query of ['version=9', 'version=99999999999', 'version=x', `subscriber_id=${randomUUID()}`]) {
    assert.equal((await scene.marketing.ask('GET', `/drip_campaigns/${drip}/enrollments?${query}`)).status, 404, query);
  }
});

test('somebody is due later by a pause that shifts, before anybody has looked', async () => {
  const drip = await startDrip(scene, [nap('one', 2), mail('end')], manual);
  const [ann = ''] = await people('p-ann');
  await enter(scene, drip, ann);
  await scene.engine.settle();
  const due = async () => Date.parse((await listed(scene, drip)).data[0].attributes.due_at);
  const first = await due();
  await steer(scene, drip, 'pause');
  scene.clock.advance(3 * 86_400_000);
  assert.equal(await due(), first);
  await steer(scene, drip, 'resume', { policy: 'shift' });
  assert.equal(await due(), first + 3 * 86_400_000);
  const [{ due_at: stored }] = await rowsOf(scene.app, 'select due_at from drip_enrolments where drip_id = $1', [drip]);
  assert.equal(stored.getTime(), first, 'nothing has been written yet');
  await scene.engine.settle();
  assert.equal(await due(), first + 3 * 86_400_000);
});

test('somebody is taken out once; they may come back, and are told apart by their turn', async () => {
  const drip = await startDrip(scene, [nap('one'), mail('end')], manual);
  const [ann = ''] = await people('r-ann');
  const [id = ''] = await enter(scene, drip, ann);
  const path = `/drip_campaigns/${drip}/enrollments/${id}`;
  assert.deepEqual(await scene.marketing.take('DELETE', path), {});
  const [{ attributes }] = (await listed(scene, drip)).data;
  assert.deepEqual([attributes.state, attributes.reason], ['exited', 'removed']);
  assert.equal(attributes.ended_at, scene.clock.now().toISOString());
  const again = await scene.marketing.ask('DELETE', path);
  assert.deepEqual([again.status, again.body.code], [409, 'conflict']);
  assert.deepEqual(await auditOf(scene, 'drip_enrollment.removed'), [
    ...(await auditOf(scene, 'drip_enrollment.removed')).slice(0, -1),
    { target: id, details: { drip, subscriber: ann } },
  ]);
  await later(2);
  const [next = ''] = await enter(scene, drip, ann);
  assert.notEqual(next, id);
  const turns = (await listed(scene, drip)).data.map((each: typeof attributes) => each.attributes.rotation);
  assert.deepEqual(turns, [2, 1]);
});

test('whoever is deleted midway is shown without an address, and leaves', async () => {
  const drip = await startDrip(scene, [mail('hello'), nap('one'), mail('end')], manual);
  const [ann = '', bob = ''] = await people('d-ann', 'd-bob');
  const [id = ''] = await enter(scene, drip, ann, bob);
  await scene.engine.settle();
  await scene.marketing.take('DELETE', `/subscribers/${ann}`);
  assert.deepEqual((await namesIn(scene, drip)).toSorted(), ['?', 'd-bob']);
  await scene.engine.settle();
  assert.deepEqual(await namesIn(scene, drip, '?reason=deleted'), ['?']);
  assert.deepEqual(
    (await pathOf(scene, drip, id)).map(({ step }) => step),
    ['hello', 'one'],
  );
  const { active, exited, by_reason: byReason } = await statisticsOf(scene, drip);
  assert.deepEqual([active, exited, byReason], [1, 1, { deleted: 1 }]);
  const reply = await scene.marketing.ask('GET', `/drip_campaigns/${drip}/explain?subscriber_id=${ann}`);
  assert.equal(reply.status, 404);
  assert.equal((await explained(scene, drip, bob)).in, true);
});

test('what belongs to another drip is not found, and what belongs to another customer is refused', async () => {
  const drip = await startDrip(scene, [nap('one')], manual);
  const other = await startDrip(scene, [nap('one')], manual);
  const [ann = ''] = await people('o-ann');
  const [id = ''] = await enter(scene, drip, ann);
  const stranger = marketingOf(scene.app, await scene.app.createCustomer());
  for (const method of ['GET', 'DELETE']) {
    assert.equal((await scene.marketing.ask(method, `/drip_campaigns/${other}/enrollments/${id}`)).status, 404);
    assert.equal(
      (await scene.marketing.ask(method, `/drip_campaigns/${drip}/enrollments/${randomUUID()}`)).status,
      404,
    );
    assert.equal((await scene.marketing.ask(method, `/drip_campaigns/${drip}/enrollments/x`)).status, 404);
    assert.equal((await stranger.ask(method, `/drip_campaigns/${drip}/enrollments/${id}`)).status, 403);
  }
  for (const rest of ['enrollments', 'statistics', `explain?subscriber_id=${ann}`]) {
    assert.equal((await stranger.ask('GET', `/drip_campaigns/${drip}/${rest}`)).status, 403, rest);
    assert.equal((await scene.marketing.ask('GET', `/drip_campaigns/999999/${rest}`)).status, 404, rest);
  }
  assert.deepEqual(await namesIn(scene, drip, '?state=active'), ['o-ann']);
});

test('the story of somebody has the drips that they are and were in', async () => {
  const first = await startDrip(scene, [nap('one')], { ...manual, name: 'First' });
  const second = await startDrip(scene, [nap('two')], { ...manual, name: 'Second' });
  const [ann = '', bob = ''] = await people('s-ann', 's-bob');
  const [left = ''] = await enter(scene, first, ann, bob);
  const at = scene.clock.now().toISOString();
  await scene.marketing.take('DELETE', `/drip_campaigns/${first}/enrollments/${left}`);
  scene.clock.advance(1_000);
  await enter(scene, second, ann);
  const { data } = await scene.marketing.take('GET', `/subscribers/${ann}/story`);
  assert.deepEqual(data.drip_campaigns, [
    {
      id: second,
      name: 'Second',
      state: 'active',
      reason: null,
      step: 'two',
      entered_at: scene.clock.now().toISOString(),
      ended_at: null,
    },
    { id: first, name: 'First', state: 'exited', reason: 'removed', step: 'one', entered_at: at, ended_at: at },
  ]);
});
