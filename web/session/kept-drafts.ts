import { useEffect, useRef, useState } from 'react';
import { hasLostSession, useUser } from './session.ts';

interface Kept {
  userId: string;
  draft: unknown;
}

/** In memory only: whoever closes the window or signs out leaves nothing behind. */
const drafts = new Map<string, Kept>();

/** What this person was writing here when the session ended by itself; undefined where nothing was. */
export function useKeptDraft(place: string): unknown {
  const { id } = useUser();
  return useState(() => takeDraft(place, id))[0];
}

function takeDraft(place: string, userId: string): unknown {
  const kept = drafts.get(place);
  if (kept === undefined) return undefined;
  if (kept.userId === userId) drafts.delete(place);
  else drafts.clear(); // somebody else is here now
  return kept.userId === userId ? kept.draft : undefined;
}

/** Keeps what is being written here for the same person, should the session end before it is saved; null is nothing. */
export function useKeeping(place: string, draft: unknown): void {
  const { id: userId } = useUser();
  const latest = useRef(draft);
  latest.current = draft;
  useEffect(
    () => () => {
      if (latest.current !== null && hasLostSession()) drafts.set(place, { userId, draft: latest.current });
    },
    [place, userId],
  );
}
