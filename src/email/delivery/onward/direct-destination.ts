import type { Clock } from '../../../platform/clock.ts';
import type { Dns } from '../../../platform/net/dns/dns.ts';
import { DnsFailed } from '../../../platform/net/dns/dns-failed.ts';
import { connectSecurely, type Patience, type SecureChannel } from '../dialogue/connect.ts';
import { PeerFailure } from '../dialogue/smtp-replies.ts';
import { findMailHosts, type MailHost, type MailRoute } from '../route/find-mail-hosts.ts';
import type { MayReach } from '../route/may-reach.ts';
import type { Sites } from '../sites/sites.ts';
import { type Judgement, judge, mayUseHost } from '../tls/judge.ts';
import type { StsPolicy } from '../tls/mta-sts.ts';
import type { StsPolicies } from '../tls/sts-policies.ts';
import type { TlsMemory } from '../tls/tls-memory.ts';
import { type Tlsa, tlsaOf } from '../tls/tlsa.ts';
import type { Destination, FindDestination, NoDestination, Reached } from './destination.ts';

/** What became of a connection, for the reports that the domain may want of it. */
export interface Meeting {
  domain: string;
  host: string;
  address: string;
  tlsa: Tlsa[] | null;
  sts: StsPolicy | null;
  result: Judgement | PeerFailure;
  /** What OpenSSL has against the certificate, if anything. */
  fault: string | null;
}

export interface DirectDeps {
  dns: Dns;
  mayReach: MayReach;
  policies: StsPolicies;
  memory: TlsMemory;
  sites: Sites;
  port: number;
  heloName: string;
  authorities: string | undefined;
  patience: Patience;
  clock: Clock;
  random(): number;
  onMeeting(meeting: Meeting): void;
}

/** What is known of a domain before anybody is called. */
interface Knowledge {
  domain: string;
  route: Extract<MailRoute, { kind: 'hosts' }>;
  sts: StsPolicy | null;
  /** By host; a host of which DNSSEC could not be asked is left out, and not called. */
  tlsa: Map<string, Tlsa[] | null>;
  remembered: boolean;
}

/** Builds what finds the mail servers of a domain, and what it takes to believe them. */
export function createFindDirect(deps: DirectDeps): FindDestination {
  return async (domain) => {
    const route = await findMailHosts(deps, domain);
    if (route.kind !== 'hosts') return refusalOf(route);
    const [sts, remembered, tlsa] = await Promise.all([
      deps.policies.of(domain),
      deps.memory.demandsVerified(domain),
      tlsaByHost(deps, route),
    ]);
    return destinationOf(deps, { domain, route, sts, tlsa, remembered });
  };
}

function destinationOf(deps: DirectDeps, known: Knowledge): Destination {
  return {
    site: deps.sites.of(known.route.site, known.domain),
    judge: (channel) => judgeFor(deps, known, channel),
    connect: (ending) => connectToBest(deps, known, ending),
  };
}

function refusalOf(route: Exclude<MailRoute, { kind: 'hosts' }>): NoDestination {
  if (route.kind === 'refuses mail') return { code: 556, reply: '556 5.1.10 The domain says that it takes no mail' };
  if (route.kind === 'no such domain') return { code: 550, reply: '550 5.1.2 There is no such domain' };
  return { code: 550, reply: `550 5.4.4 The domain has no mail server that can be reached: ${route.reason}` };
}

/** RFC 7672 2.2.1: where the names and addresses are not signed, neither would the records be of use. */
async function tlsaByHost({ dns, port }: DirectDeps, route: Knowledge['route']): Promise<Knowledge['tlsa']> {
  const found: Knowledge['tlsa'] = new Map();
  const ask = async ({ name, authentic }: MailHost) => {
    try {
      found.set(name, route.authentic && authentic ? await tlsaOf(dns, name, port) : null);
    } catch (error) {
      if (!(error instanceof DnsFailed)) throw error;
    }
  };
  await Promise.all(route.hosts.map(ask));
  if (found.size === 0) throw new DnsFailed('servfail');
  return found;
}

function judgeFor({ clock }: DirectDeps, known: Knowledge, { facts }: SecureChannel): Judgement {
  if (!known.tlsa.has(facts.host)) return UNKNOWN;
  const { route, sts, tlsa, remembered } = known;
  const { host, certificate } = facts;
  const isAuthentic = route.authentic && route.hosts.some(({ name, authentic }) => name === host && authentic);
  const records = tlsa.get(host) ?? null;
  return judge({
    domain: route.domain,
    host,
    routeAuthentic: isAuthentic,
    tlsa: records,
    sts,
    remembered,
    certificate,
    now: clock.now(),
  });
}

/** Where DNSSEC did not answer nobody may be believed (RFC 7672 2.1.2), also not one that was called before. */
const UNKNOWN: Judgement = {
  verified: false,
  policy: 'none',
  basis: null,
  reason: 'its DANE records cannot be looked up',
  mayNotice: false,
  mayWaive: false,
};

/** Goes from server to server until one can be verified; failing that, the first that spoke TLS at all. */
async function connectToBest(deps: DirectDeps, known: Knowledge, ending?: AbortSignal): Promise<Reached> {
  const failures: PeerFailure[] = [];
  const begun = performance.now();
  const isLate = () => performance.now() - begun > 2 * deps.patience.connectMs || ending?.aborted === true;
  let second: Reached | null = null;
  for (const { name, addresses } of known.route.hosts) {
    if (!known.tlsa.has(name) || isLate()) continue;
    const isDane = (known.tlsa.get(name)?.length ?? 0) > 0; // which decides alone (RFC 8461 2)
    if (!isDane && !mayUseHost(known.sts, name)) {
      failures.push(new PeerFailure('policy', 'the MTA-STS policy of the domain names none of its mail servers'));
      continue;
    }
    const reached = await meetAt(deps, known, { name, addresses, isLate, ...(ending === undefined ? {} : { ending }) });
    if (reached instanceof PeerFailure) failures.push(reached);
    else if (reached.judgement.verified || second === null) {
      second?.channel.close();
      second = reached;
    } else reached.channel.close();
    if (second?.judgement.verified === true) break;
  }
  if (second !== null) return second;
  throw mostTelling(failures);
}

interface Meant {
  name: string;
  addresses: string[];
  isLate(): boolean;
  ending?: AbortSignal;
}

/** Goes from address to address of one server until one answers: what one says of the server, another would say too. */
async function meetAt(deps: DirectDeps, known: Knowledge, meant: Meant): Promise<Reached | PeerFailure> {
  let failure = new PeerFailure('unreachable', 'the server cannot be reached');
  for (const address of meant.addresses) {
    if (meant.isLate()) break;
    const reached = await meet(deps, known, { ...meant, address });
    if (!(reached instanceof PeerFailure) || reached.kind !== 'unreachable') return reached;
    failure = reached;
  }
  return failure;
}

async function meet(
  deps: DirectDeps,
  known: Knowledge,
  { name, address, ending }: { name: string; address: string; ending?: AbortSignal },
): Promise<Reached | PeerFailure> {
  const { port, heloName, authorities, patience } = deps;
  const target = {
    host: address,
    port,
    serverName: name,
    heloName,
    ...(authorities === undefined ? {} : { authorities }),
  };
  const note = (result: Judgement | PeerFailure, fault: string | null) => {
    const tlsa = known.tlsa.get(name) ?? null;
    deps.onMeeting({ domain: known.domain, host: name, address, tlsa, sts: known.sts, result, fault });
  };
  try {
    const channel = await connectSecurely(target, patience, ending).catch((error: unknown) => {
      // Some peers choke on a greeting that offers more than they know; less is still TLS 1.2.
      if (!(error instanceof PeerFailure) || error.kind !== 'tls failed') throw error;
      return connectSecurely({ ...target, reduced: true }, patience, ending);
    });
    const judgement = judgeFor(deps, known, channel);
    const { chainError, namesHost } = channel.facts.certificate;
    note(judgement, chainError ?? (namesHost ? null : 'ERR_TLS_CERT_ALTNAME_INVALID'));
    return { channel, judgement };
  } catch (error) {
    if (!(error instanceof PeerFailure)) throw error;
    note(error, null);
    return error;
  }
}

const TELLING = ['tls failed', 'no tls', 'turned away', 'broken', 'policy', 'unreachable'];

function mostTelling(failures: PeerFailure[]): PeerFailure {
  const [first] = failures.toSorted((one, other) => TELLING.indexOf(one.kind) - TELLING.indexOf(other.kind));
  return first ?? new PeerFailure('unreachable', 'no mail server of the domain can be called');
}
