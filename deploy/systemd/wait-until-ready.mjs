// Waits until the product that systemd has just started can do its work, or has ended. It reads the same settings.
import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

const check = new URL('../docker/healthcheck.mjs', import.meta.url).pathname;
const end = Date.now() + 1_790_000;
while (spawnSync(process.execPath, [check]).status !== 0) {
  // While this waits for one that has ended, systemd does not start another.
  if (!isServiceAlive() || Date.now() > end) process.exit(1);
  await sleep(200);
}

function isServiceAlive() {
  try {
    return process.kill(Number(process.env.MAINPID), 0);
  } catch {
    return false;
  }
}
