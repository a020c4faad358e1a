import { type ActorRef, type Tally, tallyKey } from './tally.ts';

/** Fewer reads than this are never unusual. */
const FEWEST_READS = 50;
/** How many times its own past somebody reads before it is unusual. */
const UNUSUAL = 3;
/** Whoever has done less has no usual hours yet. */
const SETTLED_READS = 20;

export const FINDING_KINDS = [
  'reads_volume',
  'reads_odd_hours',
  'reads_many_records',
  'exports',
  'sign_in_failures',
  'keys_and_roles',
  'break_glass',
  'vault',
  'deletions',
] as const;

/** Something in a period that whoever reviews should look at. */
export interface Finding {
  kind: (typeof FINDING_KINDS)[number];
  actor: ActorRef;
  count: number;
  /** The same in the period before, where that is what makes it unusual. */
  past: number | null;
  /** The one action that it is about; null where there are several. */
  action: string | null;
}

const SHOWN_ALWAYS = {
  export: 'exports',
  sign_in_failure: 'sign_in_failures',
  keys_and_roles: 'keys_and_roles',
  break_glass: 'break_glass',
  vault: 'vault',
  deletion: 'deletions',
} as const;

/** What is to be looked at in a period, held against the one before. */
export function findUnusual(now: Map<string, Tally>, past: Map<string, Tally>): Finding[] {
  const found = [...now.values()].flatMap((tally) => {
    const before = past.get(tallyKey(tally.actor, tally.kind));
    return tally.kind === 'read' ? unusualReads(tally, before) : [told(SHOWN_ALWAYS[tally.kind], tally, tally.count)];
  });
  const order = (finding: Finding) => FINDING_KINDS.indexOf(finding.kind);
  return found.toSorted((one, other) => order(one) - order(other) || other.count - one.count);
}

function unusualReads(tally: Tally, before: Tally | undefined): Finding[] {
  const found: Finding[] = [];
  const past = before?.count ?? 0;
  if (tally.count >= Math.max(FEWEST_READS, UNUSUAL * past)) found.push(told('reads_volume', tally, tally.count, past));
  const mostBefore = before?.mostInADay ?? 0;
  if (tally.mostInADay >= Math.max(FEWEST_READS, UNUSUAL * mostBefore))
    found.push(told('reads_many_records', tally, tally.mostInADay, mostBefore));
  const odd = before === undefined || past < SETTLED_READS ? 0 : readsAtOddHours(tally, before);
  if (odd > 0) found.push(told('reads_odd_hours', tally, odd, 0));
  return found;
}

/** Reads in hours of the day in which, and beside which, nothing was read before. */
function readsAtOddHours({ hours }: Tally, before: Tally): number {
  const usual = (hour: number) => [hour + 23, hour, hour + 1].some((each) => (before.hours[each % 24] ?? 0) > 0);
  return hours.reduce((sum, count, hour) => (usual(hour) ? sum : sum + count), 0);
}

function told(kind: Finding['kind'], { actor, actions }: Tally, count: number, past: number | null = null): Finding {
  const [action, ...others] = Object.keys(actions);
  return { kind, actor, count, past, action: others.length === 0 ? (action ?? null) : null };
}
