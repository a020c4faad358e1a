import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const STRACE = '/usr/bin/strace';
// Share of time, seconds, microseconds per call, calls, errors where there were any.
const CALLS = /^\s*[\d.]+\s+[\d.]+\s+\d+\s+(\d+)(?:\s+\d+)?\s+(?:fsync|fdatasync)$/gm;

/** Whether system calls can be counted here. */
export function canCountSyncs(): boolean {
  return existsSync(STRACE);
}

/** How often processes, and those they start meanwhile, call fsync or fdatasync while something is done. */
export async function countSyncs(pids: number[], work: () => Promise<unknown>): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'carepost-bench-strace-'));
  const file = join(folder, 'calls');
  const targets = pids.flatMap((pid) => ['-p', String(pid)]);
  const child = spawn(STRACE, ['-c', '-f', '-e', 'trace=fsync,fdatasync', '-o', file, ...targets], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  child.stderr.resume();
  try {
    await sleep(1_000);
    if (child.exitCode !== null) throw new Error('strace could not attach to the server');
    await work();
    child.kill('SIGINT');
    await ended;
    return [...readFileSync(file, 'utf8').matchAll(CALLS)].reduce((sum, [, calls]) => sum + Number(calls), 0);
  } finally {
    child.kill('SIGINT');
    rmSync(folder, { recursive: true, force: true });
  }
}
