import { type RefObject, useCallback, useEffect, useRef } from 'react';

/** Puts the focus on what is selected, or on its first property, once it has been drawn. */
export function useFocusWish(whole: RefObject<HTMLElement | null>, selected: string | null) {
  const wish = useRef<'row' | 'properties' | null>(null);
  useEffect(() => {
    const wanted = wish.current;
    wish.current = null;
    if (wanted === 'row') whole.current?.querySelector<HTMLElement>(`[data-row="${selected}"]`)?.focus();
    if (wanted !== 'properties') return;
    const first = document.querySelector<HTMLInputElement>('[data-properties] [data-first]');
    first?.focus();
    first?.select();
  });
  return useCallback(
    (what: 'row' | 'properties') => {
      wish.current = what;
      // Where nothing else changes, nothing is drawn anew.
      if (what === 'row') whole.current?.querySelector<HTMLElement>(`[data-row="${selected}"]`)?.focus();
    },
    [whole, selected],
  );
}
