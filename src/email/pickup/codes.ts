import { recordAct } from '../../accounts/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import {
  awaitsCode as awaits,
  type CodePlace,
  keepCode,
  newCode,
  tryCode,
} from '../../platform/one-time-codes/codes.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import type { AcceptMessages } from '../submission/accept.ts';
import { actOf } from './act-of.ts';
import { codeMail } from './code-mail.ts';
import type { Pickup } from './find-pickup.ts';
import { holdPickup } from './hold-pickup.ts';
import { beginSession } from './sessions.ts';

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
  const { vault, clock, acceptMessages } = deps;
  const keys = await vault.of(pickup.customerId);
  const code = newCode(deps.random);
  const kept = await deps.db.tenant([pickup.customerId], async (tx) => {
    await holdPickup(tx, pickup);
    return keepCode(tx, { clock, keys }, placeOf(pickup), code);
  });
  if (!kept) return false;
  const act = actOf(pickup, 'public', 'pickup.code-sent', requestId);
  await acceptMessages(act, { keyId: null, mode: pickup.mode }, [await codeMail(deps, keys, pickup, code)]);
  return true;
}

/** Whether a code of this pickup waits to be entered. */
export async function awaitsCode({ db, clock }: Deps, pickup: Pickup): Promise<boolean> {
  return db.tenant([pickup.customerId], (tx) => awaits(tx, clock, placeOf(pickup)));
}

export type CodeVerdict = { session: string } | { triesLeft: number };

/** Lets in whoever knows the last code that was sent. What is wrong counts against it; both are written down. */
export async function checkCode(deps: Deps, pickup: Pickup, code: string, requestId: string): Promise<CodeVerdict> {
  const { db, vault, clock } = deps;
  const keys = await vault.of(pickup.customerId);
  return db.tenant([pickup.customerId], async (tx): Promise<CodeVerdict> => {
    await holdPickup(tx, pickup);
    const verdict = await tryCode(tx, { clock, keys }, placeOf(pickup), code);
    if (verdict === null) return { triesLeft: 0 };
    const trace = { target: pickup.messageId, details: { recipient: pickup.ordinal } };
    if (verdict.right) {
      await recordAct(tx, clock, actOf(pickup, 'recipient', 'pickup.code-accepted', requestId), trace);
      return { session: await beginSession(tx, clock, pickup) };
    }
    await recordAct(tx, clock, actOf(pickup, 'public', 'pickup.code-refused', requestId), trace);
    return { triesLeft: verdict.triesLeft };
  });
}

function placeOf({ customerId, id }: Pickup): CodePlace {
  return { table: 'pickup_codes', owner: 'pickup_id', purpose: 'pickup code', customerId, id };
}
