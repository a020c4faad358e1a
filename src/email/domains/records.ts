import { isPublished } from './choose-keys.ts';
import { type DkimKey, KEPT_MS } from './dkim-keys.ts';

const MOST_ABOVE = 6; // a name may have over a hundred labels

export type Purpose = 'ownership' | 'dkim' | 'spf' | 'dmarc' | 'return_path';

/** What a key of a record does: waits to be seen, signs, or leaves. */
export type KeyState = 'pending' | 'active' | 'retired';

/** A record that a sending domain has in DNS. */
export interface DnsRecord {
  purpose: Purpose;
  type: 'TXT' | 'CNAME';
  name: string;
  value: string;
  /** Whether the domain is not verified without it. */
  required: boolean;
  key: KeyState | null;
  removableAfter: Date | null;
}

interface Given {
  domain: string;
  challenge: string;
  keys: readonly DkimKey[];
  returnPathDomain: string | null;
  now: Date;
}

/** The records that a sending domain is to have, the required ones first. */
export function recordsOf({ domain, challenge, keys, returnPathDomain, now }: Given): DnsRecord[] {
  const plain = { key: null, removableAfter: null };
  const signing = keys.filter((key) => stateOf(key) === 'active').some(({ algorithm }) => algorithm === 'rsa');
  const dkim = keys
    .filter((key) => isPublished(key, now) && (key.retired_at === null || key.seen_at !== null))
    .map((key): DnsRecord => {
      const state = stateOf(key);
      return {
        purpose: 'dkim',
        type: 'TXT',
        name: `${key.selector}._domainkey.${domain}`,
        value: `v=DKIM1; k=${key.algorithm}; p=${key.public_key}`,
        // A pair that is to take the place of another takes nothing away while it is not there.
        required: key.algorithm === 'rsa' && (state === 'active' || (state === 'pending' && !signing)),
        key: state,
        removableAfter: key.retired_at === null ? null : new Date(key.retired_at.getTime() + KEPT_MS),
      };
    });
  const common = { required: false, ...plain };
  const spf = { purpose: 'spf', type: 'TXT', name: domain, value: `v=spf1 include:${returnPathDomain} ~all` } as const;
  const bounces = { purpose: 'return_path', type: 'CNAME', name: returnPathName(domain) } as const;
  const records: DnsRecord[] = [
    { purpose: 'ownership', type: 'TXT', name: `_carepost.${domain}`, value: challenge, required: true, ...plain },
    ...dkim,
    // A name that is itself the one of return paths leads there without a record, and must not include itself.
    ...(returnPathDomain === null || domain === returnPathDomain ? [] : [{ ...spf, ...common }]),
    ...(returnPathDomain === null || bounces.name === returnPathDomain
      ? []
      : [{ ...bounces, value: returnPathDomain, ...common }]),
    { purpose: 'dmarc', type: 'TXT', name: `_dmarc.${domain}`, value: 'v=DMARC1; p=none', ...common },
  ];
  return records.toSorted((a, b) => Number(b.required) - Number(a.required));
}

/** The names at which a record counts, the nearest first. RFC 7489 6.6.3: a DMARC policy also covers the domains below its own. */
export function placesOf({ purpose, name }: DnsRecord): string[] {
  if (purpose !== 'dmarc') return [name];
  const labels = name.split('.').slice(1);
  const above = labels.map((_, at) => labels.slice(at + 1)).filter(({ length }) => length > 1);
  return [name, ...above.slice(-MOST_ABOVE).map((parent) => `_dmarc.${parent.join('.')}`)];
}

/** Where mail to the return path of a domain goes, once its record has been seen. */
export function returnPathName(domain: string): string {
  return `bounces.${domain}`;
}

function stateOf({ seen_at: seenAt, retired_at: retiredAt }: DkimKey): KeyState {
  if (retiredAt !== null) return 'retired';
  return seenAt === null ? 'pending' : 'active';
}
