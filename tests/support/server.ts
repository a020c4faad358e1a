import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { eventually } from './eventually.ts';

const MAIN = join(import.meta.dirname, '..', '..', 'src', 'main.ts');

/** The product as a process of its own, with its embedded database: what a kill hits. */
export interface ServerProcess {
  pid: number;
  url: string;
  output(): string;
  /** Resolves when the process has ended. */
  ended: Promise<void>;
  kill(signal: NodeJS.Signals): Promise<void>;
  killGroup(signal: NodeJS.Signals): Promise<void>;
}

export interface Home {
  folder: string;
  dataDir: string;
  /** Where the processes put temporary files. */
  temp: string;
  port: number;
}

/** A place for one installation that is removed when the test ends. */
export async function createHome(t: TestContext): Promise<Home> {
  const folder = mkdtempSync(join(tmpdir(), 'carepost-home-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return { folder, dataDir: join(folder, 'data'), temp: folder, port: await freePort() };
}

/** A port that nothing listens on. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Begins to start the product. */
export function spawnServer(home: Home, env: Record<string, string> = {}, { main = MAIN, detached = false } = {}) {
  return spawn(process.execPath, [main, 'serve'], {
    detached,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      TMPDIR: home.temp,
      CAREPOST_DATA_DIR: home.dataDir,
      CAREPOST_HTTP_PORT: String(home.port),
      CAREPOST_SMTP_PORT: '0',
      CAREPOST_SMTPS_PORT: '0',
      CAREPOST_LIMITS: 'free-disk=1MB',
      CAREPOST_LOG_LEVEL: 'debug',
      ...env,
    },
  });
}

/** Starts the product and waits until it is ready. */
export async function startServer(
  t: TestContext,
  home: Home,
  env: Record<string, string> = {},
  main = MAIN,
): Promise<ServerProcess> {
  const child = spawnServer(home, env, { main, detached: true });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const pid = child.pid as number;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const send = async (target: number, signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    process.kill(target, signal);
    await ended;
  };
  const server: ServerProcess = {
    pid,
    url: `http://127.0.0.1:${home.port}`,
    output: () => output,
    ended,
    kill: (signal) => send(pid, signal),
    killGroup: (signal) => send(-pid, signal),
  };
  t.after(() => server.kill('SIGTERM'));
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`the server did not start:\n${output}`);
    return output.includes('Carepost is running') && (await isReady(server.url));
  }, 90_000);
  return server;
}

/** Whether a server answers that it can do its work. */
async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/readyz`)).status === 200;
  } catch {
    return false;
  }
}

/** The key that the first start printed. */
export function firstKey(server: ServerProcess): string {
  return /cp_live_\w+/.exec(server.output())?.[0] as string;
}

/** The owner's address of a home's embedded database. */
export function ownerUrlOf({ dataDir }: Home): string {
  const { socketFolder, password } = JSON.parse(readFileSync(join(dataDir, 'postgres.json'), 'utf8'));
  return `postgres://carepost_owner:${password}@${encodeURIComponent(socketFolder)}/carepost`;
}

/** The process of a home's postmaster. */
export function postmasterOf({ dataDir }: Home): number {
  return Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
}
