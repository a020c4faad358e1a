import { sql } from 'kysely';
import type { Act } from '../../platform/act.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors.ts';
import type { OwnershipCheck } from '../../platform/http/ownership.ts';
import { canonicalUuid, isUuid, timeOrderedId } from '../../platform/ids.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import { recordAct } from '../audit/record.ts';
import { requireNotDestroyed } from '../customers.ts';
import { lockHolds } from './held.ts';
import { type Held, sealHold } from './hold.ts';
import { readReason } from './read-reason.ts';
import '../tables.ts';

interface Deps {
  clock: Clock;
  keys: CustomerVault;
  act: Act;
  requireOwn: OwnershipCheck;
}

/**
 * Sets a legal hold and answers its id. Whatever removes something has ended before this does, or sees the hold.
 */
export async function setHold(tx: Tx, deps: Deps, held: Held, wanted: string): Promise<string> {
  const { clock, keys, act, requireOwn } = deps;
  const { customerId } = act;
  const reason = readReason(wanted);
  const target = 'target' in held ? await requireTarget(tx, requireOwn, customerId, held) : null;
  await lockHolds(tx, customerId);
  await requireNotDestroyed(tx, customerId);
  const id = timeOrderedId(clock);
  await tx
    .insertInto('legal_holds')
    .values({
      id,
      customer_id: customerId,
      kind: held.kind,
      target,
      person_indexes: held.kind === 'person' ? held.indexes : null,
      sealed: sealHold(keys, id, { reason, email: held.kind === 'person' ? held.email : null }),
      set_by_kind: act.actor.kind,
      set_by: act.actor.id,
      set_at: clock.now(),
    })
    .execute();
  await recordAct(tx, clock, act, { target: target ?? id, details: { hold: id, kind: held.kind } });
  return id;
}

const OWNERS = {
  form: (id: string) => sql<number | null>`find_form_customer(${id})`,
  submission: (id: string) => sql<number | null>`find_submission_customer(${id})`,
  message: (id: string) => sql<number | null>`find_message_customer(${id})`,
};

async function requireTarget(
  tx: Tx,
  requireOwn: OwnershipCheck,
  customerId: number,
  { kind, target }: Extract<Held, { target: string }>,
): Promise<string> {
  const missing = `No such ${kind}`;
  if (!isUuid(target)) throw new AppError('not_found', missing);
  await requireOwn(tx, customerId, OWNERS[kind](target), missing);
  return canonicalUuid(target);
}
