import { certificateFault, type ShownCertificate } from './certificate-fault.ts';
import { matchDane } from './dane.ts';
import { matchesPolicy, type StsPolicy } from './mta-sts.ts';
import type { Tlsa } from './tlsa.ts';

/** All that is known of a secured connection to one mail server of a domain. */
export interface Facts {
  domain: string;
  host: string;
  /** DNSSEC vouches for the names of the domain's mail servers and for the addresses of this one. */
  routeAuthentic: boolean;
  tlsa: Tlsa[] | null;
  sts: StsPolicy | null;
  /** The domain has shown verified TLS before. */
  remembered: boolean;
  certificate: ShownCertificate;
  now: Date;
}

export interface Judgement {
  /** Content may leave. */
  verified: boolean;
  /** What decided; `none` where nothing has verified the peer. */
  policy: 'pkix' | 'mta-sts' | 'dane' | 'none';
  /** The id of the MTA-STS policy, or the TLSA record that matched. */
  basis: string | null;
  /** Why the peer is not verified, in words. */
  reason: string | null;
  /** A notice without PHI may leave. */
  mayNotice: boolean;
  /** A customer's word that encrypted is enough for the domain counts. */
  mayWaive: boolean;
}

/**
 * Judges a connection: DANE where it is published, and nothing overrides it (RFC 8461 2); then an enforced MTA-STS
 * policy; then the certificate alone. What falls short of a published policy, or of what the domain has shown before,
 * is good for nothing.
 */
export function judge(facts: Facts): Judgement {
  const { domain, host, routeAuthentic, tlsa, sts, remembered, certificate, now } = facts;
  if (routeAuthentic && tlsa !== null && tlsa.length > 0) {
    const dane = matchDane(tlsa, certificate.chain, [host, domain], now);
    return dane.matched ? verifiedBy('dane', dane.basis) : refusedBy('dane', dane.reason);
  }
  const fault = certificateFault(certificate);
  if (sts?.mode === 'enforce') {
    if (!mayUseHost(sts, host))
      return refusedBy('mta-sts', 'the MTA-STS policy of the domain does not name this mail server');
    return fault === null ? verifiedBy('mta-sts', sts.id) : refusedBy('mta-sts', fault);
  }
  if (fault === null) return verifiedBy('pkix', null);
  if (!remembered) return { ...refusedBy('none', fault), mayNotice: true, mayWaive: true };
  return refusedBy('none', `${fault}, and the domain has had one that could be verified before`);
}

/** Whether a host may be tried at all: an enforced policy names the only ones that may (RFC 8461 5). */
export function mayUseHost(sts: StsPolicy | null, host: string): boolean {
  return sts?.mode !== 'enforce' || matchesPolicy(sts.mx, host);
}

function verifiedBy(policy: Judgement['policy'], basis: string | null): Judgement {
  return { verified: true, policy, basis, reason: null, mayNotice: true, mayWaive: true };
}

function refusedBy(policy: Judgement['policy'], reason: string): Judgement {
  return { verified: false, policy, basis: null, reason, mayNotice: false, mayWaive: false };
}
