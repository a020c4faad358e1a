import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Where the embedded PostgreSQL writes what happens to it. */
export function postmasterLog(dataDir: string): string {
  return join(dataDir, 'postgres.log');
}

/** How far its log goes by now. */
export function endOfLog(dataDir: string): number {
  return statSync(postmasterLog(dataDir), { throwIfNoEntry: false })?.size ?? 0;
}

/** The first thing that ended it since, in its own words; null where it has said none. */
export function complaintSince(dataDir: string, end: number): string | null {
  const said = readFileSync(postmasterLog(dataDir)).subarray(end).toString();
  // Before it has read its settings it says so without a time; that it is not ready yet is said to whoever comes too early.
  return /(?:\b(?:FATAL|PANIC): +|^postgres: )(?!the database system is )(.+)/m.exec(said)?.[1] ?? null;
}
