import { BlockList, isIPv6 } from 'node:net';

const lists = new Map<string, BlockList>();

function listOf(networks: readonly string[]): BlockList {
  const name = networks.join(',');
  const known = lists.get(name);
  if (known !== undefined) return known;
  const list = new BlockList();
  for (const network of ['127.0.0.0/8', '::1/128', ...networks]) {
    const [address = '', bits] = network.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  lists.set(name, list);
  return list;
}

/** Whether a connection comes from this machine or from a proxy that is trusted to have ended TLS. */
export function loopbackOrTrusted(address: string | undefined, trustedProxies: readonly string[]): boolean {
  if (address === undefined) return true; // injected by a test, or a socket on this machine
  return listOf(trustedProxies).check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
