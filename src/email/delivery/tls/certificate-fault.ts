/** What a connection has shown of its peer's certificate. */
export interface ShownCertificate {
  /** DER, leaf first. */
  chain: Buffer[];
  chainTrusted: boolean;
  /** Why it is not trusted, as OpenSSL names it. */
  chainError: string | null;
  /** Whether it is made out to the mail server's name. */
  namesHost: boolean;
}

const IN_WORDS = new Map([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'the certificate is self-signed'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'the certificate comes from an authority that is not trusted here'],
  ['UNABLE_TO_GET_ISSUER_CERT', 'the certificate comes from an authority that is not known here'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'the certificate comes from an authority that is not known here'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'the certificate comes from an authority that is not known here'],
  ['CERT_HAS_EXPIRED', 'the certificate has expired'],
  ['CERT_NOT_YET_VALID', 'the certificate is not valid yet'],
  ['CERT_REVOKED', 'the certificate has been revoked'],
  ['INVALID_PURPOSE', 'the certificate is not meant for servers'],
]);

/** Why a certificate does not verify for the name of the mail server, in words; null where it does. */
export function certificateFault({ chainTrusted, chainError, namesHost }: ShownCertificate): string | null {
  if (!chainTrusted) return IN_WORDS.get(chainError ?? '') ?? 'the certificate cannot be verified';
  return namesHost ? null : 'the certificate is made out to another name';
}
