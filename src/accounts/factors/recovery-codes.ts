import { randomInt } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import type { Who } from '../sessions/begin-session.ts';
import '../tables.ts';

const COUNT = 10;
const LENGTH = 16;
/** Without letters and digits that are taken for one another. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz';

interface Keeping {
  clock: Clock;
  keys: CustomerVault;
}

/** Makes ten codes in place of any before. This is the only time that they can be seen. */
export async function makeRecoveryCodes(tx: Tx, { clock, keys }: Keeping, who: Who): Promise<string[]> {
  const codes = Array.from({ length: COUNT }, newCode);
  await removeRecoveryCodes(tx, who);
  const rows = codes.map((code) => ({
    user_id: who.userId,
    customer_id: who.customerId,
    code_index: indexOf(keys, who, code),
    created_at: clock.now(),
    used_at: null,
  }));
  await tx.insertInto('user_recovery_codes').values(rows).execute();
  return codes.map((code) => (code.match(/.{4}/g) as string[]).join('-'));
}

/** Whether a code is one of a person's, however it is spaced; it works once. */
export async function takeRecoveryCode(tx: Tx, { clock, keys }: Keeping, who: Who, code: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('user_recovery_codes')
    .set({ used_at: clock.now() })
    .where('customer_id', '=', who.customerId)
    .where('user_id', '=', who.userId)
    .where('code_index', '=', indexOf(keys, who, code.replace(/[\s-]/g, '').toLowerCase()))
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Forgets all codes of a person. */
export async function removeRecoveryCodes(tx: Tx, who: Who): Promise<void> {
  await tx
    .deleteFrom('user_recovery_codes')
    .where('customer_id', '=', who.customerId)
    .where('user_id', '=', who.userId)
    .execute();
}

function newCode(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

function indexOf(keys: CustomerVault, { userId }: Who, code: string): Buffer {
  return keys.blindIndex('recovery code', `${userId}/${code}`);
}
