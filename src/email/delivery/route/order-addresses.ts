import { isIPv6 } from 'node:net';

const MOST = 4;

/** IPv6 and IPv4 in turn, IPv6 first, so that neither kind being out of order costs more than one try. */
export function orderAddresses(addresses: string[]): string[] {
  const v6 = addresses.filter(isIPv6);
  const v4 = addresses.filter((address) => !isIPv6(address));
  const pairs = Array.from({ length: Math.max(v6.length, v4.length) }, (_, at) => [v6[at], v4[at]]);
  return pairs
    .flat()
    .filter((address) => address !== undefined)
    .slice(0, MOST);
}
