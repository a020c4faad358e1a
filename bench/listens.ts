import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const WITHIN_MS = 15_000;

/** Whether something takes connections on a port of this machine within a while. */
export async function listens(port: number): Promise<boolean> {
  const giveUpAt = performance.now() + WITHIN_MS;
  while (performance.now() < giveUpAt) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await new Promise<boolean>((resolve) =>
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false)),
    );
    socket.destroy();
    if (isOpen) return true;
    await sleep(100);
  }
  return false;
}
