import * as fc from 'fast-check';
import { ofLeavers, ofPeople } from './commands-of-people.ts';
import { ofEnds, ofSteering } from './commands-of-steering.ts';
import { compare, settleBoth } from './compare.ts';
import type { Real } from './real.ts';
import { nextDue } from './settle.ts';
import { pass, type World } from './world.ts';

/** Something that is done to the product and to the model. */
export type Command = fc.AsyncCommand<World, Real>;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const settling = fc.constantFrom(1 as const, 2 as const).map(
  (engines): Command => ({
    check: () => true,
    run: ({ state }, real) => settleBoth(state, real, engines),
    toString: () => `settle with ${engines}`,
  }),
);

const passing = fc.constantFrom(MINUTE, 31 * MINUTE, HOUR, 4 * HOUR, DAY, 2 * DAY, 8 * DAY, 20 * DAY).map(
  (ms): Command => ({
    check: () => true,
    run: async (world, real) => pass(world, real, ms),
    toString: () => `${ms / MINUTE} minutes pass`,
  }),
);

const comingDue = fc.tuple(fc.constantFrom(-1, 0, 1), fc.integer({ min: 1, max: 6 })).map(
  ([more, times]): Command => ({
    check: ({ state }) => nextDue(state) !== null,
    async run(world, real) {
      for (let time = 0; time < times; time += 1) {
        const due = nextDue(world.state);
        if (due === null) return;
        pass(world, real, due + more - world.state.now);
        await settleBoth(world.state, real, 1);
      }
    },
    toString: () => `${times} times: ${more} ms after the next is due, settle`,
  }),
);

const goingBack = fc.constantFrom(1, MINUTE, HOUR).map(
  (ms): Command => ({
    check: () => true,
    run: async (world, real) => pass(world, real, -ms),
    toString: () => `clocks are put back by ${ms} ms`,
  }),
);

/** Looks without letting anything happen: what is done by a call is done at once. */
const looking = fc.constant<Command>({
  check: () => true,
  run: ({ state }, real) => compare(state, real, false),
  toString: () => 'look',
});

const ends = fc.oneof(...ofLeavers, ...ofEnds);
const often = <T>(times: number, arbitrary: T) => Array.from({ length: times }, () => arbitrary);

/** Whatever may happen, in any order; what ends things is rare enough for them to get somewhere. */
export const commands = fc.noBias(
  fc.commands(
    [
      ...often(4, settling),
      ...often(8, comingDue),
      ...often(2, passing),
      goingBack,
      looking,
      ...ofPeople,
      ...ofSteering,
      ...often(3, ends),
    ],
    { maxCommands: 60, size: 'max' },
  ),
);
