import { Secret, TOTP } from 'otpauth';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import type { Who } from '../sessions/begin-session.ts';
import '../tables.ts';

const PERIOD_SECONDS = 30;
const SECRET_BYTES = 20; // what RFC 4226 recommends
const ISSUER = 'Carepost';
const CODE = /^[0-9]{6}$/;

/** What somebody puts into an authenticator app. */
export interface TotpEnrolment {
  secret: string;
  uri: string;
}

/** Keeps a new secret until a code of it is shown; one that counts already goes on counting until then. */
export async function enrolTotp(tx: Tx, keys: CustomerVault, who: Who, email: string): Promise<TotpEnrolment> {
  const totp = generatorOf(new Secret({ size: SECRET_BYTES }), email);
  const pending = keys.seal(placeOf(who, 'pending'), Buffer.from(totp.secret.bytes));
  await tx
    .insertInto('user_totp')
    .values({ user_id: who.userId, customer_id: who.customerId, secret: null, pending, confirmed_at: null })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ pending }))
    .execute();
  return { secret: totp.secret.base32, uri: totp.toString() };
}

/** Takes the new secret into use where the code is of it; false where it is not, or where none waits. */
export async function confirmTotp(
  tx: Tx,
  { clock, keys }: { clock: Clock; keys: CustomerVault },
  who: Who,
  code: string,
): Promise<boolean> {
  const row = await readRow(tx, who);
  if (row === undefined || row.pending === null) return false;
  const secret = keys.open(placeOf(who, 'pending'), row.pending);
  const step = stepOf(clock, secret, code);
  if (step === null) return false;
  const sealed = keys.seal(placeOf(who, 'secret'), secret);
  await tx
    .updateTable('user_totp')
    .set({ secret: sealed, pending: null, confirmed_at: clock.now(), last_step: step })
    .where('customer_id', '=', who.customerId)
    .where('user_id', '=', who.userId)
    .execute();
  return true;
}

/** Whether a code is right now; it is right only once. */
export async function takeTotp(
  tx: Tx,
  { clock, keys }: { clock: Clock; keys: CustomerVault },
  who: Who,
  code: string,
): Promise<boolean> {
  const row = await readRow(tx, who);
  if (row === undefined || row.secret === null) return false;
  const step = stepOf(clock, keys.open(placeOf(who, 'secret'), row.secret), code);
  if (step === null) return false;
  const { numUpdatedRows } = await tx
    .updateTable('user_totp')
    .set({ last_step: step })
    .where('customer_id', '=', who.customerId)
    .where('user_id', '=', who.userId)
    .where('last_step', '<', step)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Forgets the app of a person; false where there was none. */
export async function removeTotp(tx: Tx, who: Who): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('user_totp')
    .where('customer_id', '=', who.customerId)
    .where('user_id', '=', who.userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

async function readRow(tx: Tx, who: Who) {
  return tx
    .selectFrom('user_totp')
    .select(['secret', 'pending'])
    .where('customer_id', '=', who.customerId)
    .where('user_id', '=', who.userId)
    .forUpdate()
    .executeTakeFirst();
}

/** The step of time that a code belongs to, one before and one after included; null where it is of none. */
function stepOf(clock: Clock, secret: Buffer, code: string): number | null {
  // otpauth compares bytes, and throws where six characters are more bytes than six digits.
  if (!CODE.test(code)) return null;
  const timestamp = clock.now().getTime();
  const delta = generatorOf(new Secret({ buffer: new Uint8Array(secret).buffer }), '').validate({
    token: code,
    timestamp,
    window: 1,
  });
  return delta === null ? null : Math.floor(timestamp / (PERIOD_SECONDS * 1000)) + delta;
}

function generatorOf(secret: Secret, label: string): TOTP {
  return new TOTP({ issuer: ISSUER, label, secret, algorithm: 'SHA1', digits: 6, period: PERIOD_SECONDS });
}

function placeOf({ userId }: Who, column: 'secret' | 'pending') {
  return { table: 'user_totp', row: userId, column };
}
