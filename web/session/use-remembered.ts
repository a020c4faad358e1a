import { useState } from 'react';
import { onForget } from './session.ts';

/** In memory only: what somebody looked for may be a patient’s name. */
const remembered = new Map<string, { place: string; value: unknown }>();
onForget(() => remembered.clear());

/** A state that is there again for whoever comes back from something within the place, and gone for whoever went elsewhere. */
export function useRemembered<T>(place: string, name: string, first: T): [T, (value: T) => void] {
  const key = `${place} ${name}`;
  const [value, setValue] = useState(() => (remembered.has(key) ? (remembered.get(key)?.value as T) : first));
  const change = (next: T) => {
    remembered.set(key, { place, value: next });
    setValue(next);
  };
  return [value, change];
}

/** Forgets what belongs to places that somebody has left by going to an address. */
export function forgetPlacesOutside(path: string): void {
  for (const [key, { place }] of remembered) if (!`${path}/`.startsWith(`${place}/`)) remembered.delete(key);
}
