import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';

const NAME = /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** A domain as the name system knows it (RFC 5891), or null where it cannot be the name of a host. */
export function toALabels(domain: string): string | null {
  const ascii = domainToASCII(domain.replace(/\.$/, ''));
  return NAME.test(ascii) && isIP(ascii) === 0 ? ascii : null;
}
