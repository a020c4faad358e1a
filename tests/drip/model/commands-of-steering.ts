import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import type { Command } from './commands.ts';
import { compare, settleBoth } from './compare.ts';
import { readWays } from './found.ts';
import { cook, recipe } from './graphs.ts';
import { tell } from './people.ts';
import type { Real } from './real.ts';
import type { Drip, Policy } from './state.ts';
import { activeIn, change, enter, exit, graphOf, move, pause, publish, resume } from './steering.ts';
import { namedBy, pass, startBoth, type World } from './world.ts';

const HOUR = 3_600_000;
const which = fc.nat(2);
const dripAt = ({ state }: World, at: number) => state.drips[at % state.drips.length] as Drip;

/** Something that is done with a drip in one of some states. */
function steering(
  name: string,
  at: number,
  states: Drip['state'][],
  run: (world: World, real: Real, drip: Drip) => Promise<void>,
): Command {
  return {
    check: (world) => states.includes(dripAt(world, at).state),
    run: (world, real) => run(world, real, dripAt(world, at)),
    toString: () => `${name} ${at}`,
  };
}

const starting = fc
  .tuple(which, fc.boolean())
  .map(([at, existing]) =>
    steering(existing ? 'start with all' : 'start', at, ['draft'], (world, real, drip) =>
      startBoth(world, real, drip, existing),
    ),
  );

async function pauseBoth({ state }: World, { marketing }: Real, drip: Drip): Promise<void> {
  await marketing.take('POST', `/drip_campaigns/${drip.id}/pause`);
  pause(state, drip);
}

async function resumeBoth(world: World, real: Real, drip: Drip, policy: Policy): Promise<void> {
  await real.marketing.take('POST', `/drip_campaigns/${drip.id}/resume`, { policy });
  resume(world.state, drip, policy);
  // Nothing else happens at the very moment at which a pause ends.
  pass(world, real, 1);
}

/** Who lives through a pause is not caught by the next before the engine has had a moment. */
function unlessCaught(at: number, command: Command): Command {
  return { ...command, check: (world) => command.check(world) && !dripAt(world, at).hasToSettle };
}

const policies = fc.constantFrom<Policy>('catch_up', 'shift', 'skip_overdue');

const pausing = which.map((at) => unlessCaught(at, steering('pause', at, ['running'], pauseBoth)));

const resuming = fc
  .tuple(which, policies)
  .map(([at, policy]) =>
    steering(`resume by ${policy}`, at, ['paused'], (world, real, drip) => resumeBoth(world, real, drip, policy)),
  );

/** A pause from its beginning to its end, in which people may do what somebody waits for. */
const resting = fc
  .tuple(which, fc.constantFrom(0.5, 5, 30, 300), policies, fc.boolean())
  .map(([at, hours, policy, isStirred]) =>
    unlessCaught(
      at,
      steering(
        `rest ${isStirred ? 'stirred ' : ''}for ${hours} hours by ${policy}`,
        at,
        ['running'],
        async (world, real, drip) => {
          await pauseBoth(world, real, drip);
          pass(world, real, (hours / 2) * HOUR);
          if (isStirred) await stir(world, real);
          pass(world, real, (hours / 2) * HOUR);
          await resumeBoth(world, real, drip, policy);
        },
      ),
    ),
  );

/** Everybody does something, and the engine deals with it. */
async function stir({ slots, state }: World, real: Real): Promise<void> {
  const people = slots.flatMap(({ person }) => person ?? []);
  const body = { event: 'ping', subscriber_ids: people.map(({ id }) => id) };
  await real.marketing.take('POST', '/drip_events', body);
  for (const person of people) tell(state, person, 'ping');
  await settleBoth(state, real, 1);
}

const completing = which.map((at) =>
  steering('complete', at, ['running', 'paused'], async ({ state }, real, drip) => {
    await real.marketing.take('POST', `/drip_campaigns/${drip.id}/complete`);
    drip.state = 'completed';
    // What happens to people between the end and being let go may count as the reason, or not.
    await settleBoth(state, real, 1);
  }),
);

const shares = fc.constantFrom(0, 30, 60, 100, 100);

const changing = fc.tuple(which, recipe, shares).map(([at, steps, share]) =>
  steering(
    `change for ${share} %: ${JSON.stringify(steps.map(({ kind }) => kind))}`,
    at,
    ['draft', 'running', 'paused'],
    async (world, { marketing }, drip) => {
      const graph = cook(steps, namedBy(world, drip));
      const isNew = !isDeepStrictEqual(graph, drip.versions.at(-1));
      const drip_campaign = { drip_campaign_nodes: JSON.stringify(graph.nodes), publish_share: share };
      const { data } = await marketing.take('PATCH', `/drip_campaigns/${drip.id}`, { drip_campaign });
      if (isNew) change(drip, graph, share);
      assert.equal(data.attributes.version, drip.versions.length);
    },
  ),
);

const publishing = fc.tuple(which, fc.nat(5), shares).map(([at, pick, share]) =>
  steering(`publish ${pick} for ${share} %`, at, ['running', 'paused'], async (_, { marketing }, drip) => {
    const version = 1 + (pick % drip.versions.length);
    const wished = version === drip.live && share > 0 ? 100 : share;
    await marketing.take('POST', `/drip_campaigns/${drip.id}/publish`, { version, share: wished });
    publish(drip, version, wished);
  }),
);

/** Where people go who stand at steps that are named. */
function sayPlaces(drip: Drip, to: number, pick: number): Record<string, string> {
  const movers = activeIn(drip).filter(({ version }) => version < to);
  const named = [...new Set(movers.map(({ step }) => step))].slice(0, pick % 4);
  const { nodes } = graphOf(drip, to);
  return Object.fromEntries(named.map((step, index) => [step, nodes[(pick + index) % nodes.length]?.id as string]));
}

const moving = fc.tuple(which, fc.nat(5), fc.nat(20)).map(([at, target, pick]) =>
  steering(`move ${target} by ${pick}`, at, ['running', 'paused'], async (world, real, drip) => {
    const to = Math.max(1, drip.versions.length - (target % 2));
    const steps = sayPlaces(drip, to, pick);
    const body = { to_version: to, steps };
    const reply = await real.marketing.ask('POST', `/drip_campaigns/${drip.id}/move`, body);
    if (reply.status === 200) await real.work(real.customer, reply.body.data.jid);
    assert.equal(reply.status, move(world.state, drip, to, steps) ? 200 : 422, reply.text);
    await compare(world.state, real, false);
  }),
);

const entering = fc.tuple(which, fc.nat(2)).map(([at, who]): Command => {
  const personAt = ({ slots }: World) => slots[who % slots.length]?.person ?? null;
  const command = steering(`enter ${who} into`, at, ['running', 'paused'], async (world, real, drip) => {
    const person = personAt(world);
    if (person === null) return;
    // What happened before they entered and is not dealt with yet may count for them, or not.
    await settleBoth(world.state, real, 1);
    const body = { subscriber_ids: [person.id] };
    const { status, body: told } = await real.marketing.ask('POST', `/drip_campaigns/${drip.id}/enrollments`, body);
    assert.equal(status, drip.state === 'running' ? 200 : 409);
    if (status === 409) return;
    const ways = await readWays(real);
    const entered = enter(
      world.state,
      drip,
      person,
      world.state.now,
      (_, { id }, rotation) => ways.get(`${drip.id}/${id}/${rotation}`)?.version,
    );
    assert.equal(told.data.enrolled.length, entered ? 1 : 0);
    await compare(world.state, real, false);
  });
  return { ...command, check: (world) => command.check(world) && personAt(world) !== null };
});

const removing = fc.tuple(which, fc.nat(2)).map(([at, pick]): Command => {
  const command = steering(`take out ${pick} of`, at, ['running', 'paused'], async (_, { marketing, owner }, drip) => {
    const active = activeIn(drip);
    const leaver = active[pick % active.length];
    if (leaver === undefined) return;
    const { rows } = await owner.query(
      'select id from drip_enrolments where drip_id = $1 and subscriber_id = $2 and rotation = $3',
      [drip.id, leaver.person.id, leaver.rotation],
    );
    await marketing.take('DELETE', `/drip_campaigns/${drip.id}/enrollments/${rows[0].id}`);
    exit(leaver, 'removed');
  });
  return { ...command, check: (world) => command.check(world) && activeIn(dripAt(world, at)).length > 0 };
});

/** What is done with drips. */
export const ofSteering: fc.Arbitrary<Command>[] = [
  starting,
  pausing,
  resuming,
  resuming,
  resting,
  resting,
  changing,
  publishing,
  moving,
  moving,
  entering,
  entering,
];

/** What ends the way of somebody or of everybody. */
export const ofEnds: fc.Arbitrary<Command>[] = [completing, removing, removing];
