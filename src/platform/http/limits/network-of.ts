import { isIPv6 } from 'node:net';

/**
 * The network that an address counts with: whoever has IPv6 has a /64 of addresses to choose from. Nobody knows any more where
 * a connection came from that was reset before its request was looked at.
 */
export function networkOf(address: string | undefined): string {
  if (address === undefined) return '';
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [plain = ''] = address.split('%');
  if (!isIPv6(plain)) return address;
  const [head = '', tail] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after].slice(0, 4).join(':');
}
