import type { ImportRow } from '../row.ts';
import type { ChunkDeps, Done, Running } from './running.ts';
import { sealAnew } from './seal-anew.ts';
import { stage } from './stage.ts';
import {
  CHANGE_PEOPLE,
  COUNT_DIFFERING,
  COUNT_ROWS,
  FIND_PEOPLE,
  HOLD_JOINING,
  HOLD_KNOWN,
  JOIN_LISTS,
  LEAVE_OUT,
  MAKE_PEOPLE,
  OPT_OUT,
  TELL_DRIPS,
} from './statements.ts';
import { optedOutAmong, suppressLeavers } from './suppressed.ts';

/** Makes and changes the people of a chunk, and puts them on their lists. */
export async function writePeople(deps: ChunkDeps, run: Running, people: readonly ImportRow[]): Promise<Done> {
  const { client, clock, keys } = deps;
  const { customerId, id, startedAt, lists } = run;
  await stage(deps, run, people);
  await client.query(MAKE_PEOPLE, [customerId, id, startedAt]);
  await leaveOut(deps, run, people);
  await client.query(FIND_PEOPLE, [customerId]);
  await optOut(deps, run, people);
  await sealAnew(client, keys, customerId, people);
  const now = clock.now();
  const { rows: differing } = await client.query(COUNT_DIFFERING, [customerId]);
  const { changed } = differing[0] as { changed: number };
  if (changed > 0) await client.query(CHANGE_PEOPLE, [customerId, id, startedAt, now]);
  await client.query(HOLD_JOINING, [customerId, lists]);
  await client.query(JOIN_LISTS, [customerId, lists, id, now]);
  if (run.startDrips) await client.query(TELL_DRIPS, [customerId, now]);
  const { rows: counted } = await client.query(COUNT_ROWS, [customerId, lists]);
  const { created, opted_out: optedOut } = counted[0] as { created: number; opted_out: number };
  return { created, changed, optedOut };
}

/** Whoever had an address may have been deleted as somebody who is out, until just now. */
async function leaveOut({ client, keys }: ChunkDeps, run: Running, people: readonly ImportRow[]): Promise<void> {
  const out = await optedOutAmong(client, keys, run.customerId, people);
  const numbers = [...people.entries()].flatMap(([number, row]) => (out.has(row) ? [number] : []));
  if (numbers.length > 0) await client.query(LEAVE_OUT, [run.customerId, numbers, run.startedAt]);
}

/** Those who are known already; whoever the import made has been out from the first. People before addresses, as elsewhere. */
async function optOut(deps: ChunkDeps, run: Running, people: readonly ImportRow[]): Promise<void> {
  const { client, clock } = deps;
  const numbers = [...people.entries()].flatMap(([number, { optedOut }]) => (optedOut ? [number] : []));
  if (numbers.length === 0) return;
  await client.query(HOLD_KNOWN, [run.customerId]);
  await client.query(OPT_OUT, [run.customerId, numbers, run.id, clock.now()]);
  await suppressLeavers(deps, run.customerId, people);
}
