import { sql } from 'kysely';
import { domainOf, STOPS_MAILINGS, suppressedAmong, type WarmUp } from '../../../email/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/db/database.ts';
import type { CustomerVault } from '../../../platform/vault/vault.ts';
import { zoneOr } from '../../local-time.ts';
import { leftOut } from './decide.ts';
import { type LeasedPerson, leasePeople } from './lease.ts';
import { allowance, paceAfter, slots } from './pace.ts';
import type { Send } from './send.ts';
import type { Settlement } from './settle.ts';
import { nextOpening } from './window.ts';
import '../../tables.ts';

const BATCH = 64;

/** People who are to be written to now, and what is already settled about the others that were due. */
export interface Batch {
  people: (LeasedPerson & { email: string })[];
  settled: Settlement[];
}

/** Takes the next people of a send, held to its pace, its hours and what each of them has agreed to. */
export async function leaseBatch(
  tx: Tx,
  { keys, clock, warmUp }: { keys: CustomerVault; clock: Clock; warmUp: WarmUp | null },
  send: Send,
): Promise<Batch> {
  const now = clock.now();
  if (!(await isUnderWay(tx, send))) return { people: [], settled: [] };
  const { per_second: perSecond } = send;
  const most = perSecond === null ? BATCH : Math.min(BATCH, allowance(now, perSecond, send.paced_until));
  if (most === 0) return { people: [], settled: [] };
  const leased = await leasePeople(tx, clock, send, most);
  const settled: Settlement[] = [];
  const within = leased.filter((person) => {
    const opens =
      send.send_window === null
        ? now
        : nextOpening(send.send_window, zoneOr(person.time_zone, send.send_window.time_zone), now);
    if (opens > now) settled.push({ person, putOffUntil: opens, paced: false });
    return opens <= now;
  });
  const addresses = within.flatMap(({ email }) => email ?? []);
  const suppressed = await suppressedAmong(tx, keys, send.customer_id, addresses, STOPS_MAILINGS);
  const wanted = within.filter((person) => {
    const reason = leftOut(send, person, suppressed);
    if (reason !== null) settled.push({ person, leftOut: reason });
    return reason === null;
  }) as Batch['people'];
  const turns = send.per_domain_per_minute === null ? wanted : await inTurn(tx, send, now, wanted, settled);
  const people = warmUp === null ? turns : await admitted(tx, warmUp, send, turns, settled);
  if (perSecond !== null) await keepPace(tx, send, paceAfter(now, perSecond, send.paced_until, people.length));
  return { people, settled };
}

/**
 * Whether a send has not been paused or cancelled since it was looked at; until commit it cannot be. All who work on one
 * with a pace take turns, and know how far it has got: who shared its lock first would wait for the others who do.
 */
async function isUnderWay(tx: Tx, send: Send): Promise<boolean> {
  const lock = send.per_second === null ? sql`for share` : sql`for update`;
  const { rows } = await sql<{ paced_until: Date | null }>`
    select paced_until from campaign_mailing_sends where id = ${send.id} and state = 'sending' ${lock}`.execute(tx);
  send.paced_until = rows[0]?.paced_until ?? null;
  return rows.length > 0;
}

async function keepPace(tx: Tx, { id }: Send, until: Date): Promise<void> {
  await sql`update campaign_mailing_sends set paced_until = ${until} where id = ${id}`.execute(tx);
}

/** Of people at one domain as many as its pace allows; the others get a later turn. */
async function inTurn(
  tx: Tx,
  send: Send,
  now: Date,
  people: Batch['people'],
  settled: Settlement[],
): Promise<Batch['people']> {
  const going = people.filter(({ paced }) => paced === true);
  const byDomain = Map.groupBy(
    people.filter(({ paced }) => paced !== true),
    ({ domain }) => domain,
  );
  for (const domain of [...byDomain.keys()].toSorted()) {
    const group = byDomain.get(domain) as Batch['people'];
    const { rows } = await sql<{ next_at: Date }>`
      insert into domain_paces (send_id, domain, customer_id, next_at)
      values (${send.id}, ${domain}, ${send.customer_id}, ${now})
      on conflict (send_id, domain) do update set next_at = domain_paces.next_at returning next_at`.execute(tx);
    const { at, next } = slots(now, send.per_domain_per_minute as number, rows[0]?.next_at ?? null, group.length);
    await sql`update domain_paces set next_at = ${next} where send_id = ${send.id} and domain = ${domain}`.execute(tx);
    group.forEach((person, index) => {
      const turn = at[index] as Date;
      if (turn <= now) going.push(person);
      else settled.push({ person, putOffUntil: turn, paced: true });
    });
  }
  return going;
}

/** Of those who are written to for the first time as many as a new domain may send today; the others wait for tomorrow. */
async function admitted(
  tx: Tx,
  warmUp: WarmUp,
  { customer_id: customerId, sender_email: from }: Send,
  people: Batch['people'],
  settled: Settlement[],
): Promise<Batch['people']> {
  const first = people.filter(({ attempts }) => attempts === 1);
  if (first.length === 0) return people;
  const room = await warmUp.room(tx, customerId, domainOf(from), first.length);
  const waiting = new Set(first.slice(room));
  for (const person of waiting) settled.push({ person, putOffUntil: warmUp.tomorrow(), paced: false });
  return people.filter((person) => !waiting.has(person));
}
