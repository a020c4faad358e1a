import { sql } from 'kysely';
import { firstIdAt } from '../../../platform/ids.ts';
import { ofEachTenant, type Period, type ReadSection } from '../section.ts';

const WEEK_MS = 7 * 24 * 3600_000;

/** What was done, by whom: counts of the audit log in the period. */
export const acts: ReadSection = async (sources) => ({
  name: 'acts',
  title: 'Acts by kind',
  about: 'How often each kind of act stands in the audit log of the period, by the kind of whoever did it.',
  columns: ['customer', 'action', 'actor_kind', 'acts', 'actors'],
  rows: await ofEachTenant(sources, async (tx, customerId) => {
    const kinds = new Map<string, { action: string; actor_kind: string; acts: number; actors: Set<string> }>();
    for (const { from, to } of weeksOf(sources.period)) {
      const { rows } = await sql<{ action: string; actor_kind: string; actor_id: string; acts: number }>`
        select action, actor_kind, actor_id, count(*)::int as acts from audit_log
        where customer_id = ${customerId} and id >= ${firstIdAt(from)} and id < ${firstIdAt(to)}
        group by 1, 2, 3`.execute(tx);
      for (const { action, actor_kind, actor_id, acts: more } of rows) {
        const name = `${action} ${actor_kind}`;
        const known = kinds.get(name) ?? { action, actor_kind, acts: 0, actors: new Set() };
        kinds.set(name, { ...known, acts: known.acts + more, actors: known.actors.add(actor_id) });
      }
    }
    const sorted = [...kinds].toSorted(([one], [other]) => (one < other ? -1 : 1));
    return sorted.map(([, kind]) => ({ ...kind, actors: kind.actors.size }));
  }),
});

/** Log-in monitoring: attempts that passed and that failed, by day. */
export const signIns: ReadSection = async (sources) => ({
  name: 'sign-ins',
  title: 'Sign-ins',
  about: 'Attempts to sign in by day. Those for addresses that nobody has are counted for the installation.',
  columns: ['customer', 'day', 'passed', 'failed'],
  rows: await ofEachTenant(sources, async (tx, customerId) => {
    const days: { day: string; passed: number; failed: number }[] = [];
    for (const { from, to } of weeksOf(sources.period)) {
      const { rows } = await sql<{ day: string; passed: number; failed: number }>`
        select to_char(at at time zone 'utc', 'YYYY-MM-DD') as day,
          (count(*) filter (where action = 'sign-in.passed'))::int as passed,
          (count(*) filter (where action = 'sign-in.failed'))::int as failed
        from audit_log where customer_id = ${customerId} and action in ('sign-in.passed', 'sign-in.failed')
          and id >= ${firstIdAt(from)} and id < ${firstIdAt(to)}
        group by 1 order by 1`.execute(tx);
      days.push(...rows);
    }
    return days;
  }),
});

/** A period in pieces from midnight to midnight, so that no statement runs for long. */
function* weeksOf({ from, to }: Period): Generator<Period> {
  for (let begin = from.getTime(); begin < to.getTime(); begin += WEEK_MS) {
    yield { from: new Date(begin), to: new Date(Math.min(begin + WEEK_MS, to.getTime())) };
  }
}
