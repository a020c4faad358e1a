import { connect as connectTcp, type Socket } from 'node:net';
import type { Connect } from '../../src/platform/net/open-connection.ts';
import type { Receiver } from './receiver.ts';

/**
 * Puts receivers of this machine behind public addresses, and notes what was asked for. Loopback is
 * reached for real, and nothing else is reached at all.
 */
export function connectToReceiver(receivers: Record<string, Pick<Receiver, 'port'> | Socket>) {
  const asked: string[] = [];
  const connect: Connect = (address, port) => {
    asked.push(`${address} ${port}`);
    if (/^(127\.|::1$)/.test(address)) return connectTcp(port, address);
    const behind = receivers[address];
    if (behind === undefined) throw new Error('nobody is behind this address');
    return 'connect' in behind ? behind : connectTcp(behind.port, '127.0.0.1');
  };
  return { connect, asked };
}
