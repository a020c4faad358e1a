import type { Tx } from '../../../platform/db/database.ts';
import type { Filters } from '../../segments/filters/filters.ts';
import { selectVersions } from '../campaigns/version.ts';
import type { Node } from '../graph/graph.ts';
import { stepsInLoops } from '../graph/loops.ts';
import '../../tables.ts';

const MOST = 1_000;

/** A version of a drip with all that its steps need. */
export interface LoadedVersion {
  version: number;
  first: string | null;
  nodes: ReadonlyMap<string, Node>;
  /** Steps that somebody may come to more than once. */
  loops: ReadonlySet<string>;
  sendOf(step: string): { sendId: number; mailingId: number };
  filtersOf(step: string): Filters | null;
  fieldOf(step: string): number | null;
}

interface Whose {
  customerId: number;
  dripId: number;
}

export interface Versions {
  of(tx: Tx, whose: Whose, version: number): Promise<LoadedVersion>;
}

/** Keeps versions that people go by: they never change. */
export function createVersions(): Versions {
  const loaded = new Map<string, LoadedVersion>();
  return {
    async of(tx, whose, version) {
      const key = `${whose.dripId}/${version}`;
      const known = loaded.get(key) ?? (await loadVersion(tx, whose, version));
      loaded.delete(key);
      loaded.set(key, known); // the last used last, so that the first is the one to forget
      if (loaded.size > MOST) loaded.delete(loaded.keys().next().value as string);
      return known;
    },
  };
}

async function loadVersion(tx: Tx, { customerId, dripId }: Whose, number: number): Promise<LoadedVersion> {
  const { graph, bound } = await selectVersions(tx, customerId, dripId)
    .where('version', '=', number)
    .executeTakeFirstOrThrow();
  const rows = await tx
    .selectFrom('campaign_mailing_sends')
    .select(['id', 'mailing_id', 'drip_step'])
    .where('customer_id', '=', customerId)
    .where('drip_id', '=', dripId)
    .where('drip_version', '=', number)
    .execute();
  const sends = new Map(rows.map((row) => [row.drip_step, { sendId: row.id, mailingId: row.mailing_id }]));
  return {
    version: number,
    first: graph.first,
    nodes: new Map(graph.nodes.map((node) => [node.id, node])),
    loops: stepsInLoops(graph),
    sendOf(step) {
      const send = sends.get(step);
      if (send === undefined) throw new Error(`no send for a step of drip ${dripId}`);
      return send;
    },
    filtersOf: (step) => bound[step]?.filters ?? null,
    fieldOf: (step) => bound[step]?.field ?? null,
  };
}
