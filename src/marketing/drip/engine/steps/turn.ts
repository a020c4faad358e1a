import type { Clock } from '../../../../platform/clock.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import type { CustomerVault } from '../../../../platform/vault/vault.ts';
import type { Drip } from '../../campaigns/drip.ts';
import type { LoadedVersion } from '../load-version.ts';
import type { Leaving, Walker } from '../traveller.ts';

/** What people go by who take a step together. */
export interface Leg {
  tx: Tx;
  keys: CustomerVault;
  clock: Clock;
  drip: Drip;
  version: LoadedVersion;
}

/** A mail that a step means somebody to get. `rule` says why they do not. */
export interface Mail {
  sendId: number;
  mailingId: number;
  domain: string;
  rule: string | null;
}

/** What comes of a step for one person: they go on, wait, or leave. */
export type Turn = { outcome?: string; mail?: Mail; calls?: boolean } & (
  | { to: string | null; at?: Date }
  | { rest: Date | null }
  | { leave: Leaving }
);

/** Lets people take a step together, and answers what comes of it for each, in their order. */
export type TakeStep<Node> = (leg: Leg, node: Node, walkers: Walker[]) => Turn[] | Promise<Turn[]>;
