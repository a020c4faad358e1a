import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Counted, Load } from './driver.ts';

/** What one run showed: the driver's count, and the CPU of server and PostgreSQL per request. */
export interface Measured extends Counted {
  nodeMicros: number;
  postgresMicros: number;
}

/** Starts a script and waits for a line of its output. */
export async function startScript(script: string, args: string[], env: Record<string, string>, ready: RegExp) {
  const child = spawn(process.execPath, [join(import.meta.dirname, script), ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
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
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}

/** Runs the driver against a server and reads the CPU clocks at both ends of the counted time. */
export async function measure(load: Load, serverPid: number, postmasterPid: number): Promise<Measured> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'driver.ts'), JSON.stringify(load)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  let before = [0, 0];
  let after = [0, 0];
  const clocks = () => [cpuMicros([serverPid]), cpuMicros(familyOf(postmasterPid))];
  child.stdout.on('data', (chunk) => {
    const text = String(chunk);
    output += text;
    if (text.includes('counting')) before = clocks();
    if (text.includes('counted')) after = clocks();
  });
  await new Promise((resolve) => child.once('close', resolve));
  const counted = JSON.parse(output.trim().split('\n').at(-1) as string) as Counted;
  const spent = (index: number) => ((after[index] as number) - (before[index] as number)) / counted.requests;
  return { ...counted, nodeMicros: spent(0), postgresMicros: spent(1) };
}

const TICK_MICROS = 10_000; // CLK_TCK is 100 on Linux

function statOf(pid: number): { parent: number; ticks: number } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    return { parent: fields[1] as number, ticks: (fields[11] as number) + (fields[12] as number) };
  } catch {
    return null;
  }
}

function familyOf(pid: number): number[] {
  const others = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  return [pid, ...others.filter((other) => statOf(other)?.parent === pid)];
}

function cpuMicros(pids: number[]): number {
  return pids.reduce((sum, pid) => sum + (statOf(pid)?.ticks ?? 0) * TICK_MICROS, 0);
}
