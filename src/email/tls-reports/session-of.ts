import { PeerFailure } from '../delivery/dialogue/smtp-replies.ts';
import type { Meeting } from '../delivery/onward/direct-destination.ts';
import type { Tlsa } from '../delivery/tls/tlsa.ts';
import type { ReportedPolicy, TlsResult } from './results.ts';
import type { TlsSession } from './tally.ts';

/** What a meeting with a mail server is to a report; null where it did not come to TLS at all. */
export function sessionOf(meeting: Meeting): TlsSession | null {
  const result = resultOf(meeting);
  if (result === null) return null;
  const { domain, host, address } = meeting;
  return { domain, policy: policyOf(meeting), mxHost: host, mxAddress: address, result };
}

/** RFC 8460 4.4: what a domain is held to, DANE before MTA-STS. */
function policyOf({ tlsa, sts }: Meeting): ReportedPolicy {
  if (tlsa !== null && tlsa.length > 0) return { type: 'tlsa', text: tlsa.map(writeTlsa), mxPatterns: [] };
  if (sts === null || sts.mode === 'none') return { type: 'no-policy-found', text: [], mxPatterns: [] };
  const lines = ['version: STSv1', `mode: ${sts.mode}`, ...sts.mx.map((mx) => `mx: ${mx}`), `max_age: ${sts.maxAge}`];
  return { type: 'sts', text: lines, mxPatterns: sts.mx };
}

function writeTlsa({ usage, selector, matching, data }: Tlsa): string {
  return `${usage} ${selector} ${matching} ${data.toString('hex')}`;
}

const CERTIFICATE_RESULTS: Record<string, TlsResult> = {
  CERT_HAS_EXPIRED: 'certificate-expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate-host-mismatch',
};

function resultOf({ result, fault }: Meeting): TlsResult | null {
  if (result instanceof PeerFailure) {
    if (result.kind === 'no tls') return 'starttls-not-supported';
    return result.kind === 'tls failed' ? 'validation-failure' : null;
  }
  if (result.verified) return 'success';
  if (result.policy === 'dane') return 'validation-failure';
  return CERTIFICATE_RESULTS[fault ?? ''] ?? 'certificate-not-trusted';
}
