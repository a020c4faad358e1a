import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { PeerFailure } from '../../src/email/delivery/dialogue/smtp-replies.ts';
import { nextAttempt } from '../../src/email/delivery/queue/retry.ts';
import { settle } from '../../src/email/delivery/queue/settle.ts';
import { withConnection } from '../../src/platform/db/pool.ts';
import { startApp } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { createWorker, deliverDue, settlementOf, takeDue } from '../support/delivery.ts';

const MINUTE = 60_000;
const DAY = 24 * 3600_000;

type Setup = Awaited<ReturnType<typeof acceptOne>>;

/** A message that was accepted while no worker ran, and what a worker needs to take it. */
async function acceptOne(t: Parameters<typeof startApp>[0]) {
  const clock = createMovableClock();
  const app = await startApp(t, { clock });
  const { key } = await app.createCustomer();
  const message = { recipients: ['ann@example.com'], headers: { from: 'clinic@example.org' } };
  assert.equal((await app.request('POST', '/v1/messages', { key, body: { data: { message } } })).status, 200);
  return { clock, ownerUrl: app.installation.ownerUrl, deps: await createWorker(t, app) };
}

async function recipient({ ownerUrl }: Setup) {
  const { rows } = await withConnection(ownerUrl, (client) =>
    client.query('select state, attempts, due_at from message_recipients'),
  );
  return rows[0] as { state: string; attempts: number; due_at: Date | null };
}

const unreachable = () => Promise.reject(new PeerFailure('unreachable', 'no peer'));

test('a lease that nobody settles falls due again, and its late owner can no longer settle it', async (t) => {
  const setup = await acceptOne(t);
  const [lost] = await takeDue(setup.deps);
  assert.ok(lost);
  assert.deepEqual(await takeDue(setup.deps), [], 'it is taken');
  setup.clock.advance(MINUTE);
  const [again] = await takeDue(setup.deps);
  assert.equal(again?.attempts, 2);
  const outcome = { result: 'refused', code: 550, reply: '550 5.1.1 unknown', toRcpt: true } as const;
  const late = settlementOf(lost, outcome, 'ann@example.com');
  await settle(setup.deps, [late]);
  assert.equal((await recipient(setup)).state, 'queued');
  const { rows } = await withConnection(setup.ownerUrl, (client) => client.query('select from suppressions'));
  assert.deepEqual(rows, [], 'nor does it suppress anybody');
});

test('workers at the same time take different recipients', async (t) => {
  const setup = await acceptOne(t);
  const taken = await Promise.all([takeDue(setup.deps), takeDue(setup.deps)]);
  assert.equal(taken.flat().length, 1);
});

test('what cannot be delivered is tried again with growing pauses, and bounces after five days', async (t) => {
  const setup = await acceptOne(t);
  const start = setup.clock.now().getTime();
  const pauses: number[] = [];
  for (;;) {
    const before = setup.clock.now().getTime();
    assert.equal(await deliverDue(setup.deps, unreachable), 1);
    const { state, due_at: dueAt } = await recipient(setup);
    if (state === 'bounced') break;
    pauses.push((dueAt as Date).getTime() - before);
    setup.clock.advance((dueAt as Date).getTime() - before);
  }
  assert.ok((pauses[0] as number) >= 0.9 * MINUTE && (pauses[0] as number) <= 1.1 * MINUTE);
  assert.ok((pauses.at(-1) as number) <= 1.1 * 4 * 60 * MINUTE);
  const lasted = setup.clock.now().getTime() - start;
  assert.ok(lasted > 4 * DAY && lasted <= 5 * DAY, `gave up after ${lasted / DAY} days`);
});

test('the next attempt lies within a tenth of its schedule, and never beyond five days', () => {
  const now = new Date('2026-01-10T00:00:00Z');
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 60 }),
      fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
      fc.integer({ min: 0, max: 6 * DAY }),
      (attempts, random, age) => {
        const firstTriedAt = new Date(now.getTime() - age);
        const at = nextAttempt({ now, random: () => random }, { attempts, firstTriedAt });
        const planned = Math.min(MINUTE * 2 ** (attempts - 1), 240 * MINUTE);
        if (at === null) assert.ok(age + 1.1 * planned > 5 * DAY);
        else {
          const pause = at.getTime() - now.getTime();
          assert.ok(pause >= 0.9 * planned - 1 && pause <= 1.1 * planned);
          assert.ok(at.getTime() - firstTriedAt.getTime() <= 5 * DAY);
        }
      },
    ),
  );
});
