import { type RecordRef, recordAct } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Affected } from './affected.ts';

/** As many ids as a page of any list shows at most. */
const MOST_IN_A_ROW = 1_000;

/** Writes down that somebody was told whose records others saw, with the ids of those records; in several rows where they are many. */
export async function recordShown(
  tx: Tx,
  clock: Clock,
  act: Act,
  { target, details, affected }: { target: string; details: Record<string, string>; affected: Affected },
): Promise<void> {
  const { people, nameless } = affected;
  const named = new Map(
    [...people.flatMap(({ records }) => records), ...nameless].map((ref) => [`${ref.kind}/${ref.id}`, ref]),
  );
  const all = [...named.values()];
  for (let at = 0; at === 0 || at < all.length; at += MOST_IN_A_ROW) {
    const ids = idsByKind(all.slice(at, at + MOST_IN_A_ROW));
    await recordAct(tx, clock, act, { target, details: { ...details, people: people.length, ...ids } });
  }
}

function idsByKind(records: RecordRef[]): Record<string, string[]> {
  const ids: Record<string, string[]> = {};
  for (const { kind, id } of records) (ids[`${kind}s`] ??= []).push(id);
  return ids;
}
