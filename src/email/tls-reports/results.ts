/** What keeps a connection from the security that its policy asks for (RFC 8460 4.3). */
export const FAILURES = [
  'starttls-not-supported',
  'certificate-host-mismatch',
  'certificate-expired',
  'certificate-not-trusted',
  'validation-failure',
  'tlsa-invalid',
  'dnssec-invalid',
  'dane-required',
  'sts-policy-fetch-error',
  'sts-policy-invalid',
  'sts-webpki-invalid',
] as const;

export type TlsResult = 'success' | (typeof FAILURES)[number];

/** The policy that a domain was held to, as its reports quote it. */
export interface ReportedPolicy {
  type: 'sts' | 'tlsa' | 'no-policy-found';
  /** The lines of the MTA-STS policy, or the TLSA records. */
  text: string[];
  mxPatterns: string[];
}
