import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';

/** A command on its way to PostgreSQL that waits to be let through. */
export interface Held {
  reached: Promise<void>;
  release(): void;
}

/** Stands before the socket of a PostgreSQL, and holds up what it is told to. */
export async function startRelay(ownerUrl: string) {
  const { hostname, port } = new URL(ownerUrl);
  const socketPath = join(decodeURIComponent(hostname), `.s.PGSQL.${port === '' ? 5432 : port}`);
  let hold = { text: '', reach: () => {}, released: Promise.resolve() };
  async function* passing(client: Socket) {
    for await (const bytes of client as AsyncIterable<Buffer>) {
      if (hold.text !== '' && bytes.includes(hold.text)) {
        hold.reach();
        await hold.released;
      }
      yield bytes;
    }
  }
  const server = createServer((client) => {
    const upstream = connect(socketPath);
    upstream.pipe(client);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
    }
    Readable.from(passing(client))
      .on('error', () => upstream.destroy())
      .pipe(upstream);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(ownerUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    /** Holds commands with a text up until they are released. */
    hold(text: string): Held {
      const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      hold = { text, reach: reached.resolve, released: released.promise };
      return { reached: reached.promise, release: released.resolve };
    },
    close: () => void server.close(),
  };
}
