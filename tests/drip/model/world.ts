import * as fc from 'fast-check';
import { addMailing } from '../../mailings/mailing.ts';
import { cook, type Named, type Recipe, recipe } from './graphs.ts';
import { addPerson, join } from './people.ts';
import type { Real } from './real.ts';
import type { Drip, Person, State } from './state.ts';
import { start } from './steering.ts';

/** One of the few people that there are; whoever was deleted may come again as somebody else. */
export interface Slot {
  email: string;
  zone: string | null;
  person: Person | null;
}

/** The model, and what it is about. */
export interface World {
  state: State;
  slots: Slot[];
  /** A list that nobody waits for, and one that people wait for. */
  side: string;
  awaited: string;
  mailing: string;
}

/** How a world begins. */
export interface Plan {
  at: string;
  zones: (string | null)[];
  drips: (Pick<Drip, 'trigger' | 'reentry' | 'zone' | 'goal'> & {
    steps: Recipe[];
    starts: boolean;
    existing: boolean;
  })[];
  /** Who is on which list to begin with. */
  onLists: number;
}

const ZONES = ['UTC', 'America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Kathmandu'];

/** Days on which clocks are about to be put forward or back, and one on which they are not. */
const DAYS = ['2026-10-23T11:00:00Z', '2026-10-31T02:20:10Z', '2027-03-12T23:00:00Z', '2027-01-29T12:00:00.500Z'];

const planned: fc.Arbitrary<Plan> = fc.record({
  at: fc.constantFrom(...DAYS),
  zones: fc.array(fc.constantFrom(null, ...ZONES), { minLength: 2, maxLength: 3 }),
  drips: fc.array(
    fc.record({
      trigger: fc.constantFrom('subscription_created', 'subscription_created', 'manual'),
      reentry: fc.constantFrom('never', 'after_leaving', 'always'),
      zone: fc.constantFrom(...ZONES),
      goal: fc.constantFrom(null, null, 'event', 'field'),
      steps: recipe,
      starts: fc.constantFrom(true, true, true, false),
      existing: fc.constantFrom(true, true, false),
    }),
    { minLength: 1, maxLength: 3, size: 'max' },
  ),
  onLists: fc.constantFrom(0b111_111_111, 0b111_111_111, 0b110_101_011, 0b011_010_100),
});

/** As large as it may be from the first on: in small worlds little happens. */
export const plan = fc.noBias(planned);

/** Makes a world in the product and in the model. */
export async function beginWorld(real: Real, { at, zones, drips, onLists }: Plan): Promise<World> {
  const { clock, marketing, app, customer } = real;
  clock.advance(Date.parse(at) - clock.now().getTime());
  const state: State = { now: Date.parse(at), people: [], suppressed: new Map(), drips: [], facts: [] };
  for (const [index, { trigger, reentry, zone, goal }] of drips.entries()) {
    const list = await marketing.addList(`Of drip ${index}`);
    await marketing.take('POST', '/subscriber_custom_field_types', { name: `mood${index}`, class: 'none' });
    const empty = { versions: [], live: 0, trial: null, enrolments: [], passed: new Map(), buckets: new Map() };
    const drip = { id: '', list, trigger, reentry, zone, goal, field: `mood${index}`, pausedAt: 0, hasToSettle: false };
    state.drips.push({ ...drip, ...empty, state: 'draft' });
  }
  await marketing.take('POST', '/subscriber_custom_field_types', { name: 'note', class: 'none' });
  const world: World = {
    state,
    slots: zones.map((zone, index) => ({ email: `p${index}@example.com`, zone, person: null })),
    side: await marketing.addList('Side'),
    awaited: await marketing.addList('Awaited'),
    mailing: await addMailing(app, customer),
  };
  for (const [index, slot] of world.slots.entries()) {
    for (const [number, drip] of state.drips.entries()) {
      if ((onLists >> (index * 3 + number)) & 1) await joinBoth(world, real, slot, drip.list, false);
    }
  }
  for (const [index, { steps, starts, existing }] of drips.entries()) {
    const drip = state.drips[index] as Drip;
    const graph = cook(steps, namedBy(world, drip));
    const { data } = await marketing.take('POST', '/drip_campaigns', {
      drip_campaign: {
        name: `Drip ${index}`,
        subscription_list_id: drip.list,
        start_trigger: drip.trigger,
        reentry: drip.reentry,
        time_zone: drip.zone,
        goal: goalOf(drip),
        drip_campaign_nodes: JSON.stringify(graph.nodes),
      },
    });
    Object.assign(drip, { id: data.id, versions: [graph] });
    if (starts) await startBoth(world, real, drip, existing);
  }
  return world;
}

function goalOf({ goal, field }: Drip): object | null {
  if (goal === null) return null;
  return goal === 'event' ? { event: 'custom', name: 'won' } : { field, op: 'is', terms: ['won'] };
}

/** What the steps of a drip may name. */
export function namedBy({ state, side, awaited, mailing }: World, drip: Drip): Named {
  const { list: own, field, reentry } = drip;
  const other = state.drips[(state.drips.indexOf(drip) + 1) % state.drips.length] as Drip;
  const chained = other === drip ? side : other.list;
  return { mailing, own, other: chained, side, awaited, field, crowded: reentry === 'always' };
}

/** Somebody joins a list; whoever is not known comes to be. */
export async function joinBoth(
  { state }: World,
  { marketing }: Real,
  slot: Slot,
  list: string,
  again: boolean,
): Promise<void> {
  const { email, zone, person } = slot;
  if (person !== null && again) {
    const subscription = { subscription_list_id: list, subscriber_id: person.id };
    await marketing.take('POST', '/subscriptions', { subscription });
    return join(state, person, list, true);
  }
  const id = await marketing.addPerson(email, zone === null ? {} : { time_zone: zone }, list);
  slot.person = person ?? addPerson(state, { id, email, zone });
  join(state, slot.person, list, false);
}

export async function startBoth({ state }: World, real: Real, drip: Drip, existing: boolean): Promise<void> {
  const body = { enroll_existing: existing };
  const { data } = await real.marketing.take('POST', `/drip_campaigns/${drip.id}/start`, body);
  for (const jid of data.jids) await real.work(real.customer, jid);
  start(state, drip, existing);
}

/** Lets time pass, or clocks be put back. */
export function pass({ state }: World, { clock }: Real, ms: number): void {
  clock.advance(ms);
  state.now += ms;
}
