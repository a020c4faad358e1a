import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';

const PREFIX = 'carepost-verify-';
/** Names the process that a folder belongs to. */
const NOTE = 'process.json';
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

interface Keeper {
  host: string;
  pid: number;
  life: string | null;
}

/** Thrown where a signal cut the work off. */
export class Stopped extends Error {}

/**
 * Gives work a temporary folder that is removed afterwards, also where SIGINT or SIGTERM asks the process to end: the
 * work is told by its signal to stop, and then fails with Stopped. What a process left that was killed goes before.
 */
export async function withScratch<T>(work: (folder: string, signal: AbortSignal) => Promise<T>): Promise<T> {
  await removeLeft();
  const folder = await mkdtemp(join(tmpdir(), PREFIX));
  const stopping = new AbortController();
  const stop = (name: string) => stopping.abort(new Stopped(`stopped by ${name}; the copy was removed`));
  for (const name of SIGNALS) process.on(name, stop);
  try {
    const keeper: Keeper = { host: hostname(), pid: process.pid, life: lifeOf(process.pid) };
    await writeFile(join(folder, NOTE), JSON.stringify(keeper), { mode: 0o600 });
    const result = await work(folder, stopping.signal);
    stopping.signal.throwIfAborted();
    return result;
  } catch (error) {
    throw stopping.signal.aborted ? stopping.signal.reason : error;
  } finally {
    await remove(folder);
    for (const name of SIGNALS) process.off(name, stop);
  }
}

/** Removes the folders of processes that are gone; what cannot be removed yet is met again the next time. */
async function removeLeft(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const folder = join(tmpdir(), name);
    if (name.startsWith(PREFIX) && (await isLeft(folder))) await remove(folder).catch(() => undefined);
  }
}

/** The note goes last: without it nobody would know that the rest may go. */
async function remove(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name !== NOTE);
  for (const name of names) await rm(join(folder, name), { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
}

/** The folder may be seen from several machines, of which each knows its own processes. */
async function isLeft(folder: string): Promise<boolean> {
  try {
    const { host, pid, life } = JSON.parse(await readFile(join(folder, NOTE), 'utf8')) as Keeper;
    return host === hostname() && lifeOf(pid) !== life;
  } catch {
    return false; // only just made, or another user's
  }
}

/** When a process began, which tells it from a later one of the same number; null where none of this user is there. */
function lifeOf(pid: number): string | null {
  try {
    process.kill(pid, 0);
    if (process.platform !== 'linux') return 'runs';
    const afterName = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, '');
    return afterName.split(' ')[19] ?? null; // field 22 of proc(5)
  } catch {
    return null;
  }
}
