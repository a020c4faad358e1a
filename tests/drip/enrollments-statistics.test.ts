import assert from 'node:assert/strict';
import { before, beforeEach, type TestContext, test } from 'node:test';
import { refusalOf, rowsOf } from '../marketing/support.ts';
import type { Reply } from '../support/app.ts';
import { addDrip, addTo, DAY, openQuiet, type QuietScene, startDrip, steer } from './drip.ts';
import { enter, statisticsOf } from './enrollments.ts';

let scene: QuietScene;
let open: () => Promise<QuietScene>;
before(async (t) => {
  open = await openQuiet(t as TestContext);
});
beforeEach(async () => {
  scene = await open();
});

type Body = Reply['body'];

const manual = { start_trigger: 'manual', reentry: 'after_leaving' };
const mail = (id: string) => ({ id, type: 'email', campaign_mailing_id: scene.mailing });
const nap = (id: string) => ({ id, type: 'delay', days: 1 });

/** What became of the mails of a step. */
const mails = ({ sent, delivered, opened, clicked, bounced, unsubscribed }: Body) => [
  sent,
  delivered,
  opened,
  clicked,
  bounced,
  unsubscribed,
];

/** The counts of people, of those who were removed, and of the first step. */
const countsIn = ({ subscriber_count, subscriber_completed_count, active, exited, by_reason, steps }: Body) => [
  subscriber_count,
  subscriber_completed_count,
  active,
  exited,
  by_reason.removed,
  steps[0].waiting,
  steps[0].exited,
];

/** What each step says: who waits there, who has passed it, who left there. */
const placesIn = ({ steps }: Body): Record<string, string> =>
  Object.fromEntries(steps.map((each: Body) => [each.step, `${each.waiting} ${each.passed} ${each.exited}`]));

/** The same of the rows themselves: visits that are over, and where people stand. */
async function placesByRows(drip: string): Promise<Record<string, string>> {
  const rows = await rowsOf(
    scene.app,
    `select step, concat_ws(' ', count(*) filter (where what = 'waiting'), count(*) filter (where what = 'passed'),
       count(*) filter (where what = 'exited')) as places
     from (
       select step, case state when 'active' then 'waiting' else 'exited' end as what from drip_enrolments
       where drip_id = $1 and state <> 'completed'
       union all
       select v.step, 'passed' from drip_visits v join drip_enrolments e on e.id = v.enrolment_id
       where e.drip_id = $1 and not (v.step = e.step and e.state <> 'completed')) n
     group by step`,
    [drip],
  );
  return Object.fromEntries(rows.map(({ step, places }) => [step, places]));
}

async function assertCounted(drip: string): Promise<Body> {
  const statistics = await statisticsOf(scene, drip);
  const told = Object.entries(placesIn(statistics)).filter(([, places]) => places !== '0 0 0');
  assert.deepEqual(Object.fromEntries(told), await placesByRows(drip));
  const [rows] = await rowsOf(
    scene.app,
    `select count(*) filter (where state = 'active')::int as active, count(*) filter (where state = 'exited')::int as exited,
       count(distinct subscriber_id)::int as people,
       count(distinct subscriber_id) filter (where state = 'completed')::int as completed
     from drip_enrolments where drip_id = $1`,
    [drip],
  );
  const { active, exited, subscriber_count: count, subscriber_completed_count: completed, by_reason: why } = statistics;
  assert.deepEqual({ active, exited, people: count, completed }, rows);
  assert.equal(
    Object.values<number>(why).reduce((sum, people) => sum + people, 0),
    exited,
  );
  return statistics;
}

test('counts are right at every moment, whatever people do', async () => {
  const drip = await startDrip(
    scene,
    [
      mail('hello'),
      nap('one'),
      {
        id: 'fork',
        type: 'branch',
        if: { field: 'first_name', op: 'is', terms: ['Out'] },
        then: [{ id: 'out', type: 'exit' }],
      },
      mail('again'),
      nap('two'),
    ],
    manual,
  );
  const steps = ['hello', 'one', 'fork', 'out', 'again', 'two'];
  assert.deepEqual(Object.keys(placesIn(await assertCounted(drip))), steps);
  const ids: string[] = [];
  for (let index = 0; index < 8; index += 1) {
    ids.push(await addTo(scene, `n${index}`, index % 4 === 0 ? { first_name: 'Out' } : {}));
  }
  const [out = '', leaver = '', gone = '', removed = ''] = ids;
  const enrolled = await enter(scene, drip, ...ids);
  assert.deepEqual(placesIn(await assertCounted(drip)).hello, '8 0 0');
  await scene.engine.settle();
  assert.deepEqual(placesIn(await assertCounted(drip)).one, '8 0 0');
  await scene.marketing.take('POST', '/subscriptions/unsubscribe', { subscriber_ids: [leaver] });
  await scene.marketing.take('DELETE', `/subscribers/${gone}`);
  await scene.marketing.take('DELETE', `/drip_campaigns/${drip}/enrollments/${enrolled[3]}`);
  await assertCounted(drip);
  await scene.engine.settle();
  assert.equal(placesIn(await assertCounted(drip)).one, '5 0 3');
  scene.clock.advance(DAY);
  await scene.engine.settle();
  const midway = await assertCounted(drip);
  assert.deepEqual(midway.by_reason, { deleted: 1, exit_step: 2, removed: 1, unsubscribed: 1 });
  await enter(scene, drip, removed, out);
  await assertCounted(drip);
  for (let day = 0; day < 3; day += 1) {
    scene.clock.advance(DAY);
    await scene.engine.settle();
    await assertCounted(drip);
  }
  const end = await assertCounted(drip);
  assert.deepEqual([end.active, end.subscriber_count, end.subscriber_completed_count], [0, 8, 4]);
  await enter(scene, drip, ids[5] as string);
  await steer(scene, drip, 'complete');
  await scene.engine.settle();
  assert.equal((await assertCounted(drip)).by_reason.drip_completed, 1);
});

test('the mails of a step are counted with it, by version or over all', async () => {
  const drip = await startDrip(scene, [mail('hello'), nap('one')], manual);
  await enter(scene, drip, await addTo(scene, 'ann'), await addTo(scene, 'bob'));
  await scene.engine.settle();
  const steps = [mail('hello'), nap('longer')];
  await scene.marketing.take('PATCH', `/drip_campaigns/${drip}`, { drip_campaign: { steps, publish_share: 100 } });
  await enter(scene, drip, await addTo(scene, 'cyd'));
  await scene.engine.settle();
  const set = (version: number, counts: string) =>
    rowsOf(
      scene.app,
      `update send_counts set ${counts} where send_id = (
         select id from campaign_mailing_sends where drip_id = $1 and drip_version = $2)`,
      [drip, version],
    );
  await set(
    1,
    'sent = 1, delivered = 10, opened = 5, clicked = 2, soft_bounced = 3, hard_bounced = 1, unsubscribed = 1',
  );
  await set(2, 'delivered = 20, opened = 1');
  const all = await statisticsOf(scene, drip);
  assert.deepEqual(
    all.steps.map((step: Body) => [step.step, step.type, step.version, step.waiting, step.passed]),
    [
      ['hello', 'email', null, 0, 3],
      ['longer', 'delay', null, 1, 0],
      ['one', 'delay', null, 2, 0],
    ],
  );
  assert.deepEqual(mails(all.steps[0]), [35, 30, 6, 2, 4, 1]);
  assert.deepEqual(mails(all.steps[1]), [0, 0, 0, 0, 0, 0]);
  const [first, second] = [
    await statisticsOf(scene, drip, '?version=1'),
    await statisticsOf(scene, drip, '?version=2'),
  ];
  assert.deepEqual([first.subscriber_count, first.active, second.subscriber_count, second.active], [2, 2, 1, 1]);
  assert.deepEqual(
    first.steps.map((step: Body) => [step.step, step.version, step.waiting, step.passed]),
    [
      ['hello', 1, 0, 2],
      ['one', 1, 2, 0],
    ],
  );
  assert.deepEqual(
    [mails(first.steps[0]), mails(second.steps[0])],
    [
      [15, 10, 5, 2, 4, 1],
      [20, 20, 1, 0, 0, 0],
    ],
  );
  for (const version of ['3', '99999999999']) {
    const refused = await scene.marketing.ask('GET', `/drip_campaigns/${drip}/statistics?version=${version}`);
    assert.equal(refused.status, 404, version);
  }
});

test('counts that are too small are hidden on request, with the sums that would give them away', async () => {
  const drip = await startDrip(scene, [nap('one')], manual);
  const ids: string[] = [];
  for (const name of ['ann', 'bob', 'cyd', 'dan']) ids.push(await addTo(scene, name));
  const [id] = await enter(scene, drip, ...ids);
  await scene.marketing.take('DELETE', `/drip_campaigns/${drip}/enrollments/${id}`);
  assert.deepEqual(countsIn(await statisticsOf(scene, drip)), [4, 0, 3, 1, 1, 3, 1]);
  assert.deepEqual(countsIn(await statisticsOf(scene, drip, '?min_cell=1')), [4, 0, 3, 1, 1, 3, 1]);
  const hidden = await statisticsOf(scene, drip, '?min_cell=2');
  assert.deepEqual(countsIn(hidden), [null, 0, 3, null, null, 3, null]);
  assert.deepEqual([hidden.small_cells_suppressed, hidden.steps[0].small_cells_suppressed], [true, true]);
  const refused = await scene.marketing.ask('GET', `/drip_campaigns/${drip}/statistics?min_cell=0`);
  assert.deepEqual(refusalOf(refused), [400, 'invalid_request', ['min_cell']]);
});

test('a draft has steps and nobody in it', async () => {
  const drip = await addDrip(scene, [mail('hello'), nap('one')], manual);
  const { steps, by_reason: byReason, ...people } = await statisticsOf(scene, drip);
  assert.deepEqual(people, { subscriber_count: 0, subscriber_completed_count: 0, active: 0, exited: 0 });
  assert.deepEqual([byReason, steps.map(({ step }: Body) => step)], [{}, ['hello', 'one']]);
  assert.deepEqual((await statisticsOf(scene, await addDrip(scene, []))).steps, []);
});
