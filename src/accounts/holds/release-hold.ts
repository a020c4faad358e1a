import { sql } from 'kysely';
import type { Act } from '../../platform/act.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors.ts';
import type { OwnershipCheck } from '../../platform/http/ownership.ts';
import { isUuid } from '../../platform/ids.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import { recordAct } from '../audit/record.ts';
import { sealRelease } from './hold.ts';
import { readReason } from './read-reason.ts';
import '../tables.ts';

interface Deps {
  clock: Clock;
  keys: CustomerVault;
  act: Act;
  requireOwn: OwnershipCheck;
}

/** Ends a legal hold. What the operator has set is the operator's to release. */
export async function releaseHold(tx: Tx, deps: Deps, id: string, wanted: string): Promise<void> {
  const { clock, keys, act, requireOwn } = deps;
  const { customerId, actor } = act;
  const missing = 'No such hold';
  const reason = readReason(wanted);
  if (!isUuid(id)) throw new AppError('not_found', missing);
  await requireOwn(tx, customerId, sql<number | null>`find_hold_customer(${id})`, missing);
  const hold = await tx
    .selectFrom('legal_holds')
    .select(['id', 'kind', 'target', 'set_by_kind', 'released_at'])
    .where('customer_id', '=', customerId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (hold === undefined) throw new AppError('not_found', missing);
  if (hold.released_at !== null) throw new AppError('conflict', 'The hold was released before');
  if (hold.set_by_kind === 'cli' && actor.kind !== 'cli')
    throw new AppError('forbidden', 'The operator has set this hold, and releases it');
  await tx
    .updateTable('legal_holds')
    .set({
      release: sealRelease(keys, hold.id, reason),
      released_by_kind: actor.kind,
      released_by: actor.id,
      released_at: clock.now(),
    })
    .where('customer_id', '=', customerId)
    .where('id', '=', hold.id)
    .execute();
  await recordAct(tx, clock, act, { target: hold.target ?? hold.id, details: { hold: hold.id, kind: hold.kind } });
}
