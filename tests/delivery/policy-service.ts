import { createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import type { Clock } from '../../src/platform/clock.ts';

/** A policy service for Postfix (SMTPD_POLICY_README) that greylists by a clock of ours. */
export interface PolicyService {
  port: number;
  /** The recipients that it was asked about, in order. */
  asked: string[];
}

/** Puts every pair of sender domain and recipient off until so many minutes have gone by. */
export async function startGreylist(t: TestContext, clock: Clock, minutes: number): Promise<PolicyService> {
  const first = new Map<string, number>();
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const judge = (request: string): string => {
    const valueOf = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(request)?.[1] ?? '';
    const recipient = valueOf('recipient');
    asked.push(recipient);
    const pair = `${valueOf('sender').split('@')[1]} ${recipient}`;
    const now = clock.now().getTime();
    const since = first.get(pair) ?? now;
    first.set(pair, since);
    return now - since >= minutes * 60_000 ? 'DUNNO' : 'DEFER_IF_PERMIT 4.2.0 greylisted, come back later';
  };
  const server = createServer((socket) => {
    let received = '';
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      const [rest = '', ...whole] = `${received}${String(chunk)}`.split('\n\n').toReversed();
      received = rest;
      for (const request of whole.toReversed()) socket.write(`action=${judge(request)}\n\n`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: (server.address() as { port: number }).port, asked };
}
