import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import type { Drip } from '../campaigns/drip.ts';
import type { Leaving } from '../engine/traveller.ts';
import type { NodeType } from '../graph/graph.ts';
import '../../tables.ts';

/** What is counted of each step: people, and the mails that it meant. */
export const STEP_COUNT_NAMES = [
  'waiting',
  'passed',
  'exited',
  'sent',
  'delivered',
  'opened',
  'clicked',
  'bounced',
  'soft_bounced',
  'hard_bounced',
  'unsubscribed',
] as const;
export type StepCounts = Record<(typeof STEP_COUNT_NAMES)[number], number>;

/** A step with what it counts. */
export interface StepStatistics extends StepCounts {
  step: string;
  type: NodeType;
}

export const PEOPLE_COUNT_NAMES = ['subscriber_count', 'subscriber_completed_count', 'active', 'exited'] as const;
export type PeopleCounts = Record<(typeof PEOPLE_COUNT_NAMES)[number], number>;

/** What has become of the people of a drip, or of those who go by one of its versions. */
export interface DripStatistics {
  people: PeopleCounts;
  byReason: Record<string, number>;
  steps: StepStatistics[];
}

/** Counts of a drip, over all its versions where none is named. */
export async function readStatistics(tx: Tx, drip: Drip, version: number | null): Promise<DripStatistics> {
  return {
    people: await countPeople(tx, drip, version),
    byReason: await countReasons(tx, drip, version),
    steps: await countSteps(tx, drip, version),
  };
}

/** How many people ever entered is kept of the whole drip only; those of one version are counted. */
async function countPeople(
  tx: Tx,
  { id, customer_id: customerId }: Drip,
  version: number | null,
): Promise<PeopleCounts> {
  const ever =
    version === null
      ? sql`select coalesce(sum(people), 0)::bigint as subscriber_count,
          coalesce(sum(completed), 0)::bigint as subscriber_completed_count
          from drip_counts where customer_id = ${customerId} and drip_id = ${id}`
      : sql`select count(distinct subscriber_id) as subscriber_count,
          count(distinct subscriber_id) filter (where state = 'completed') as subscriber_completed_count
          from drip_enrolments where customer_id = ${customerId} and drip_id = ${id} and version = ${version}`;
  const { rows } = await sql<PeopleCounts>`
    select ever.*, now.* from (${ever}) ever, (
      select coalesce(sum(waiting), 0)::bigint as active, coalesce(sum(exited), 0)::bigint as exited
      from drip_step_counts
      where customer_id = ${customerId} and drip_id = ${id} and ${ofVersion(sql`version`, version)}) now`.execute(tx);
  return rows[0] as PeopleCounts;
}

async function countReasons(tx: Tx, { id, customer_id: customerId }: Drip, version: number | null) {
  const { rows } = await sql<{ reason: Leaving; people: number }>`
    select reason, count(*) as people from drip_enrolments
    where customer_id = ${customerId} and drip_id = ${id} and state = 'exited' and ${ofVersion(sql`version`, version)}
    group by reason order by reason`.execute(tx);
  return Object.fromEntries(rows.map(({ reason, people }) => [reason, people]));
}

/** The steps as they were written; after those that newcomers get, the ones of other versions that anybody came to. */
async function countSteps(tx: Tx, drip: Drip, version: number | null): Promise<StepStatistics[]> {
  const { id, customer_id: customerId } = drip;
  const shown = version ?? drip.live_version ?? drip.version;
  const { rows } = await sql<StepStatistics>`
    with places as (
      select step, sum(waiting)::bigint as waiting, sum(passed)::bigint as passed, sum(exited)::bigint as exited
      from drip_step_counts
      where customer_id = ${customerId} and drip_id = ${id} and ${ofVersion(sql`version`, version)} group by step
    ), mails as (
      select s.drip_step as step, sum(c.sent + c.delivered + c.soft_bounced + c.hard_bounced)::bigint as sent,
        sum(c.delivered)::bigint as delivered, sum(c.opened)::bigint as opened, sum(c.clicked)::bigint as clicked,
        sum(c.soft_bounced + c.hard_bounced)::bigint as bounced, sum(c.soft_bounced)::bigint as soft_bounced,
        sum(c.hard_bounced)::bigint as hard_bounced, sum(c.unsubscribed)::bigint as unsubscribed
      from campaign_mailing_sends s join send_counts c on c.customer_id = s.customer_id and c.send_id = s.id
      where s.customer_id = ${customerId} and s.drip_id = ${id} and ${ofVersion(sql`s.drip_version`, version)}
      group by s.drip_step
    ), steps as (
      select distinct on (n.node->>'id') n.node->>'id' as step, n.node->>'type' as type, v.version, n.position
      from drip_versions v cross join lateral jsonb_array_elements(v.graph->'nodes') with ordinality n (node, position)
      where v.customer_id = ${customerId} and v.drip_id = ${id}
        and (v.version = ${shown} or n.node->>'id' in (select step from places))
      order by n.node->>'id', v.version = ${shown} desc, v.version desc
    )
    select step, type, ${sql.join(STEP_COUNT_NAMES.map(orNone))}
    from steps left join places using (step) left join mails using (step)
    order by version = ${shown} desc, version desc, position`.execute(tx);
  return rows;
}

function ofVersion(column: RawBuilder<unknown>, version: number | null): RawBuilder<boolean> {
  return version === null ? sql`true` : sql`${column} = ${version}`;
}

function orNone(name: string): RawBuilder<unknown> {
  return sql`coalesce(${sql.ref(name)}, 0) as ${sql.ref(name)}`;
}
