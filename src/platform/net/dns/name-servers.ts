import { getServers } from 'node:dns';
import { isIP } from 'node:net';
import { isLoopbackAddress } from '../public-address.ts';

export interface NameServer {
  address: string;
  port: number;
  /** Whether nobody stands between it and us who could alter what it says. */
  isLocal: boolean;
}

const PORT = 53;
const WITH_PORT = /^(?:\[(?<bracketed>[^\]]+)\]|(?<plain>[^:]+))(?::(?<port>\d+))?$/;

/** Reads `address`, `address:port`, `[v6]` and `[v6]:port`; the system's servers where none are given. */
export function readNameServers(written: readonly string[]): NameServer[] {
  return (written.length > 0 ? written : getServers()).map(readNameServer);
}

function readNameServer(written: string): NameServer {
  const { bracketed, plain, port } = WITH_PORT.exec(written)?.groups ?? {};
  const address = isIP(written) > 0 ? written : (bracketed ?? plain ?? '');
  if (isIP(address) === 0) throw new TypeError('a name server is an address, or an address and a port');
  return { address, port: Number(port ?? PORT), isLocal: isLoopbackAddress(address) };
}
