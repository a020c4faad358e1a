import { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { setDoorkeeper } from '../api/client.ts';
import { readProblem } from '../api/problem.ts';

export interface SessionUser {
  id: string;
  email: string;
  name: string;
  role: 'owner' | 'admin' | 'editor' | 'reader' | 'operator';
}

/** How this browser stands with the server. */
export interface Session {
  /** `enrol`: a second factor must be set up first; `factor`: it must be shown. */
  state: 'signed-out' | 'enrol' | 'factor' | 'open';
  user: SessionUser | null;
  customer: { id: number; name: string; username: string } | null;
  csrf: string | null;
  methods: { totp: boolean; passkeys: number; recovery_codes: number } | null;
  fresh_until: string | null;
  idle_seconds: number;
  delivery: string;
  public_url: string;
  version: string;
  agreement_in_force: boolean | null;
  /** Emergency access that is open: to this customer, or, where `acting`, by whoever is signed in here. */
  emergency: { grant_id: string; until: string; acting: boolean } | null;
}

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // Who has no connection is told so at once.
      networkMode: 'always',
      refetchOnReconnect: true,
      retry: (count, error) => count < 2 && 'status' in error && error.status === 0,
      staleTime: 5_000,
      // Each time that health data is read stands in the audit log: coming back to a window is not reading it again.
      refetchOnWindowFocus: false,
    },
    // What waits for a connection would be sent when whoever asked for it has long gone elsewhere.
    mutations: { networkMode: 'always' },
  },
});

let session: Session | null = null;
let stepUpAsked: ((shown: boolean) => void) | null = null;
const listeners = new Set<() => void>();
const forgetters = new Set<() => void>();

/** Names what else must be forgotten as soon as nobody is signed in. */
export function onForget(forgetter: () => void): void {
  forgetters.add(forgetter);
}

function changed(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

let newest: Promise<void> | null = null;

/** Asks the server how this browser stands with it; of several questions the last one's answer counts. */
export function loadSession(): Promise<void> {
  const asking: Promise<void> = askForSession(() => newest === asking);
  newest = asking;
  return asking;
}

async function askForSession(isNewest: () => boolean): Promise<void> {
  const reply = await fetch('/app/api/session');
  if (!reply.ok) throw await readProblem(reply);
  const next = (await reply.json()) as Session;
  if (!isNewest()) return newest ?? undefined;
  if (next.state === 'signed-out' && session?.state === 'open') return forgetSession();
  // What one person saw is not for the next one.
  if (session !== null && session.user?.id !== next.user?.id) forgetWhatWasRead();
  session = next;
  changed();
}

function forgetWhatWasRead(): void {
  queries.clear();
  for (const forgetter of forgetters) forgetter();
}

/**
 * Forgets everything that was read, at once: what the page showed is gone before the server is asked. Whoever was here
 * is kept in mind, unless they left by themselves.
 */
export function forgetSession({ left = false }: { left?: boolean } = {}): void {
  forgetWhatWasRead();
  if (session !== null) {
    session = { ...session, state: 'signed-out', csrf: null, user: left ? null : session.user };
  }
  stepUpAsked?.(false);
  stepUpAsked = null;
  changed();
}

setDoorkeeper({
  csrf: () => session?.csrf ?? null,
  user: () => session?.user?.id ?? null,
  stepUp: () =>
    new Promise((resolve) => {
      stepUpAsked?.(false);
      stepUpAsked = resolve;
      changed();
    }),
  // A call that was under way while the session got a new token is refused too, so the server is asked once more.
  signedOut: () => {
    if (session?.state === 'open') loadSession().catch(() => forgetSession());
  },
});

/** Whether the session ended by itself, so that whoever was here will want to go on. */
export function hasLostSession(): boolean {
  return session?.state === 'signed-out' && session.user !== null;
}

/** The session of this browser; null until the server has answered. */
export function useSession(): Session | null {
  return useSyncExternalStore(subscribe, () => session);
}

/** The person who is signed in. Only for what stands inside of the rooms. */
export function useUser(): SessionUser {
  const user = useSession()?.user ?? null;
  if (user === null) throw new Error('Nobody is signed in');
  return user;
}

/** Whether the person has at least this role; an operator has none of them. */
export function useMay(role: 'reader' | 'editor' | 'admin' | 'owner'): boolean {
  const ranks = ['reader', 'editor', 'admin', 'owner'];
  return ranks.indexOf(useUser().role) >= ranks.indexOf(role);
}

/** Whether a call waits for the second factor, and how to answer it. */
export function useStepUp(): ((shown: boolean) => void) | null {
  const asked = useSyncExternalStore(subscribe, () => stepUpAsked);
  if (asked === null) return null;
  return (shown) => {
    stepUpAsked = null;
    changed();
    asked(shown);
  };
}
