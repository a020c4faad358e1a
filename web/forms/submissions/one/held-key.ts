import { onForget } from '../../../session/session.ts';

/** The key of a clinic while it is used: in the memory of this tab, for the person who gave it, and nowhere else. */
let held: { userId: string; identities: readonly string[] } | null = null;

/** The identities that a person has given in this tab. */
export function heldKey(userId: string): readonly string[] | null {
  return held?.userId === userId ? held.identities : null;
}

/** Holds the identities of a person until the tab is closed, they sign out or the identities are forgotten. */
export function holdKey(userId: string, identities: readonly string[]): void {
  held = { userId, identities };
}

/** Forgets them. */
export function forgetKey(): void {
  held = null;
}

onForget(forgetKey);
