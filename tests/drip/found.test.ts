import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { rowsOf } from '../marketing/support.ts';
import { eventually } from '../support/eventually.ts';
import { asOwner } from '../support/owner.ts';
import { addTo, mail, openQuiet, type QuietScene, startDrip, steer, whereIs } from './drip.ts';
import { createEngine } from './engine.ts';

/** Who waits for a lock of the product itself. */
const WAITING = `select from pg_locks where locktype = 'advisory' and not granted
  and database = (select oid from pg_database where datname = current_database())`;

let enterScene: Awaited<ReturnType<typeof openQuiet>>;

before(async (t) => {
  enterScene = await openQuiet(t as TestContext);
});

test('nobody is left behind in a drip that ends while they enter it', async (t) => {
  const scene: QuietScene = await enterScene();
  const drip = await startDrip(scene, [mail(scene, 'hello')]);
  const ann = await addTo(scene, 'ann');
  await asOwner(scene.app, async (client) => {
    // Somebody else lets people in: the engine has seen the drip run, and waits for its turn.
    await client.query(`begin; select pg_advisory_xact_lock(hashtext('carepost drip entry'), ${drip})`);
    const entering = scene.engine.settle();
    await eventually(async () => (await rowsOf(scene.app, WAITING)).length > 0);
    const completing = steer(scene, drip, 'complete');
    await Promise.race([completing, sleep(300)]);
    await createEngine(t, scene.app, scene.clock).settle();
    await client.query('commit');
    await Promise.all([entering, completing]);
  });
  await scene.engine.settle();
  assert.match(await whereIs(scene, drip, ann), /^(nowhere|left as drip_completed)$/);
});

test('whoever lives through a pause for long is not shifted by an earlier one again', async () => {
  const scene = await enterScene('2026-11-16T12:00:00Z');
  const drip = await startDrip(scene, [
    { id: 'hour', type: 'delay', hours: 1 },
    { id: 'round', type: 'delay', minutes: 10 },
    mail(scene, 'again'),
    { type: 'goto', step: 'round' },
  ]);
  await addTo(scene, 'ann');
  await scene.engine.settle();
  await steer(scene, drip, 'pause');
  await scene.becomes('2026-11-17T12:00:00Z');
  await steer(scene, drip, 'resume', { policy: 'shift' });
  await steer(scene, drip, 'pause');
  await scene.becomes('2026-11-18T12:05:00Z');
  await steer(scene, drip, 'resume', { policy: 'skip_overdue' });
  await scene.engine.settle();
  // Due at 13:00 on the 17th, then every ten minutes.
  const rows = await rowsOf(
    scene.app,
    `select v.at from drip_visits v join drip_enrolments e on e.id = v.enrolment_id where e.drip_id = $1
     and v.step = 'again' order by number`,
    [drip],
  );
  const first = Date.parse('2026-11-17T13:10:00Z');
  const meant = Array.from({ length: 138 }, (_, index) => new Date(first + index * 600_000));
  assert.deepEqual(
    rows.map(({ at }) => at),
    meant,
  );
});
