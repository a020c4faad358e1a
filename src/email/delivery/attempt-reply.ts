import type { CustomerVault } from '../../platform/vault/vault.ts';

interface Attempt {
  message_id: string;
  ordinal: number;
  attempts: number;
}

/** Seals what a peer said to an attempt, as the text that the database takes for bytes. */
export function sealReply(keys: CustomerVault, attempt: Attempt, reply: string): string {
  return `\\x${keys.seal(placeOf(attempt), reply).toString('hex')}`;
}

/** What a peer said to an attempt. */
export function openReply(keys: CustomerVault, attempt: Attempt, sealed: Buffer): string {
  return keys.open(placeOf(attempt), sealed).toString();
}

function placeOf({ message_id: messageId, ordinal, attempts }: Attempt) {
  return { table: 'delivery_attempts', row: `${messageId}/${ordinal}/${attempts}`, column: 'reply' };
}
