import { useSyncExternalStore } from 'react';

const WIDE = '(min-width: 64rem)';

/** Whether the window has room for three parts side by side. */
export function useWide(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const query = matchMedia(WIDE);
      query.addEventListener('change', listener);
      return () => query.removeEventListener('change', listener);
    },
    () => matchMedia(WIDE).matches,
  );
}
