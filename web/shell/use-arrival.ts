import { useLocation } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef } from 'react';

/** Takes the focus to what a new page shows, so that a keyboard or a screen reader goes on from there. */
export function useArrival(): RefObject<HTMLElement | null> {
  const content = useRef<HTMLElement>(null);
  const path = useLocation({ select: ({ pathname }) => pathname });
  const shown = useRef(path);
  useEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    // A page that has put the focus somewhere itself knows better.
    if (content.current?.contains(document.activeElement) === false) content.current.focus({ preventScroll: true });
  }, [path]);
  return content;
}
