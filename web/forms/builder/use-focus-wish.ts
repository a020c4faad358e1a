import { type RefObject, useCallback, useEffect, useState } from 'react';

type Place = 'row' | 'properties';

/** Puts the focus on what is selected, or on its first property, once it has been drawn. */
export function useFocusWish(whole: RefObject<HTMLElement | null>, selected: string | null) {
  // Drawn together with the selection that it is about: an earlier drawing cannot use it up.
  const [wish, setWish] = useState<{ place: Place } | null>(null);
  useEffect(() => {
    if (wish?.place === 'row') whole.current?.querySelector<HTMLElement>(`[data-row="${selected}"]`)?.focus();
    if (wish?.place !== 'properties') return;
    const first = document.querySelector<HTMLInputElement>('[data-properties] [data-first]');
    first?.focus();
    first?.select();
  }, [wish]);
  return useCallback((place: Place) => setWish({ place }), []);
}
