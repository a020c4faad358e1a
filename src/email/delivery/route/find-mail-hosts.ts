import type { Dns } from '../../../platform/net/dns/dns.ts';
import { DnsFailed } from '../../../platform/net/dns/dns-failed.ts';
import type { Mx } from '../../../platform/net/dns/message.ts';
import { toALabels } from './a-labels.ts';
import type { MayReach } from './may-reach.ts';
import { orderAddresses } from './order-addresses.ts';

export interface MailHost {
  name: string;
  preference: number;
  /** IPv6 and IPv4 in turn. */
  addresses: string[];
  /** DNSSEC vouches for the addresses. */
  authentic: boolean;
}

/** A mail host of the domain that cannot be used, and why not. */
export interface DroppedHost {
  name: string;
  reason: string;
}

/** Where the mail for a domain goes. All names are in A-labels. */
export type MailRoute =
  | {
      kind: 'hosts';
      domain: string;
      /** In the order in which they are tried. */
      hosts: MailHost[];
      dropped: DroppedHost[];
      /** DNSSEC vouches for the names of the hosts. */
      authentic: boolean;
      /** The same for all domains whose mail goes to the same hosts. */
      site: string;
    }
  | { kind: 'refuses mail' }
  | { kind: 'no such domain' }
  | { kind: 'no usable host'; reason: string; dropped: DroppedHost[] };

interface Needs {
  dns: Dns;
  mayReach: MayReach;
  /** From 0 to below 1. */
  random: () => number;
}

const MOST_HOSTS = 10;

/** Finds the mail hosts of a domain (RFC 5321 5.1); throws DnsFailed where the name system does not say. */
export async function findMailHosts(needs: Needs, written: string): Promise<MailRoute> {
  const domain = toALabels(written);
  if (domain === null) return { kind: 'no such domain' };
  const { records, authentic, exists } = await needs.dns.mx(domain);
  if (!exists) return { kind: 'no such domain' };
  if (records.length > 0 && records.every(({ exchange }) => exchange === '.')) return { kind: 'refuses mail' }; // RFC 7505 3
  const named = records.length > 0 ? firstHosts(records) : [{ preference: 0, exchange: domain }];
  const looked = await Promise.all(named.map((mx) => lookUp(needs, mx)));
  const hosts = looked.filter((each) => 'addresses' in each);
  const dropped = looked.filter((each) => 'reason' in each);
  if (hosts.length === 0) {
    throwFirstFailure(dropped);
    return { kind: 'no usable host', reason: reasonOf(records, dropped), dropped: dropped.map(withoutFailure) };
  }
  const site = named
    .map(({ exchange }) => exchange)
    .toSorted()
    .join(',');
  return {
    kind: 'hosts',
    domain,
    hosts: inTurn(hosts, needs.random),
    dropped: dropped.map(withoutFailure),
    authentic,
    site,
  };
}

/** The hosts that come first, each once; which they are does not hang on chance, so that the site stays the same. */
function firstHosts(records: Mx[]): Mx[] {
  const usable = records.filter(({ exchange }) => toALabels(exchange) === exchange);
  const sorted = usable.toSorted((a, b) => a.preference - b.preference || (a.exchange < b.exchange ? -1 : 1));
  const distinct = new Map(sorted.toReversed().map((mx) => [mx.exchange, mx]));
  return [...distinct.values()].toReversed().slice(0, MOST_HOSTS);
}

type Dropped = DroppedHost & { failure?: DnsFailed };

async function lookUp({ dns, mayReach }: Needs, { exchange: name, preference }: Mx): Promise<MailHost | Dropped> {
  try {
    const { records, authentic } = await dns.addresses(name);
    if (records.length === 0) return { name, reason: 'it has no address' };
    const addresses = orderAddresses(records.filter(mayReach));
    if (addresses.length === 0) return { name, reason: 'its addresses are not of the open internet' };
    return { name, preference, addresses, authentic };
  } catch (failure) {
    if (!(failure instanceof DnsFailed)) throw failure;
    return { name, reason: 'its addresses could not be looked up', failure };
  }
}

/** Where one host might have been of use, nobody knows yet that none is. */
function throwFirstFailure(dropped: Dropped[]): void {
  for (const { failure } of dropped) if (failure !== undefined) throw failure;
}

function reasonOf(records: Mx[], dropped: Dropped[]): string {
  if (records.length === 0) return `the domain names no mail server, and of the domain itself: ${dropped[0]?.reason}`;
  if (dropped.length === 0) return 'none of the mail servers that the domain names has a name that can be looked up';
  return dropped.map(({ name, reason }) => `${name}: ${reason}`).join('; ');
}

function withoutFailure({ name, reason }: Dropped): DroppedHost {
  return { name, reason };
}

/** By preference, and in random order among equals (RFC 5321 5.1). */
function inTurn(hosts: MailHost[], random: () => number): MailHost[] {
  const drawn = hosts.map((host) => ({ host, lot: random() }));
  return drawn.toSorted((a, b) => a.host.preference - b.host.preference || a.lot - b.lot).map(({ host }) => host);
}
