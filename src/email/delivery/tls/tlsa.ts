import type { Dns } from '../../../platform/net/dns/dns.ts';
import type { TlsaRecord } from '../../../platform/net/dns/message.ts';

/** A record that says which certificate a mail server has (RFC 6698 2.1), of a kind that mail can use. */
export interface Tlsa {
  /** 2: an authority in the chain. 3: the server's own. */
  usage: 2 | 3;
  /** 0: the certificate. 1: its public key. */
  selector: 0 | 1;
  /** 0: itself. 1: its SHA-256. 2: its SHA-512. */
  matching: 0 | 1 | 2;
  data: Buffer;
}

const DIGEST_BYTES = [null, 32, 64];

/**
 * The usable records of a mail server: empty where it has some and none is usable, null where DNSSEC vouches for
 * none. A lookup that fails throws DnsFailed and must hold the mail (RFC 7672 2.1.2). To be asked only where DNSSEC
 * vouches for the server's name and its addresses too (RFC 7672 2.2.1).
 */
export async function tlsaOf(dns: Dns, host: string, port: number): Promise<Tlsa[] | null> {
  const { records, authentic } = await dns.tlsa(`_${port}._tcp.${host}`);
  return authentic && records.length > 0 ? records.filter(isUsable).map(tlsaFrom) : null;
}

/** RFC 7672 3.1: usages 0 and 1 are not for mail. A digest of another length cannot match anything. */
function isUsable({ usage, selector, matchingType, certificate }: TlsaRecord): boolean {
  const isKnown = (usage === 2 || usage === 3) && selector <= 1 && matchingType <= 2;
  const digest = DIGEST_BYTES[matchingType];
  return isKnown && certificate.length > 0 && (digest === null || digest === certificate.length);
}

function tlsaFrom({ usage, selector, matchingType, certificate }: TlsaRecord): Tlsa {
  return { usage, selector, matching: matchingType, data: certificate } as Tlsa;
}
