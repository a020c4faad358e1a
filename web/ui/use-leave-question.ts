import { useBlocker } from '@tanstack/react-router';
import { words } from '../words/shared.ts';

/** Asks before what is not saved is lost by going elsewhere. */
export function useLeaveQuestion(isDirty: boolean): void {
  useBlocker({
    // Whoever skips to the content stays on the page.
    shouldBlockFn: ({ current, next }) =>
      isDirty && current.pathname !== next.pathname && !window.confirm(words.unsaved),
    enableBeforeUnload: () => isDirty,
  });
}
