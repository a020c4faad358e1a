import type { Clock } from '../../../platform/clock.ts';
import type { PoolClient } from '../../../platform/db/pool.ts';
import type { CustomerVault } from '../../../platform/vault/vault.ts';

/** An import under way. */
export interface Running {
  customerId: number;
  id: string;
  dryRun: boolean;
  startDrips: boolean;
  startedAt: Date;
  /** The lists that people join. */
  lists: number[];
  bytesDone: number;
}

/** What the work on a chunk stands on: the connection of its transaction, and more. */
export interface ChunkDeps {
  client: PoolClient;
  clock: Clock;
  keys: CustomerVault;
}

/** How many people of a chunk were made and changed, or would be, and how many of them are out. */
export interface Done {
  created: number;
  changed: number;
  optedOut: number;
}
