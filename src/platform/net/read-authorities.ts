import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** The authorities that the operator trusts beside the system's, in PEM; nothing where there are none. */
export function readAuthorities({ trustedCaFile }: { trustedCaFile: string | null }): { authorities?: string } {
  if (trustedCaFile === null) return {};
  try {
    const authorities = readFileSync(trustedCaFile, 'utf8');
    refuseUnreadable(authorities);
    return { authorities };
  } catch (error) {
    throw new Error('CAREPOST_TRUSTED_CA_FILE takes a PEM file that can be read', { cause: error });
  }
}

/** TLS would pass over what is no certificate without a word, and the authority would not be trusted. */
function refuseUnreadable(authorities: string): void {
  const parts = authorities.split(/(?=-----BEGIN CERTIFICATE-----)/).filter((part) => part.startsWith('-----BEGIN'));
  const certificates = parts.map((part) => new X509Certificate(part));
  if (certificates.length === 0) throw new Error('it holds no certificate');
}
