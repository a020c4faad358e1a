import { randomInt } from 'node:crypto';
import type { Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/db/database.ts';
import type { CustomerVault } from '../../../platform/vault/vault.ts';
import '../tables.ts';

const COUNT = 10;
const LENGTH = 20;
/** Without letters and digits that are taken for one another. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz';

interface Keeping {
  clock: Clock;
  /** The keys of the installation. */
  keys: CustomerVault;
}

/** Makes ten codes in place of those that are left. This is the only time that they can be seen. */
export async function makeBreakGlassCodes(tx: Tx, { clock, keys }: Keeping): Promise<string[]> {
  const codes = Array.from({ length: COUNT }, newCode);
  await tx.deleteFrom('break_glass_codes').where('used_at', 'is', null).execute();
  const rows = codes.map((code) => ({
    code_index: indexOf(keys, code),
    created_at: clock.now(),
    used_at: null,
    grant_id: null,
  }));
  await tx.insertInto('break_glass_codes').values(rows).execute();
  return codes.map((code) => (code.match(/.{5}/g) as string[]).join('-'));
}

/** Whether a code is one that is left, however it is spaced; it works once. */
export async function takeBreakGlassCode(
  tx: Tx,
  { clock, keys }: Keeping,
  { code, grantId }: { code: string; grantId: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('break_glass_codes')
    .set({ used_at: clock.now(), grant_id: grantId })
    .where('code_index', '=', indexOf(keys, code.replace(/[\s-]/g, '').toLowerCase()))
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** How many codes are left. */
export async function countBreakGlassCodes(tx: Tx): Promise<number> {
  const { left } = await tx
    .selectFrom('break_glass_codes')
    .select((eb) => eb.fn.countAll<string>().as('left'))
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(left);
}

function newCode(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

function indexOf(keys: CustomerVault, code: string): Buffer {
  return keys.blindIndex('break-glass code', code);
}
