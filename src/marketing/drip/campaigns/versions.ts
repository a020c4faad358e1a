import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import type { Drip } from './drip.ts';
import type { Version } from './version.ts';
import '../tables.ts';

/** A version as lists show it. */
export interface ListedVersion extends Pick<Version, 'version' | 'created_at'> {
  /** How many are on their way by it. */
  waiting: number;
}

/** The versions of a drip, the newest first. */
export async function listVersions(tx: Tx, { id, customer_id: customerId }: Drip): Promise<ListedVersion[]> {
  const { rows } = await sql<ListedVersion>`
    select v.version, v.created_at, coalesce((select sum(c.waiting)::bigint from drip_step_counts c
        where c.customer_id = v.customer_id and c.drip_id = v.drip_id and c.version = v.version), 0) as waiting
    from drip_versions v where v.customer_id = ${customerId} and v.drip_id = ${id}
    order by v.version desc`.execute(tx);
  return rows;
}

/** The steps that mail an older version of their mailing than there is by now. */
export async function outdatedSteps(tx: Tx, customerId: number, { graph, bound }: Version): Promise<string[]> {
  const steps = graph.nodes.filter((node) => node.type === 'email');
  if (steps.length === 0) return [];
  const mailings = await tx
    .selectFrom('campaign_mailings')
    .select(['id', 'version'])
    .where('customer_id', '=', customerId)
    .where('id', 'in', [...new Set(steps.map((step) => Number(step.campaign_mailing_id)))])
    .execute();
  const newest = new Map(mailings.map(({ id, version }) => [String(id), version]));
  return steps
    .filter((step) => (newest.get(step.campaign_mailing_id) ?? 0) > (bound[step.id]?.mailing_version ?? 0))
    .map(({ id }) => id);
}
