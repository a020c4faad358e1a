import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../log.ts';
import { type LoginRole, urlForRole } from './roles.ts';

const AGAIN_MS = 2_000;
const CONNECT_TIMEOUT_MS = 15_000;

/**
 * Calls back whenever somebody notifies a channel, on a connection of its own that is opened again when it is lost.
 * Behind a pooler in transaction mode nothing is heard: whoever listens must also look by themselves now and then.
 */
export function listen(
  { ownerUrl, log }: { ownerUrl: string; log: Log },
  { role, channel }: { role: LoginRole; channel: string },
  hear: () => void,
): { stop(): Promise<void> } {
  const stopped = new AbortController();
  const asked = new Promise<void>((resolve) => stopped.signal.addEventListener('abort', () => resolve()));
  const again = () => sleep(AGAIN_MS, undefined, { signal: stopped.signal }).catch(() => {});

  async function once(): Promise<void> {
    const client = new pg.Client({
      connectionString: urlForRole(ownerUrl, role),
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
    });
    const lost = new Promise<void>((resolve) => client.once('end', resolve).once('error', () => resolve()));
    client.on('error', () => {}); // told by `lost`
    client.on('notification', hear);
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
      hear(); // what was said before is not told again
      await Promise.race([lost, asked]);
    } finally {
      await client.end().catch(() => {});
    }
  }

  async function keepListening(): Promise<void> {
    while (!stopped.signal.aborted) {
      await once().catch((error: unknown) => log.warn({ err: error, channel }, 'cannot listen to the database'));
      if (!stopped.signal.aborted) await again();
    }
  }

  const ended = keepListening();
  return {
    async stop() {
      stopped.abort();
      await ended;
    },
  };
}
