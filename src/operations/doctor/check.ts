import type { Config } from '../../config.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Client } from '../../platform/db/pool.ts';
import type { Log } from '../../platform/log.ts';

export type State = 'ok' | 'warning' | 'failed';

/** What a check found and, where that is not as it should be, what to do. */
export interface Verdict {
  state: State;
  found: string;
  todo: string | null;
}

/** What every check may look at. */
export interface Bench {
  config: Config;
  clock: Clock;
  log: Log;
}

/** The database as its owner, for checks that look into it. */
export interface DatabaseBench extends Bench {
  ownerUrl: string;
  client: Client;
}

/** Looks at one thing. It may find several. */
export type Check = { name: string } & (
  | { needs: 'nothing'; look(bench: Bench): Promise<Verdict[]> }
  | { needs: 'database'; look(bench: DatabaseBench): Promise<Verdict[]> }
);

/** What a check found, with its name. */
export interface Finding extends Verdict {
  check: string;
}

export const ok = (found: string): Verdict => ({ state: 'ok', found, todo: null });
export const warning = (found: string, todo: string): Verdict => ({ state: 'warning', found, todo });
export const failed = (found: string, todo: string): Verdict => ({ state: 'failed', found, todo });
