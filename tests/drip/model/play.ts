import type { TestContext } from 'node:test';
import * as fc from 'fast-check';
import { asOwner } from '../../support/owner.ts';
import { commands } from './commands.ts';
import { settleBoth } from './compare.ts';
import { asCustomer, openProduct } from './real.ts';
import type { State } from './state.ts';
import { storm } from './storm.ts';
import { beginWorld, plan } from './world.ts';

interface Plays extends fc.Parameters<unknown> {
  /** No world begins later than this. One that is under way comes to its end: it would play on while all is taken down. */
  withinMs?: number;
}

/** Plays worlds in which anything may happen, in the product and in the model, and compares the two. */
export async function playWorlds(
  t: TestContext,
  { withinMs = Number.POSITIVE_INFINITY, ...parameters }: Plays,
): Promise<Record<string, number>> {
  const product = await openProduct(t);
  const happened: Record<string, number> = {};
  const endsAt = performance.now() + withinMs;
  await asOwner(product.app, async (owner) => {
    const property = fc.asyncProperty(plan, commands, async (planned, done) => {
      if (performance.now() > endsAt) return;
      const real = await asCustomer(product, owner);
      try {
        const world = await beginWorld(real, planned);
        await fc.asyncModelRun(() => ({ model: world, real }), done);
        await settleBoth(world.state, real, 1);
        count(happened, world.state);
        await storm(world, real);
      } finally {
        // The next world has a time of its own.
        await owner.query(`update drip_campaigns set state = 'completed', ending = false where customer_id = $1`, [
          real.customer.id,
        ]);
        await owner.query('delete from drip_facts where customer_id = $1', [real.customer.id]);
      }
    });
    await fc.assert(property, parameters as object);
  });
  return happened;
}

/** Counts what has happened in a world, to see that worlds are not empty. */
function count(happened: Record<string, number>, { drips }: State): void {
  const ways = drips.flatMap(({ enrolments }) => enrolments);
  const visits = ways.flatMap(({ path }) => path);
  const found = [
    'worlds',
    ...ways.flatMap(({ state, reason, rotation, version }) => [
      reason ?? state,
      ...(rotation > 1 ? ['entered again'] : []),
      ...(version > 1 ? ['by a later version'] : []),
    ]),
    ...visits.flatMap(({ visit, outcome, mailed }) => [
      ...(mailed ? ['mails'] : []),
      ...(visit > 1 ? ['came again'] : []),
      outcome ?? 'passed',
    ]),
  ];
  for (const name of found) happened[name] = (happened[name] ?? 0) + 1;
}
