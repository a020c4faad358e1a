import type { Drip } from './drip.ts';

/** How far apart the clocks of the first zone and the last one are. */
const ALL_ZONES_MS = 26 * 3600_000;

/**
 * What dates count as seen once a drip goes by another zone: what had yet to come by the old one may be over by the new. Who
 * entered by a day does not enter by it again, and what came before the drip ran, or in a pause, stays left out.
 */
export function datesToSeeAgain(drip: Drip, zone: string): Partial<Pick<Drip, 'dates_seen_at'>> {
  const { state, time_zone: before, dates_seen_at: seen, started_at: startedAt, pauses } = drip;
  if (state !== 'running' || zone === before || seen === null || startedAt === null) return {};
  const goesOnSince = pauses.map(({ to }) => Date.parse(to));
  const from = Math.max(seen.getTime() - ALL_ZONES_MS, startedAt.getTime(), ...goesOnSince);
  return { dates_seen_at: new Date(Math.min(from, seen.getTime())) };
}
