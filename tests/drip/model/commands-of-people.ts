import * as fc from 'fast-check';
import type { Command } from './commands.ts';
import { deletePerson, leaveList, optOut, suppress, tell, unsuppress } from './people.ts';
import type { Real } from './real.ts';
import type { Drip, Person } from './state.ts';
import { joinBoth, type Slot, type World } from './world.ts';

const slot = fc.nat(2);
/** A list of a drip, the one that people wait for, or the one that nobody does. */
const place = fc.constantFrom(0, 1, 2, 'awaited' as const, 'side' as const);
type Place = 0 | 1 | 2 | 'awaited' | 'side';

const slotAt = ({ slots }: World, at: number) => slots[at % slots.length] as Slot;
const listAt = (world: World, at: Place) =>
  typeof at === 'string' ? world[at] : (world.state.drips[at % world.state.drips.length] as Drip).list;

const joining = fc.tuple(slot, place, fc.constantFrom(true, true, false)).map(
  ([who, where, again]): Command => ({
    check: () => true,
    run: (world, real) => joinBoth(world, real, slotAt(world, who), listAt(world, where as Place), again),
    toString: () => `${who} joins ${where}${again ? ' again' : ''}`,
  }),
);

/** Something that happens to somebody who is known. */
function happening(
  name: string,
  who: number,
  run: (world: World, real: Real, person: Person) => Promise<void>,
): Command {
  return {
    check: (world) => slotAt(world, who).person !== null,
    run: (world, real) => run(world, real, slotAt(world, who).person as Person),
    toString: () => `${who} ${name}`,
  };
}

const leaving = fc.tuple(slot, place).map(([who, where]) =>
  happening(`leaves ${where}`, who, async (world, { marketing }, person) => {
    const list = listAt(world, where as Place);
    const body = { subscriber_ids: [person.id], subscription_list_ids: [list] };
    await marketing.take('POST', '/subscriptions/unsubscribe', body);
    leaveList(world.state, person, list);
  }),
);

const optingOut = slot.map((who) =>
  happening('opts out', who, async ({ state }, { marketing }, person) => {
    await marketing.take('POST', '/subscriptions/bulk_global_unsubscribe', { subscriber_ids: [person.id] });
    optOut(state, person);
  }),
);

const going = slot.map((who) =>
  happening('is deleted', who, async (world, { marketing }, person) => {
    await marketing.take('DELETE', `/subscribers/${person.id}`);
    deletePerson(world.state, person);
    slotAt(world, who).person = null;
  }),
);

const bouncing = slot.map((who) =>
  happening('bounces', who, async ({ state }, real, { email }) => {
    await real.bounce(real.customer, email);
    suppress(state, email, 'hard_bounce');
  }),
);

const suppressing = slot.map((who) =>
  happening('is suppressed', who, async ({ state }, { app, customer }, { email }) => {
    await app.request('POST', '/v1/email/suppressions', { key: customer.key, body: { address: email } });
    suppress(state, email, 'manual');
  }),
);

const unsuppressing = slot.map((who) =>
  happening('may have mail again', who, async ({ state }, { app, customer }, { email }) => {
    await app.request('DELETE', `/v1/email/suppressions?address=${email}`, { key: customer.key });
    unsuppress(state, email);
  }),
);

const telling = fc.tuple(slot, fc.constantFrom('ping', 'pong', 'won')).map(([who, event]) =>
  happening(`does ${event}`, who, async ({ state }, { marketing }, person) => {
    await marketing.take('POST', '/drip_events', { event, subscriber_id: person.id });
    tell(state, person, event);
  }),
);

const changing = fc.tuple(slot, fc.nat(2), fc.constantFrom('a', 'b', 'won')).map(([who, drip, value]) =>
  happening(`feels ${value} about ${drip}`, who, async ({ state }, { marketing }, person) => {
    const { field } = state.drips[drip % state.drips.length] as Drip;
    const subscriber = { custom_fields: [{ name: field, value }] };
    await marketing.take('PATCH', `/subscribers/${person.id}`, { subscriber });
    person.fields.set(field, value);
  }),
);

/** What people do, and what is done to them. */
export const ofPeople: fc.Arbitrary<Command>[] = [
  joining,
  joining,
  joining,
  joining,
  telling,
  telling,
  telling,
  changing,
  leaving,
];

/** What ends somebody's way, and what lets them have mail again. */
export const ofLeavers: fc.Arbitrary<Command>[] = [
  leaving,
  leaving,
  optingOut,
  going,
  bouncing,
  suppressing,
  unsuppressing,
  unsuppressing,
];
