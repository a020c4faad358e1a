import { useBlocker } from '@tanstack/react-router';
import { words } from '../words/shared.ts';

/** Asks before what is not saved is lost by going elsewhere. */
export function useLeaveQuestion(isDirty: boolean): void {
  useBlocker({
    shouldBlockFn: () => isDirty && !window.confirm(words.unsaved),
    enableBeforeUnload: () => isDirty,
  });
}
