import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { holdTogether } from '../../src/marketing/drip/campaigns/hold.ts';
import { advanceSends } from '../../src/marketing/mailings/sending/advance.ts';
import { advancing } from '../mailings/advancing.ts';
import { rowsOf } from '../marketing/support.ts';
import { createWorker } from '../support/delivery.ts';
import { eventually } from '../support/eventually.ts';
import { addTo, mail, mailsOf, openQuiet, type QuietScene, startDrip, steer, whereIs } from './drip.ts';

let enter: () => Promise<QuietScene>;
before(async (t) => {
  enter = await openQuiet(t as TestContext);
});

const unwanted = () => assert.fail('a mail of a drip that is over is on its way');

/** Takes each send that is under way further, until there is nothing left to do; nothing may be handed over. */
async function sendAll(t: TestContext, { app, clock }: QuietScene): Promise<void> {
  const deps = advancing({ ...(await createWorker(t, app)), clock }, { handOver: unwanted });
  while ((await advanceSends(deps)) > 0);
}

test('mails that wait in a send which has not begun are taken back when the drip is completed', async (t) => {
  const scene = await enter();
  const { app } = scene;
  const drip = await startDrip(scene, [mail(scene, 'one'), { id: 'nap', type: 'delay', days: 1 }, mail(scene, 'two')]);
  const ann = await addTo(scene, 'ann');
  await scene.engine.settle();
  assert.deepEqual(await mailsOf(scene, drip), ['ann one queued']);
  await steer(scene, drip, 'complete');
  await scene.engine.settle();
  assert.equal(await whereIs(scene, drip, ann), 'left as drip_completed');
  await sendAll(t, scene);
  assert.deepEqual(await mailsOf(scene, drip), ['ann one cancelled']);
  const sends = await rowsOf(
    app,
    `select s.drip_step, s.state, s.finished_at is not null as over, c.people, c.cancelled
     from campaign_mailing_sends s join send_counts c on c.send_id = s.id where s.drip_id = $1 order by 1`,
    [drip],
  );
  const over = { state: 'cancelled', over: true };
  assert.deepEqual(sends, [
    { drip_step: 'one', ...over, people: 1, cancelled: 1 },
    { drip_step: 'two', ...over, people: 0, cancelled: 0 },
  ]);
});

test('who joins the list just before a drip is completed does not enter it', async () => {
  const scene = await enter();
  const drip = await startDrip(scene, [mail(scene, 'one')]);
  await addTo(scene, 'ann');
  await steer(scene, drip, 'complete');
  await scene.engine.settle();
  const { attributes } = (await scene.marketing.take('GET', `/drip_campaigns/${drip}`)).data;
  assert.deepEqual([attributes.state, attributes.subscriber_count], ['completed', 0]);
});

test('a list is deleted while people of its drips are led on, who may come to need it', async () => {
  const scene = await enter();
  const { app, customer, marketing, list } = scene;
  const drip = await startDrip(scene, [mail(scene, 'one')]);
  const deleted = await app.installation.db.tenant([customer.id], async (tx) => {
    await holdTogether(tx, [Number(drip)]);
    const reply = marketing.ask('DELETE', `/subscription_lists/${list}`);
    await eventually(async () => (await rowsOf(app, 'select from pg_locks where not granted')).length > 0);
    await tx.selectFrom('subscription_lists').select('id').where('id', '=', Number(list)).forKeyShare().execute();
    return { reply };
  });
  assert.equal((await deleted.reply).status, 200);
  assert.equal((await marketing.take('GET', `/drip_campaigns/${drip}`)).data.attributes.state, 'completed');
});
