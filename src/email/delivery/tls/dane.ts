import { createHash, X509Certificate } from 'node:crypto';
import type { Tlsa } from './tlsa.ts';

export type DaneMatch = { matched: true; basis: string } | { matched: false; reason: string };

const NO_MATCH = 'the certificate is not the one that the domain has published in DNS (DANE)';
const BAD_CHAIN = 'the certificate does not lead to the authority that the domain has published in DNS (DANE)';

/**
 * Holds a chain (DER, leaf first) against the usable records of its server (RFC 7672 3.1). The server's own
 * certificate or key needs nothing but to be the one; below an authority, links, dates and a name must fit as well.
 */
export function matchDane(records: readonly Tlsa[], chain: readonly Buffer[], names: string[], now: Date): DaneMatch {
  const certificates = readChain(chain);
  const [leaf] = certificates;
  if (leaf === undefined) return { matched: false, reason: NO_MATCH };
  const own = records.find((record) => record.usage === 3 && fits(record, leaf));
  if (own !== undefined) return { matched: true, basis: basisOf(own) };
  let reason = NO_MATCH;
  for (const record of records.filter(({ usage }) => usage === 2)) {
    const anchor = certificates.findIndex((each, at) => at > 0 && fits(record, each));
    if (anchor < 0) continue;
    const fault = faultBelow(certificates.slice(0, anchor + 1), names, now);
    if (fault === null) return { matched: true, basis: basisOf(record) };
    reason = fault;
  }
  return { matched: false, reason };
}

/** What can be read of it: nothing behind a certificate that cannot. */
function readChain(chain: readonly Buffer[]): X509Certificate[] {
  const read: X509Certificate[] = [];
  try {
    for (const der of chain) read.push(new X509Certificate(der));
  } catch {
    // The peer may send anything at all.
  }
  return read;
}

function fits({ selector, matching, data }: Tlsa, certificate: X509Certificate): boolean {
  const selected = selector === 0 ? certificate.raw : publicKeyOf(certificate);
  return selected !== null && data.equals(matching === 0 ? selected : digest(matching, selected));
}

function publicKeyOf(certificate: X509Certificate): Buffer | null {
  try {
    return certificate.publicKey.export({ type: 'spki', format: 'der' });
  } catch {
    return null; // of a kind that is not known here
  }
}

function digest(matching: 1 | 2, bytes: Buffer): Buffer {
  return createHash(matching === 1 ? 'sha256' : 'sha512')
    .update(bytes)
    .digest();
}

/** Why a path, leaf first and anchor last, does not hold; null where it does. */
function faultBelow(path: X509Certificate[], names: string[], now: Date): string | null {
  const leaf = path[0] as X509Certificate;
  if (!path.every((each) => isCurrent(each, now))) return 'a certificate of the mail server is out of date';
  const isLinked = path.slice(1).every((issuer, below) => isIssuedBy(path[below] as X509Certificate, issuer));
  if (!isLinked) return BAD_CHAIN;
  const isNamed = names.some((name) => leaf.checkHost(name, { partialWildcards: false }) !== undefined);
  return isNamed ? null : 'the certificate is made out to another name';
}

function isCurrent({ validFromDate, validToDate }: X509Certificate, now: Date): boolean {
  return validFromDate <= now && now <= validToDate;
}

function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  try {
    return issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
  } catch {
    return false;
  }
}

/** The record as it is written in a zone; a whole certificate or key by its SHA-256. */
function basisOf({ usage, selector, matching, data }: Tlsa): string {
  const shown = matching === 0 ? `sha256:${digest(1, data).toString('hex')}` : data.toString('hex');
  return `${usage} ${selector} ${matching} ${shown}`;
}
