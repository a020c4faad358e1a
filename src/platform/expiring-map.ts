import type { Clock } from './clock.ts';

/** Keeps what was found out for a while, and never more than so much of it. */
export interface ExpiringMap<V> {
  get(key: string): V | undefined;
  set(key: string, value: V, forMs: number): void;
}

/** Makes a map that forgets by the clock, and the oldest entries first where they are more than fits, by number or by size. */
export function createExpiringMap<V>(
  clock: Clock,
  most: number,
  sizeOf: (value: V) => number = () => 1,
): ExpiringMap<V> {
  const entries = new Map<string, { value: V; until: number; size: number }>();
  let held = 0;

  function forget(key: string): void {
    held -= entries.get(key)?.size ?? 0;
    entries.delete(key);
  }

  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      if (clock.now().getTime() < entry.until) return entry.value;
      forget(key);
      return undefined;
    },
    set(key, value, forMs) {
      forget(key);
      const size = sizeOf(value);
      if (forMs <= 0 || size > most) return;
      entries.set(key, { value, until: clock.now().getTime() + forMs, size });
      held += size;
      while (held > most) forget(entries.keys().next().value as string);
    },
  };
}
