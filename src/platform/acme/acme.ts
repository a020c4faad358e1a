import type { Clock } from '../clock.ts';
import type { Database } from '../db/database.ts';
import type { Log } from '../log.ts';
import type { Found } from '../net/live-certificate.ts';
import type { Resolve } from '../net/resolve-addresses.ts';
import { type Certificate, createSelfSigned } from '../net/self-signed.ts';
import type { CustomerVault } from '../vault/vault.ts';
import { createChallenges } from './challenges.ts';
import { readIssued } from './issued.ts';
import { renewWhenDue } from './renew.ts';
import { createSender } from './send.ts';
import { type ChallengeServer, serveChallenges } from './serve-challenges.ts';

interface Options {
  db: Database;
  /** The installation's own keys. */
  keys(): Promise<CustomerVault>;
  clock: Clock;
  log: Log;
  resolve: Resolve;
  /** Authorities in PEM that are trusted besides the system's. */
  authorities?: string;
  email: string;
  directory: string;
  httpPort: number;
  names: readonly string[];
}

/** The certificate that an authority issues for the names of this installation, shared by all nodes. */
export interface Acme {
  /** What was issued; until then one that is signed by itself. */
  load(): Promise<Found>;
  /** Has one issued where it is due and no other node is at it. */
  renew(): Promise<void>;
  /** Answers the authority at an address of this machine. */
  listen(host: string): Promise<ChallengeServer>;
  /** Breaks off what is under way; another node or the next start takes it on. */
  stop(): Promise<void>;
}

export function createAcme(options: Options): Acme {
  const { clock, names, email, directory } = options;
  const stopping = new AbortController();
  const challenges = createChallenges(options);
  const send = createSender({ ...options, stopping: stopping.signal });
  const wanted = { directory, names };
  const [first = 'carepost.internal'] = names;
  let stopgap: Promise<Certificate> | undefined;
  const loadStopgap = async () => ({ ...(await (stopgap ??= createSelfSigned(first, clock.now()))), isStopgap: true });
  return {
    load: async () => (await readIssued(options, wanted)) ?? (await loadStopgap()),
    renew: () => renewWhenDue({ ...options, send, challenges, stopping: stopping.signal }, wanted, email),
    listen: (host) => serveChallenges(challenges, { host, port: options.httpPort }),
    stop: async () => stopping.abort(),
  };
}
