import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Log } from '../../platform/log.ts';
import { DnsFailed } from '../../platform/net/dns/dns-failed.ts';
import { connectSecurely, type Target } from './dialogue/connect.ts';
import { PeerFailure } from './dialogue/smtp-replies.ts';
import { findMailHosts, type MailHost, type MailRoute } from './route/find-mail-hosts.ts';
import type { Onward } from './start.ts';
import { judge, mayUseHost } from './tls/judge.ts';
import type { StsPolicy } from './tls/mta-sts.ts';
import { createStsPolicies } from './tls/sts-policies.ts';
import { createTlsMemory } from './tls/tls-memory.ts';
import { type Tlsa, tlsaOf } from './tls/tlsa.ts';

/** What a server was found to be when it was called. */
export interface HostFound {
  host: string;
  preference: number;
  addresses: string[];
  dnssec: boolean;
  /** How many usable TLSA records it has; null where DNSSEC vouches for none. */
  tlsa: number | null;
  tls: { version: string; cipher: string; certificate_sha256: string } | null;
  verified: boolean;
  /** Whether a notice may go there where content may not. */
  notice: boolean;
  policy: string;
  /** Why it cannot be used for content. */
  reason: string | null;
}

/** Why mail to a domain can or cannot leave at this moment. */
export interface RouteExplained {
  domain: string;
  /** `content`: messages leave. `notice`: only a notice does, and the message waits at the pickup page. */
  outcome: 'content' | 'notice' | 'nothing';
  summary: string;
  mta_sts: { mode: string; id: string; mx: string[] } | null;
  /** Whether the domain has shown verified TLS within a month, so that less is refused. */
  remembered: boolean;
  hosts: HostFound[];
}

export type ExplainRoute = (domain: string) => Promise<RouteExplained>;

const MOST_CALLED = 4;
const PATIENCE = { connectMs: 10_000, commandMs: 5_000, finalDotMs: 5_000 };

type Direct = Extract<Onward, { mode: 'direct' }>;

interface Deps {
  db: Database;
  clock: Clock;
  log: Log;
}

/** Builds what finds out why a domain can or cannot be reached: it asks the names and calls the servers, and sends nothing. */
export function createExplainRoute(deps: Deps, onward: Onward): ExplainRoute {
  if (onward.mode !== 'direct') return async (domain) => elsewhere(domain, onward.mode);
  const policies = createStsPolicies({ ...deps, ...onward });
  const memory = createTlsMemory(deps);
  return async (domain) => {
    const bare = { domain, mta_sts: null, remembered: false, hosts: [] };
    try {
      const route = await findMailHosts(onward, domain);
      if (route.kind !== 'hosts') return { ...bare, outcome: 'nothing', summary: whyNot(route) };
      const sts = await policies.of(route.domain);
      const remembered = await memory.demandsVerified(route.domain);
      const called = route.hosts
        .slice(0, MOST_CALLED)
        .map((host) => callHost(deps, onward, { route, host, sts, remembered }));
      const found = await Promise.all(called);
      return {
        domain: route.domain,
        ...conclude(found),
        mta_sts: sts === null ? null : { mode: sts.mode, id: sts.id, mx: sts.mx },
        remembered,
        hosts: found,
      };
    } catch (error) {
      if (!(error instanceof DnsFailed)) throw error;
      const summary = 'The name servers do not answer for the domain: mail is held and tried again';
      return { ...bare, outcome: 'nothing', summary };
    }
  };
}

function elsewhere(domain: string, mode: 'sandbox' | 'relay'): RouteExplained {
  const summary =
    mode === 'sandbox'
      ? 'All mail goes to the sandbox of this installation (CAREPOST_DELIVERY is sandbox)'
      : 'All mail goes to one next hop over verified TLS (CAREPOST_DELIVERY is relay)';
  return { domain, outcome: 'content', summary, mta_sts: null, remembered: false, hosts: [] };
}

function whyNot(route: Exclude<MailRoute, { kind: 'hosts' }>): string {
  if (route.kind === 'refuses mail')
    return 'The domain says that it takes no mail (a null MX): messages bounce at once';
  if (route.kind === 'no such domain') return 'There is no such domain: messages bounce at once';
  return `The domain has no mail server that can be reached (${route.reason}): messages bounce at once`;
}

interface Known {
  route: Extract<MailRoute, { kind: 'hosts' }>;
  host: MailHost;
  sts: StsPolicy | null;
  remembered: boolean;
}

async function callHost({ clock }: Deps, onward: Direct, { route, host, sts, remembered }: Known): Promise<HostFound> {
  const { name, preference, addresses } = host;
  const dnssec = route.authentic && host.authentic;
  const bare = { host: name, preference, addresses, dnssec, tlsa: null, tls: null, verified: false, notice: false };
  try {
    const tlsa: Tlsa[] | null = dnssec ? await tlsaOf(onward.dns, name, onward.port) : null;
    const shown = { ...bare, tlsa: tlsa?.length ?? null };
    if ((tlsa === null || tlsa.length === 0) && !mayUseHost(sts, name)) {
      return { ...shown, policy: 'mta-sts', reason: 'the MTA-STS policy of the domain does not name this server' };
    }
    const channel = await connectToFirst(onward, name, addresses);
    channel.close();
    const { tls, certificate } = channel.facts;
    const facts = { domain: route.domain, host: name, routeAuthentic: dnssec, tlsa, sts, remembered, certificate };
    const { verified, policy, reason, mayNotice } = judge({ ...facts, now: clock.now() });
    return {
      ...shown,
      tls: { ...tls, certificate_sha256: certificate.hash.toString('hex') },
      verified,
      policy,
      reason,
      notice: verified || mayNotice,
    };
  } catch (error) {
    if (error instanceof PeerFailure) return { ...bare, policy: 'none', reason: error.message };
    if (error instanceof DnsFailed) return { ...bare, policy: 'none', reason: 'its DANE records cannot be looked up' };
    throw error;
  }
}

async function connectToFirst({ port, heloName, authorities }: Direct, serverName: string, addresses: string[]) {
  let failure: unknown;
  for (const host of addresses) {
    const target: Target = { host, port, serverName, heloName, ...(authorities === undefined ? {} : { authorities }) };
    try {
      return await connectSecurely(target, PATIENCE);
    } catch (error) {
      if (!(error instanceof PeerFailure) || error.kind !== 'unreachable') throw error;
      failure = error;
    }
  }
  throw failure;
}

function conclude(hosts: HostFound[]): Pick<RouteExplained, 'outcome' | 'summary'> {
  const verified = hosts.find((host) => host.verified);
  if (verified !== undefined) {
    return { outcome: 'content', summary: `Messages leave over verified TLS (${verified.policy}) to ${verified.host}` };
  }
  const open = hosts.find((host) => host.notice);
  if (open !== undefined) {
    const summary = `${open.host} speaks TLS but cannot be verified (${open.reason}): a notice leaves, and the message waits at the pickup page`;
    return { outcome: 'notice', summary };
  }
  const reasons = hosts.map(({ host, reason }) => `${host}: ${reason}`).join('; ');
  return {
    outcome: 'nothing',
    summary: `Nothing can leave for the domain, and mail is held and tried again. ${reasons}`,
  };
}
