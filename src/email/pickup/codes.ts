import { randomInt, timingSafeEqual } from 'node:crypto';
import { recordAct } from '../../accounts/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { timeOrderedId } from '../../platform/ids.ts';
import type { CustomerVault, Vault } from '../../platform/vault/vault.ts';
import type { AcceptMessages } from '../submission/accept.ts';
import { actOf } from './act-of.ts';
import { codeMail } from './code-mail.ts';
import type { Pickup } from './find-pickup.ts';
import { holdPickup } from './hold-pickup.ts';
import {
  CODE_DIGITS,
  CODE_MINUTES,
  CODE_TRIES,
  CODES_A_DAY,
  CODES_AN_HOUR,
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
} from './rules.ts';
import { beginSession } from './sessions.ts';
import '../tables.ts';

interface Deps {
  db: Database;
  vault: Vault;
  clock: Clock;
}

export interface SendDeps extends Deps {
  acceptMessages: AcceptMessages;
  systemFrom: string;
  /** A whole number below a limit. */
  random?: (limit: number) => number;
}

/** Mails a new code to the recipient, which takes the place of any before; false where too many were sent already. */
export async function sendCode(deps: SendDeps, pickup: Pickup, requestId: string): Promise<boolean> {
  const { vault, clock, acceptMessages, random = randomInt } = deps;
  const keys = await vault.of(pickup.customerId);
  const code = String(random(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
  const kept = await deps.db.tenant([pickup.customerId], async (tx) => {
    await holdPickup(tx, pickup);
    const lastDay = await sentSince(tx, pickup, new Date(clock.now().getTime() - DAY_MS));
    const hourAgo = clock.now().getTime() - HOUR_MS;
    const lastHour = lastDay.filter((at) => at.getTime() > hourAgo);
    if (lastDay.length >= CODES_A_DAY || lastHour.length >= CODES_AN_HOUR) return false;
    await keepCode(tx, deps, keys, pickup, code);
    return true;
  });
  if (!kept) return false;
  const act = actOf(pickup, 'public', 'pickup.code-sent', requestId);
  await acceptMessages(act, { keyId: null, mode: pickup.mode }, [await codeMail(deps, keys, pickup, code)]);
  return true;
}

async function sentSince(tx: Tx, { customerId, id }: Pickup, since: Date): Promise<Date[]> {
  const rows = await tx
    .selectFrom('pickup_codes')
    .select('created_at')
    .where('customer_id', '=', customerId)
    .where('pickup_id', '=', id)
    .where('created_at', '>', since)
    .execute();
  return rows.map((row) => row.created_at);
}

async function keepCode(tx: Tx, { clock }: Deps, keys: CustomerVault, pickup: Pickup, code: string): Promise<void> {
  await tx
    .insertInto('pickup_codes')
    .values({
      id: timeOrderedId(clock),
      customer_id: pickup.customerId,
      pickup_id: pickup.id,
      code_index: indexOf(keys, pickup, code),
      created_at: clock.now(),
    })
    .execute();
}

/** Whether a code of this pickup waits to be entered. */
export async function awaitsCode({ db, clock }: Deps, pickup: Pickup): Promise<boolean> {
  return db.tenant([pickup.customerId], async (tx) => (await findCode(tx, clock, pickup)) !== null);
}

export type CodeVerdict = { session: string } | { triesLeft: number };

/** Lets in whoever knows the last code that was sent. What is wrong counts against it; both are written down. */
export async function checkCode(deps: Deps, pickup: Pickup, code: string, requestId: string): Promise<CodeVerdict> {
  const { db, vault, clock } = deps;
  const { customerId } = pickup;
  const keys = await vault.of(customerId);
  return db.tenant([customerId], async (tx): Promise<CodeVerdict> => {
    await holdPickup(tx, pickup);
    const found = await findCode(tx, clock, pickup);
    if (found === null) return { triesLeft: 0 };
    const right = timingSafeEqual(found.code_index, indexOf(keys, pickup, code));
    const noted = right ? { used_at: clock.now() } : { tries: found.tries + 1 };
    await tx
      .updateTable('pickup_codes')
      .set(noted)
      .where('customer_id', '=', customerId)
      .where('id', '=', found.id)
      .execute();
    const trace = { target: pickup.messageId, details: { recipient: pickup.ordinal } };
    if (right) {
      await recordAct(tx, clock, actOf(pickup, 'recipient', 'pickup.code-accepted', requestId), trace);
      return { session: await beginSession(tx, clock, pickup) };
    }
    await recordAct(tx, clock, actOf(pickup, 'public', 'pickup.code-refused', requestId), trace);
    return { triesLeft: CODE_TRIES - found.tries - 1 };
  });
}

/** The last code that was sent, where it still opens anything. */
async function findCode(tx: Tx, clock: Clock, { customerId, id }: Pickup) {
  const last = await tx
    .selectFrom('pickup_codes')
    .select(['id', 'code_index', 'tries', 'used_at', 'created_at'])
    .where('customer_id', '=', customerId)
    .where('pickup_id', '=', id)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst();
  if (last === undefined || last.used_at !== null || last.tries >= CODE_TRIES) return null;
  return last.created_at.getTime() + CODE_MINUTES * MINUTE_MS > clock.now().getTime() ? last : null;
}

/** A bare hash of eight digits could be tried out; this one needs the customer's key. */
function indexOf(keys: CustomerVault, { id }: Pickup, code: string): Buffer {
  return keys.blindIndex('pickup code', `${id}/${code}`);
}
