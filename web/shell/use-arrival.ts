import { useRouterState } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef } from 'react';

/** Takes the focus to what a new page shows, so that a keyboard or a screen reader goes on from there. */
export function useArrival(): RefObject<HTMLElement | null> {
  const content = useRef<HTMLElement>(null);
  // Known once the new page stands there; until then what was clicked still has the focus.
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  const shown = useRef(path);
  useEffect(() => {
    const before = shown.current;
    shown.current = path;
    if (before === undefined || before === path) return;
    // A page that has put the focus somewhere itself knows better.
    if (content.current?.contains(document.activeElement) === false) content.current.focus({ preventScroll: true });
  }, [path]);
  return content;
}
