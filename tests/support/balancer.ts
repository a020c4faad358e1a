import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

const LOOK_MS = 200;
const PATIENCE_MS = 1_000;

/** Where connections may go, and what says whether they should. */
interface Target {
  port: number;
  readyUrl: string;
}

export interface Balancer {
  port: number;
}

/** A balancer of connections: each goes to the next target that is ready, and one that refuses is passed over. */
export async function startBalancer(t: TestContext, targets: readonly Target[]): Promise<Balancer> {
  const ready = new Set<Target>(targets);
  const clients = new Set<Socket>();
  let turn = 0;

  const look = async (target: Target) => {
    const isReady = await fetch(target.readyUrl, { signal: AbortSignal.timeout(PATIENCE_MS) }).then(
      async (reply) => (await reply.arrayBuffer(), reply.status === 200),
      () => false,
    );
    if (isReady) ready.add(target);
    else ready.delete(target);
  };
  const looking = setInterval(() => void Promise.all(targets.map(look)), LOOK_MS);

  const lead = (client: Socket, tries: number) => {
    const open = targets.filter((target) => ready.has(target));
    const target = open[(turn += 1) % open.length];
    if (target === undefined || tries === 0) {
      client.destroy();
      return;
    }
    const server = connect(target.port, '127.0.0.1');
    server.once('connect', () => {
      server.off('error', next);
      server.on('error', () => client.destroy());
      server.once('close', () => client.destroy());
      client.once('close', () => server.destroy());
      client.pipe(server).pipe(client);
    });
    const next = () => {
      ready.delete(target);
      lead(client, tries - 1);
    };
    server.once('error', next);
  };

  const server = createServer((client) => {
    clients.add(client);
    client.on('error', () => {});
    client.once('close', () => clients.delete(client));
    lead(client, targets.length);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    clearInterval(looking);
    for (const client of clients) client.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port };
}
