import type { Clock } from './clock.ts';

/** Keeps what was found out for a while, and never more than a number of things. */
export interface ExpiringMap<V> {
  get(key: string): V | undefined;
  set(key: string, value: V, forMs: number): void;
}

/** Makes a map that forgets by the clock, and the oldest entry first where it is full. */
export function createExpiringMap<V>(clock: Clock, most: number): ExpiringMap<V> {
  const entries = new Map<string, { value: V; until: number }>();
  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      if (clock.now().getTime() < entry.until) return entry.value;
      entries.delete(key);
      return undefined;
    },
    set(key, value, forMs) {
      entries.delete(key);
      if (forMs <= 0) return;
      entries.set(key, { value, until: clock.now().getTime() + forMs });
      if (entries.size > most) entries.delete(entries.keys().next().value as string);
    },
  };
}
