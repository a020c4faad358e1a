import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { openDatabase } from '../../src/platform/db/database.ts';
import type { Task } from '../../src/platform/jobs/runner.ts';
import { addMailing } from '../mailings/mailing.ts';
import { rowsOf } from '../marketing/support.ts';
import { createTestTasks } from '../support/tasks.ts';
import { addTo, mailsOf, openQuiet, type QuietScene, startDrip, whereIs } from './drip.ts';
import { statisticsOf } from './enrollments.ts';

type Fields = Record<string, unknown>;

let enter: () => Promise<QuietScene>;
let tasks: Record<string, Task>;
before(async (t) => {
  enter = await openQuiet(t as TestContext);
  const { ownerUrl, log } = (await enter()).app.installation;
  const db = openDatabase({ ownerUrl, log }, 'worker', 2);
  (t as TestContext).after(() => db.close());
  tasks = await createTestTasks((await enter()).app.installation, db);
});

/** Gives a drip other steps, and lets everybody go on by them. */
async function changeSteps({ marketing, customer, engine }: QuietScene, drip: string, steps: Fields[]): Promise<void> {
  const { data } = await marketing.take('PATCH', `/drip_campaigns/${drip}`, { drip_campaign: { steps } });
  const to_version = data.attributes.version;
  const { jid } = (await marketing.take('POST', `/drip_campaigns/${drip}/move`, { to_version })).data;
  await tasks['marketing.bulk']?.({ customerId: customer.id, jobId: jid });
  assert.equal((await marketing.take('GET', `/bulk_jobs/${jid}`)).data.state, 'done');
  await engine.settle();
}

const wait = (timeout?: Fields) => ({
  id: 'call',
  type: 'wait',
  for: { event: 'called' },
  ...(timeout === undefined ? {} : { timeout, else: [{ id: 'gone', type: 'exit' }] }),
});
const opened = (campaign_mailing_id: string, more: Fields = {}) => ({
  id: 'look',
  type: 'wait',
  for: { event: 'opened', campaign_mailing_id },
  ...more,
});
const nap = (more: Fields) => ({ id: 'nap', type: 'delay', ...more });

test('whoever waits goes on waiting where the new version says the same, and begins anew where it differs', async () => {
  const scene = await enter();
  const drips: [before: Fields, after: Fields, then: string][] = [
    [wait(), wait({ days: 2 }), 'in call until 2026-11-19T12:00:00Z'],
    [wait({ days: 2 }), wait(), 'in call'],
    [wait({ days: 2 }), wait({ hours: 1 }), 'in call until 2026-11-17T13:00:00Z'],
    [wait({ days: 2 }), wait({ days: 2 }), 'in call until 2026-11-18T12:00:00Z'],
    [nap({ days: 3 }), nap({ days: 9 }), 'in nap until 2026-11-26T12:00:00Z'],
    [nap({ days: 3 }), nap({ until: { time: '09:00' } }), 'in nap until 2026-11-18T09:00:00Z'],
    [nap({ days: 3 }), nap({ days: 3 }), 'in nap until 2026-11-19T12:00:00Z'],
  ];
  const ids: string[] = [];
  for (const [first] of drips) ids.push(await startDrip(scene, [first]));
  const ann = await addTo(scene, 'ann');
  await scene.engine.settle();
  await scene.becomes('2026-11-17T12:00:00Z');
  for (const [index, [, after, then]] of drips.entries()) {
    const id = ids[index] as string;
    await changeSteps(scene, id, [after, { id: 'end', type: 'exit' }]);
    assert.equal(await whereIs(scene, id, ann), then, `${index}`);
    const visits = await rowsOf(
      scene.app,
      'select v.step from drip_visits v join drip_enrolments e on e.id = v.enrolment_id where e.drip_id = $1',
      [id],
    );
    assert.equal(visits.length, 1, 'it is the step at which they have been');
  }
  await scene.becomes('2026-11-19T12:00:00Z');
  assert.equal(await whereIs(scene, ids[0] as string, ann), 'left as exit_step', 'an endless wait has an end now');
  assert.equal(await whereIs(scene, ids[1] as string, ann), 'in call', 'and the other has none');
});

test('whoever was woken before they were moved goes on', async () => {
  const scene = await enter();
  const drip = await startDrip(scene, [wait()]);
  const ann = await addTo(scene, 'ann');
  await scene.engine.settle();
  await rowsOf(scene.app, 'update drip_enrolments set woken = true, due_at = $2 where drip_id = $1', [
    drip,
    scene.clock.now(),
  ]);
  await changeSteps(scene, drip, [wait({ days: 2 }), nap({ days: 1 })]);
  assert.equal(await whereIs(scene, drip, ann), 'in nap until 2026-11-17T12:00:00Z');
});

test('whoever is moved to steps without ids goes on at the step at which they are, whatever was put in front', async () => {
  const scene = await enter();
  const nameless = (more: Fields) => ({ type: 'email', campaign_mailing_id: scene.mailing, ...more });
  const old = [nameless({ subject: 'First' }), { type: 'delay', days: 3 }, nameless({ subject: 'Last' })];
  const drip = await startDrip(scene, old);
  const ann = await addTo(scene, 'ann');
  await scene.engine.settle();
  assert.equal(await whereIs(scene, drip, ann), 'in s2 until 2026-11-19T12:00:00Z');
  await changeSteps(scene, drip, [nameless({ subject: 'Before' }), { type: 'delay', days: 1 }, ...old]);
  assert.equal(await whereIs(scene, drip, ann), 'in s2 until 2026-11-19T12:00:00Z');
  await addTo(scene, 'ben');
  for (const day of ['17', '18', '19', '21']) await scene.becomes(`2026-11-${day}T12:00:00Z`);
  const mails = await mailsOf(scene, drip);
  const [added] = mails.filter((line) => line.startsWith('ben')).map((line) => line.split(' ')[1]);
  assert.deepEqual(
    mails.filter((line) => line.startsWith('ann')),
    ['ann s1 queued', 'ann s3 queued'],
    'nobody gets a mail twice',
  );
  const steps: Fields[] = (await statisticsOf(scene, drip)).steps;
  assert.deepEqual(
    steps.filter(({ type }) => type === 'email').map(({ step, passed }) => `${String(step)} ${String(passed)}`),
    [`${added} 1`, 's1 2', 's3 2'],
    'nor are two mails one in the reports',
  );
});

test('who is let wait for something else goes on where they did it already, and the others wait on as before', async () => {
  const scene = await enter();
  const other = await addMailing(scene.app, scene.customer, { default_subject: 'Other' });
  const end = nap({ days: 9 });
  const [endless, timed] = [
    await startDrip(scene, [opened(scene.mailing), end]),
    await startDrip(scene, [opened(scene.mailing, { timeout: { days: 5 } }), end]),
  ];
  const [ann, ben] = [await addTo(scene, 'ann'), await addTo(scene, 'ben')];
  await scene.engine.settle();
  await scene.becomes('2026-11-17T12:00:00Z');
  await rowsOf(
    scene.app,
    `insert into mailing_engagement (id, customer_id, send_id, subscriber_id, mailing_id, first_opened_at)
     values (gen_random_uuid(), $1, 0, $2, $3, $4)`,
    [scene.customer.id, ben, other, scene.clock.now()],
  );
  await changeSteps(scene, endless, [opened(other), end]);
  await changeSteps(scene, timed, [opened(other, { timeout: { days: 5 } }), end]);
  for (const [drip, place] of [
    [endless, 'in look'],
    [timed, 'in look until 2026-11-21T12:00:00Z'],
  ] as const) {
    assert.equal(await whereIs(scene, drip, ben), 'in nap until 2026-11-26T12:00:00Z');
    assert.equal(await whereIs(scene, drip, ann), place);
  }
});
