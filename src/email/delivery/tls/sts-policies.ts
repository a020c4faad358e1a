import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
import { createExpiringMap } from '../../../platform/expiring-map.ts';
import type { Log } from '../../../platform/log.ts';
import { DialFailed } from '../../../platform/net/dial-failed.ts';
import type { Dns } from '../../../platform/net/dns/dns.ts';
import { DnsFailed } from '../../../platform/net/dns/dns-failed.ts';
import type { FetchText } from '../../../platform/net/fetch-text.ts';
import { parseStsPolicy, parseStsRecord, type StsPolicy } from './mta-sts.ts';
import { expiryOf, loadPolicy, type StoredPolicy, storePolicy } from './stored-policies.ts';

export interface StsPolicies {
  /**
   * The policy that holds for a domain now (in A-labels), or null. Throws where the database cannot be read: nobody
   * knows then what the domain has asked for, and nothing may go there.
   */
  of(domain: string): Promise<StsPolicy | null>;
}

interface Needs {
  db: Database;
  dns: Dns;
  fetchText: FetchText;
  clock: Clock;
  log: Log;
}

const CHECKED_AGAIN_MS = 5 * 60 * 1000;
const REFRESHED_AFTER_MS = 24 * 3600 * 1000;
/** In characters, about: anybody may have a policy of 64 KB. */
const MOST_KEPT = 8 * 2 ** 20;
const BESIDE_A_NAME = 50;
const BESIDE_THEM = 200;

/** Finds policies (RFC 8461 3) and keeps them until they expire; no failure to find one again lowers what is known. */
export function createStsPolicies(needs: Needs): StsPolicies {
  const { clock } = needs;
  const kept = createExpiringMap(clock, MOST_KEPT, sizeOf);
  const underWay = new Map<string, Promise<StoredPolicy | null>>();

  async function check(domain: string): Promise<StoredPolicy | null> {
    const stored = await loadPolicy(needs.db, domain);
    const sinceCheck = stored === null ? Infinity : clock.now().getTime() - stored.checkedAt.getTime();
    if (sinceCheck < CHECKED_AGAIN_MS) {
      kept.set(domain, { policy: stored }, CHECKED_AGAIN_MS - sinceCheck);
      return stored;
    }
    const policy = await refresh(needs, domain, stored);
    kept.set(domain, { policy }, CHECKED_AGAIN_MS);
    return policy;
  }

  function checkOnce(domain: string): Promise<StoredPolicy | null> {
    const running = underWay.get(domain);
    if (running !== undefined) return running;
    const started = check(domain).finally(() => underWay.delete(domain));
    underWay.set(domain, started);
    return started;
  }

  return {
    async of(domain) {
      const known = kept.get(domain);
      const policy = known === undefined ? await checkOnce(domain) : known.policy;
      return policy !== null && clock.now() < expiryOf(policy) ? policy : null;
    },
  };
}

function sizeOf({ policy }: { policy: StoredPolicy | null }): number {
  return (policy?.mx ?? []).reduce((sum, pattern) => sum + pattern.length + BESIDE_A_NAME, BESIDE_THEM);
}

/** Looks at the record, fetches the policy where it is a new one or an old copy, and gives what holds afterwards. */
async function refresh(needs: Needs, domain: string, stored: StoredPolicy | null): Promise<StoredPolicy | null> {
  const id = await publishedId(needs, domain);
  if (id === null) return stored;
  const now = needs.clock.now();
  const fetched = stored?.id === id && isFresh(stored, now) ? stored : await fetchPolicy(needs, domain, id);
  if (fetched === null) return stored;
  const policy = { ...fetched, checkedAt: now };
  await storePolicy(needs.db, domain, policy);
  return policy;
}

/** Fetched within a day and within half its life, so that it is renewed long before it ends (RFC 8461 3.3). */
function isFresh({ fetchedAt, maxAge }: StoredPolicy, now: Date): boolean {
  return now.getTime() - fetchedAt.getTime() < Math.min(REFRESHED_AFTER_MS, (maxAge * 1000) / 2);
}

async function publishedId({ dns, log }: Needs, domain: string): Promise<string | null> {
  try {
    return parseStsRecord((await dns.txt(`_mta-sts.${domain}`)).records);
  } catch (error) {
    if (!(error instanceof DnsFailed)) throw error;
    log.info({ reason: error.reason }, 'an MTA-STS record could not be looked up');
    return null;
  }
}

async function fetchPolicy({ fetchText, clock, log }: Needs, domain: string, id: string): Promise<StoredPolicy | null> {
  try {
    const policy = parseStsPolicy(await fetchText(`https://mta-sts.${domain}/.well-known/mta-sts.txt`));
    // The id is copied, as a part of a record keeps the whole of it.
    const copy = Buffer.from(id).toString();
    if (policy !== null) return { ...policy, id: copy, fetchedAt: clock.now(), checkedAt: clock.now() };
    log.info('an MTA-STS policy could not be read');
  } catch (error) {
    if (!(error instanceof DialFailed)) throw error;
    log.info({ reason: error.reason }, 'an MTA-STS policy could not be fetched');
  }
  return null;
}
