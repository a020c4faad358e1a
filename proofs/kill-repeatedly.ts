import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerProcess } from '../tests/support/server.ts';

export const KILLS = 25;
const BETWEEN_KILLS_MS = [1_000, 3_000] as const;

/** Kills the server that `current` names with `kill -9` and starts the next, again and again. */
export async function killRepeatedly(current: () => ServerProcess, startNext: () => Promise<void>): Promise<void> {
  for (let kill = 0; kill < KILLS; kill += 1) {
    const [least, most] = BETWEEN_KILLS_MS;
    await sleep(least + Math.random() * (most - least));
    await current().kill('SIGKILL');
    await startNext();
  }
}
