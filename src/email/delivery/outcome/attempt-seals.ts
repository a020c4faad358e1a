import type { CustomerVault } from '../../../platform/vault/vault.ts';

interface Attempt {
  message_id: string;
  ordinal: number;
  attempts: number;
}

/** What of an attempt is sealed: what the peer said; and whom it went to, where no envelope names them. */
type Column = 'reply' | 'recipient';

/** Seals something of an attempt, as the text that the database takes for bytes. */
export function sealOfAttempt(keys: CustomerVault, attempt: Attempt, column: Column, text: string): string {
  return `\\x${keys.seal(placeOf(attempt, column), text).toString('hex')}`;
}

/** What was sealed of an attempt. */
export function openOfAttempt(keys: CustomerVault, attempt: Attempt, column: Column, sealed: Buffer): string {
  return keys.open(placeOf(attempt, column), sealed).toString();
}

function placeOf({ message_id: messageId, ordinal, attempts }: Attempt, column: Column) {
  return { table: 'delivery_attempts', row: `${messageId}/${ordinal}/${attempts}`, column };
}
