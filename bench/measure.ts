import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Counted } from './count.ts';
import type { Load } from './driver.ts';

/** What one run showed: the driver's count, and the CPU of server and PostgreSQL per request. */
export interface Measured extends Counted {
  nodeMicros: number;
  postgresMicros: number;
}

/** Starts a script and waits for a line of its output. */
export async function startScript(
  script: string,
  args: string[],
  env: Record<string, string>,
  ready: RegExp,
  flags: string[] = [],
) {
  const child = spawn(process.execPath, [...flags, join(import.meta.dirname, script), ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const kill = () => void child.kill('SIGTERM');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  let output = '';
  await new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`${script} ended before it was ready:\n${output}`)));
    child.stdout.on('data', (chunk) => {
      output += chunk;
      if (ready.test(output)) resolve();
    });
  });
  return { child, output: () => output, stop: () => stop(child) };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}

const SPARE_SECONDS = 60;

/** Runs a driver and reads CPU clocks at both ends of the counted time; they are answered per request. */
export async function drive(
  script: string,
  load: { warmupSeconds: number; seconds: number },
  clocks: () => number[],
): Promise<{ counted: Counted; spent: number[] }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, script)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout: Math.ceil(load.warmupSeconds + load.seconds + SPARE_SECONDS) * 1000,
  });
  let output = '';
  let before: number[] = [];
  let after: number[] = [];
  child.stdout.on('data', (chunk) => {
    const text = String(chunk);
    output += text;
    if (text.includes('counting')) before = clocks();
    if (text.includes('counted')) after = clocks();
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  child.stdin.end(JSON.stringify(load));
  if ((await ended) !== 0) throw new Error(`${script} failed:\n${output}`);
  const counted = JSON.parse(output.trim().split('\n').at(-1) as string) as Counted;
  return { counted, spent: after.map((clock, index) => (clock - (before[index] as number)) / counted.requests) };
}

/** Runs the driver of HTTP requests against a server. */
export async function measure(load: Load, serverPid: number, postmasterPid: number): Promise<Measured> {
  return measureWith('driver.ts', load, serverPid, postmasterPid);
}

/** The same with another driver. */
export async function measureWith(
  script: string,
  load: { warmupSeconds: number; seconds: number },
  serverPid: number,
  postmasterPid: number,
): Promise<Measured> {
  const clocks = () => [cpuMicros([serverPid]), cpuMicros(treeOf(postmasterPid))];
  const { counted, spent } = await drive(script, load, clocks);
  return { ...counted, nodeMicros: spent[0] as number, postgresMicros: spent[1] as number };
}

const TICK_MICROS = 10_000; // CLK_TCK is 100 on Linux

function statOf(pid: number): { parent: number; ticks: number } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    // With what children used that have ended since: cleanup processes of Postfix live for 100 messages.
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + field, 0);
    return { parent: fields[1] as number, ticks };
  } catch {
    return null;
  }
}

/** A process, its children and theirs. */
export function treeOf(root: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const stat = statOf(Number(name));
    if (stat !== null) parents.set(Number(name), stat.parent);
  }
  const tree = [root];
  for (const member of tree) tree.push(...[...parents].filter(([, parent]) => parent === member).map(([pid]) => pid));
  return tree;
}

/** The CPU time that processes have used so far. */
export function cpuMicros(pids: number[]): number {
  return pids.reduce((sum, pid) => sum + (statOf(pid)?.ticks ?? 0) * TICK_MICROS, 0);
}
