import { createHash } from 'node:crypto';
import { recordAct } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';

/** Whether somebody else could read what comes once these recipients take the place of those. */
export function areOthers(recipients: readonly string[], before: readonly string[]): boolean {
  return new Set(recipients).symmetricDifference(new Set(before)).size > 0;
}

/** Writes down who can read what comes from now on, so that the clinic can hold it against its own keys. */
export async function recordRecipients(
  tx: Tx,
  { clock, act }: { clock: Clock; act: Act },
  formId: string,
  { now, before }: { now: readonly string[]; before: readonly string[] },
): Promise<void> {
  const details = { recipients: now.map(fingerprintOf), before: before.map(fingerprintOf) };
  await recordAct(tx, clock, { ...act, action: 'form.recipients-changed' }, { target: formId, details });
}

function fingerprintOf(recipient: string): string {
  return createHash('sha256').update(recipient).digest('hex');
}
