import type { DeliveryMode } from './delivery-mode.ts';
import { type DkimKey, KEPT_MS } from './dkim-keys.ts';

/**
 * The keys that sign now: those of one pair, of the longest domain. Outside the sandbox a key signs once its record has
 * been seen; a pair that was retired signs on where there is no other, for as long as it is kept, so that mail which was
 * accepted before its domain was taken away is signed too.
 */
export function chooseKeys(keys: readonly DkimKey[], mode: DeliveryMode): DkimKey[] {
  const usable = keys.filter((key) => (mode === 'sandbox' ? key.retired_at === null : key.seen_at !== null));
  const [best] = usable
    .filter(({ algorithm }) => algorithm === 'rsa')
    .toSorted(
      (a, b) =>
        Number(a.retired_at !== null) - Number(b.retired_at !== null) ||
        b.domain.length - a.domain.length ||
        b.pair - a.pair,
    );
  return usable.filter(({ domain, pair }) => domain === best?.domain && pair === best.pair);
}

/** Whether the record of a key is still to be there. */
export function isPublished({ retired_at: retiredAt }: DkimKey, now: Date): boolean {
  return retiredAt === null || retiredAt.getTime() + KEPT_MS > now.getTime();
}
