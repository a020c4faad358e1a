import { spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Has npm bring the packages of a folder. It empties `node_modules` first, so that two at once would take away what the
 * other has unpacked: the second is refused, and one that is stopped takes its npm with it. Answers what went wrong, or null.
 */
export async function installPackages(root) {
  const lock = join(root, '.carepost-installing');
  const other = installingNow(lock);
  if (other !== null)
    return `Packages are being installed here by process ${other}: wait until it has ended, and start again.`;
  const npm = spawn('npm', ['ci', '--loglevel=error', '--no-audit', '--no-fund'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  let stoppedBy = null;
  for (const signal of SIGNALS)
    process.on(signal, () => {
      stoppedBy = signal;
      npm.kill(signal);
    });
  const ended = new Promise((resolve) => {
    npm.once('exit', resolve);
    npm.once('error', resolve);
  });
  if (npm.pid !== undefined) writeFileSync(lock, String(npm.pid));
  const status = await ended;
  rmSync(lock, { force: true });
  for (const signal of SIGNALS) process.removeAllListeners(signal);
  if (stoppedBy !== null) return 'Stopped before the packages were there: the next start begins anew.';
  if (status?.code === 'ENOENT') return 'Carepost needs npm to install its packages, and there is none.';
  return status === 0 ? null : 'npm ci failed; its messages are above.';
}

/** The npm that still works there; whoever began it may have been killed. */
function installingNow(lock) {
  try {
    const pid = Number(readFileSync(lock, 'utf8'));
    process.kill(pid, 0);
    // After a reboot the number may belong to something else.
    return process.platform !== 'linux' || readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('npm') ? pid : null;
  } catch {
    return null;
  }
}
