import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { missingField } from '../../../platform/errors.ts';
import type { Filters } from '../../segments/filters/filters.ts';
import type { Graph } from '../graph/graph.ts';
import { sameGraph } from '../graph/make-graph.ts';
import type { Drip } from './drip.ts';
import '../tables.ts';

/** What a step named when it was saved, so that it means the same to everybody who goes by it. */
export interface Bound {
  /** The version of the mailing of a step that mails. */
  mailing_version?: number;
  /** Whom the rule of a branch fits. */
  filters?: Filters;
  /** The number of the custom field that a step sets, whatever it is called by then. */
  field?: number;
}

/** The steps of a drip as they were saved once. */
export interface Version {
  version: number;
  graph: Graph;
  /** By step. */
  bound: Record<string, Bound>;
  created_at: Date;
}

/** The versions of a drip. */
export function selectVersions(tx: Tx, customerId: number, dripId: number) {
  return tx
    .selectFrom('drip_versions')
    .select(['version', 'graph', 'bound', 'created_at'])
    .where('customer_id', '=', customerId)
    .where('drip_id', '=', dripId)
    .$castTo<Version>();
}

/** One version of a drip: 404 where it has none of this number. */
export async function findVersion(
  tx: Tx,
  { id, customer_id: customerId }: Pick<Drip, 'id' | 'customer_id'>,
  number: number,
  name = 'version',
): Promise<Version> {
  const found = await selectVersions(tx, customerId, id).where('version', '=', number).executeTakeFirst();
  if (found === undefined) throw missingField(name, 'there is none with this number');
  return found;
}

/** What a version is made of. */
export type Steps = Pick<Version, 'graph' | 'bound'>;

/** Whether people would be led in the same way. */
export function sameSteps(one: Steps, other: Steps): boolean {
  return sameGraph(one.graph, other.graph) && isDeepStrictEqual(one.bound, other.bound);
}

/** Writes down the steps of a drip under a number of their own. */
export async function addVersion(
  tx: Tx,
  clock: Clock,
  { id, customer_id: customerId }: Pick<Drip, 'id' | 'customer_id'>,
  version: number,
  { graph, bound }: Steps,
): Promise<void> {
  await tx
    .insertInto('drip_versions')
    .values({
      drip_id: id,
      version,
      customer_id: customerId,
      graph: JSON.stringify(graph),
      bound: JSON.stringify(bound),
      created_at: clock.now(),
    })
    .execute();
}
