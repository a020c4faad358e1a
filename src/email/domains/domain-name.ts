import { invalidField } from '../../platform/errors.ts';
import { domainOf, parseAddress } from '../submission/address.ts';

/** The names of DKIM records stand in front of it, and a name in DNS has at most 253 characters. */
const LONGEST = 200;

/** A domain as callers write it, in lower case and A-labels. */
export function readDomainName(text: string, field = 'domain'): string {
  const parsed = /[@<>\s]/.test(text) ? null : parseAddress(`name@${text}`);
  if (parsed === null) throw invalidField(field, 'is not a domain name');
  const domain = domainOf(parsed.address);
  if (domain.length > LONGEST) throw invalidField(field, `takes at most ${LONGEST} characters`);
  return domain;
}

/** A domain and the domains that it lies in, the longest first; a last label alone is none. */
export function suffixesOf(domain: string): string[] {
  const labels = domain.split('.');
  return labels.slice(0, -1).map((_, at) => labels.slice(at).join('.'));
}
