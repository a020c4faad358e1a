import { BlockList, isIPv6, type Socket } from 'node:net';

const LOOPBACK = ['127.0.0.0/8', '::1/128'];
const lists = new Map<string, BlockList>();
/** A peer does not change during a connection, which may carry thousands of requests. */
const verdicts = new WeakMap<Socket, Map<string, boolean>>();

/** Whether a connection comes from this machine or from a proxy that is trusted to have ended TLS. */
export function isLocalOrTrusted(socket: Socket, trustedProxies: readonly string[]): boolean {
  const name = trustedProxies.join(',');
  const known = verdicts.get(socket) ?? new Map<string, boolean>();
  const verdict = known.get(name) ?? isListed(socket.remoteAddress, name, trustedProxies);
  verdicts.set(socket, known.set(name, verdict));
  return verdict;
}

function isListed(address: string | undefined, name: string, trustedProxies: readonly string[]): boolean {
  if (address === undefined) return true; // injected without a connection, from within this process
  const list = lists.get(name) ?? listOf([...LOOPBACK, ...trustedProxies]);
  lists.set(name, list);
  return list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}
