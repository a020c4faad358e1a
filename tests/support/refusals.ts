import assert from 'node:assert/strict';
import { type Client, withConnection } from '../../src/platform/db/pool.ts';
import type { TestApp } from './app.ts';
import type { Answer } from './raw-request.ts';

/** Stand for whatever a caller may send by mistake: no error and no log line repeats them. */
export const MARKER = 'zq7canary';
export const NUMBER_MARKER = 770_177_017_701;

/** A request that has to be refused. */
export interface Case {
  what: string;
  errorKeys: string[];
  status?: number;
  send(): Promise<Answer>;
}

/** Sends each, and fails unless all are refused as they should be, unlogged and without a trace in the database. */
export async function assertRefused(app: TestApp, cases: Case[]): Promise<void> {
  assert.notEqual(cases.length, 0);
  const count = () => withConnection(app.installation.ownerUrl, countRows);
  const rows = await count();
  const faults: string[] = [];
  for (const { what, errorKeys, status, send } of cases) {
    const answer = await send();
    if (status !== undefined && answer.status !== status) faults.push(`${what}: ${answer.status}, not ${status}`);
    faults.push(...faultsOf(answer, errorKeys).map((fault) => `${what}: ${fault}`));
  }
  assert.deepEqual(faults, []);
  assert.deepEqual(await count(), rows, 'nothing is stored');
  assertNothingLogged(app);
}

/** What is wrong with a refusal; nothing, where it is a 4xx in the error body of its area that tells no value. */
export function faultsOf({ status, headers, text }: Answer, errorKeys: string[]): string[] {
  const faults: string[] = [];
  if (status < 400 || status >= 500) faults.push(`answered ${status}`);
  if (!/^application\/json\b/.test(headers['content-type'] ?? '')) faults.push('not JSON');
  const { fields, told } = readRefusal(text);
  const keys = Object.keys(told).join();
  if (keys !== errorKeys.join()) faults.push(`error body with ${keys || 'nothing'}`);
  if (!/^[0-9a-f-]{36}$/.test(String(headers['x-request-id']))) faults.push('no request id');
  const words = JSON.stringify([fields, told]);
  if (words.includes(MARKER) || words.includes(String(NUMBER_MARKER))) faults.push('repeats what was sent');
  return faults;
}

/** A tracking id that names no message goes back to its sender; nothing else does. */
function readRefusal(text: string): { fields: unknown; told: object } {
  try {
    const { fields, sourceTrackingId: _returned, ...told } = JSON.parse(text);
    return { fields, told };
  } catch {
    return { fields: text, told: {} };
  }
}

export function assertNothingLogged(app: TestApp): void {
  const log = app.logged();
  assert.ok(!log.includes(MARKER) && !log.includes(String(NUMBER_MARKER)), 'the log repeats what was sent');
  const failure = log.split('\n').find((line) => line.includes('request failed'));
  assert.equal(failure, undefined, 'the log tells of no failure');
}

/** The tables that are counted: all but the counted requests, which count whatever becomes of them. */
export const COUNTED = `select relname as name from pg_class
  where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace
    and relname <> 'rate_counts' order by relname`;

/** How many rows each table has. */
async function countRows(client: Client): Promise<Record<string, number>> {
  const { rows: tables } = await client.query(COUNTED);
  const counts = tables.map(({ name }) => `select '${name}' as name, count(*)::int as count from ${name}`);
  const { rows } = await client.query(counts.join(' union all '));
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}
