import { hostname } from 'node:os';
import type { Clock } from './clock.ts';
import type { Database, Tx } from './db/database.ts';
import { unguessableId } from './ids.ts';

declare module './db/tables.ts' {
  interface Tables {
    nodes: { id: string; host: string; roles: string[]; version: string; started_at: Date; seen_at: Date };
  }
}

/** How often a node says that it is there. */
export const NODE_BEAT_MS = 10_000;
/** One that missed three beats is away. */
const AWAY_MS = 3 * NODE_BEAT_MS;
/** One that was not heard of for so long is taken off the list. */
const FORGOTTEN_MS = 24 * 3600_000;

/** A process of the product. */
export interface Node {
  id: string;
  host: string;
  roles: string[];
  version: string;
  startedAt: Date;
  seenAt: Date;
}

/** This process, as the others see it. */
export interface OwnNode {
  /** Says that it is there; called every `NODE_BEAT_MS`. */
  beat(): Promise<void>;
  /** Takes it off the list. */
  leave(): Promise<void>;
}

/** Lets the other processes know of this one. */
export function createNode(
  { db, clock }: { db: Database; clock: Clock },
  { roles, version }: { roles: Iterable<string>; version: string },
): OwnNode {
  const id = unguessableId();
  const startedAt = clock.now();
  const told = { host: hostname(), roles: [...roles].toSorted(), version, started_at: startedAt };
  return {
    beat: () =>
      db.untenanted(async (tx) => {
        const seenAt = clock.now();
        await tx
          .insertInto('nodes')
          .values({ id, ...told, seen_at: seenAt })
          .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at: seenAt }))
          .execute();
        await tx
          .deleteFrom('nodes')
          .where('seen_at', '<', new Date(seenAt.getTime() - FORGOTTEN_MS))
          .execute();
      }),
    // Where the database is away, the others miss the next beat instead.
    leave: () =>
      db
        .untenanted(async (tx) => void (await tx.deleteFrom('nodes').where('id', '=', id).execute()))
        .catch(() => undefined),
  };
}

/** Whether a process is there, by when it last said so. */
export function isHeard({ seenAt }: Pick<Node, 'seenAt'>, now: Date): boolean {
  return now.getTime() - seenAt.getTime() <= AWAY_MS;
}

/** Every process that is on the list, the newest first. */
export async function listNodes(tx: Tx): Promise<Node[]> {
  const rows = await tx.selectFrom('nodes').selectAll().orderBy('started_at', 'desc').orderBy('id').execute();
  return rows.map(({ id, host, roles, version, started_at, seen_at }) => ({
    id,
    host,
    roles,
    version,
    startedAt: started_at,
    seenAt: seen_at,
  }));
}
