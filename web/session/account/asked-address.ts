import { useState } from 'react';
import type { Reply } from '../../api/client.ts';
import { onForget } from '../session.ts';

/** An address that a code was asked for, and what goes with the code. */
export type Asked = Reply<'askForAddress'> & { email: string };

/** The code is good for this session alone, so nobody needs it afterwards. */
let kept: Asked | null = null;
onForget(() => {
  kept = null;
});

/** The address that somebody has asked for; still there for whoever comes back after reading their mail elsewhere. */
export function useAskedAddress(): [Asked | null, (asked: Asked | null) => void] {
  const [asked, setAsked] = useState(() => (kept !== null && new Date(kept.until) > new Date() ? kept : null));
  const change = (next: Asked | null) => {
    kept = next;
    setAsked(next);
  };
  return [asked, change];
}
