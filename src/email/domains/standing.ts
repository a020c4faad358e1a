import type { Selectable } from 'kysely';
import type { Tables } from '../../platform/db/tables.ts';
import type { Finding } from './compare.ts';
import '../tables.ts';

export type Standing = Pick<
  Selectable<Tables['sending_domains']>,
  'state' | 'verified_at' | 'missed' | 'missing_since'
>;

/** A verified domain fails after so many checks in a row over so long a time: a slip of an hour stops nobody's mail. */
const CHECKS = 3;
const TIME_MS = 24 * 3600_000;

/** How a domain stands after a check of its required records. A question that was not answered changes nothing. */
export function nextStanding(before: Standing, required: readonly Finding['status'][], now: Date): Standing {
  if (required.every((status) => status === 'found')) {
    return { state: 'verified', verified_at: before.verified_at ?? now, missed: 0, missing_since: null };
  }
  if (!required.some((status) => status === 'missing' || status === 'differs')) return before;
  const missed = before.missed + 1;
  const since = before.missing_since ?? now;
  const hasFailed = missed >= CHECKS && now.getTime() - since.getTime() >= TIME_MS;
  const state = before.state === 'verified' && hasFailed ? 'failing' : before.state;
  return { ...before, state, missed, missing_since: since };
}
