import type { DeliveryMode } from './delivery-mode.ts';
import { type DkimKey, KEPT_MS } from './dkim-keys.ts';

/**
 * The keys that sign now: those of one pair, of the longest domain. Outside the sandbox a key signs once its record has
 * been seen; a pair that was retired signs on for a while where there is no other, so that mail which was accepted
 * before its domain was taken away is signed too.
 */
export function chooseKeys(keys: readonly DkimKey[], mode: DeliveryMode, now: Date): DkimKey[] {
  const usable = keys.filter((key) =>
    mode === 'sandbox' ? key.retired_at === null : key.seen_at !== null && isPublished(key, now),
  );
  const [best] = usable
    .filter(({ algorithm }) => algorithm === 'rsa')
    .toSorted(
      (a, b) =>
        b.domain.length - a.domain.length ||
        Number(a.retired_at !== null) - Number(b.retired_at !== null) ||
        b.pair - a.pair,
    );
  return usable.filter(({ domain, pair }) => domain === best?.domain && pair === best.pair);
}

/** Whether the record of a key is still to be there. */
export function isPublished({ retired_at: retiredAt }: DkimKey, now: Date): boolean {
  return retiredAt === null || retiredAt.getTime() + KEPT_MS > now.getTime();
}
