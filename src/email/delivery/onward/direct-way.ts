import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { Log } from '../../../platform/log.ts';
import type { Dns } from '../../../platform/net/dns/dns.ts';
import type { FetchText } from '../../../platform/net/fetch-text.ts';
import { createWarmUp } from '../../domains/warm-up.ts';
import type { Patience } from '../dialogue/connect.ts';
import type { Way } from '../engine.ts';
import type { MayReach } from '../route/may-reach.ts';
import { createSites } from '../sites/sites.ts';
import { createStsPolicies } from '../tls/sts-policies.ts';
import { createTlsMemory } from '../tls/tls-memory.ts';
import { createFindDirect, type Meeting } from './direct-destination.ts';

export interface DirectWayDeps {
  /** The database as the worker role. */
  db: Database;
  clock: Clock;
  log: Log;
  dns: Dns;
  fetchText: FetchText;
  mayReach: MayReach;
  port: number;
  heloName: string;
  authorities: string | undefined;
  patience: Patience;
  random(): number;
  onMeeting(meeting: Meeting): void;
}

/** Builds the way to the mail servers of the world. */
export function createDirectWay(deps: DirectWayDeps): Way {
  const sites = createSites(deps);
  const memory = createTlsMemory(deps);
  const policies = createStsPolicies(deps);
  return {
    find: createFindDirect({ ...deps, sites, memory, policies }),
    onVerified: (domain) =>
      void memory.remember(domain).catch((error: unknown) => deps.log.warn({ err: error }, 'memory of TLS')),
    fullness: sites,
    warmUp: createWarmUp(deps),
    halt: (reason) => sites.halt(reason),
    close: () => sites.close(),
  };
}
