import type { CustomerVault } from '../../platform/vault/vault.ts';
import '../tables.ts';

/** What a legal hold can keep: everything, what is about a person, or one object. */
export const HOLD_KINDS = ['customer', 'person', 'form', 'submission', 'message'] as const;
export type HoldKind = (typeof HOLD_KINDS)[number];

/** What a hold keeps. A person's address is known by blind indexes of it, one for each column that it is looked for in. */
export type Held =
  | { kind: 'customer' }
  | { kind: 'person'; email: string; indexes: Buffer[] }
  | { kind: 'form' | 'submission' | 'message'; target: string };

/** A legal hold as it is shown. */
export interface Hold {
  id: string;
  kind: HoldKind;
  target: string | null;
  email: string | null;
  reason: string;
  setAt: Date;
  setBy: { kind: string; id: string };
  releasedAt: Date | null;
  releaseReason: string | null;
}

interface Told {
  reason: string;
  email: string | null;
}

const placeOf = (id: string, column: 'sealed' | 'release') => ({ table: 'legal_holds', row: id, column });

/** Seals why something is held, and whom it is about. */
export function sealHold(keys: CustomerVault, id: string, told: Told): Buffer {
  return keys.seal(placeOf(id, 'sealed'), JSON.stringify(told));
}

/** Opens what was sealed. */
export function openHold(keys: CustomerVault, id: string, sealed: Buffer): Told {
  return JSON.parse(keys.open(placeOf(id, 'sealed'), sealed).toString()) as Told;
}

/** Seals why a hold was released. */
export function sealRelease(keys: CustomerVault, id: string, reason: string): Buffer {
  return keys.seal(placeOf(id, 'release'), reason);
}

/** Opens why it was. */
export function openRelease(keys: CustomerVault, id: string, sealed: Buffer): string {
  return keys.open(placeOf(id, 'release'), sealed).toString();
}
