import { recordAct, requireNothingHeld } from '../../accounts/index.ts';
import { closeCustomerIn } from '../../dashboard/index.ts';
import type { Act } from '../../platform/act.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors.ts';
import { timeOrderedId } from '../../platform/ids.ts';
import './tables.ts';

const DAY_MS = 24 * 3600_000;
/** Time for whoever closed it by mistake, and for an export. */
const WAITING_DAYS = 30;

/** `reason` is why nobody shall wait. */
export interface Wish {
  reason: string | null;
}

/**
 * Begins the destruction of a customer, or finds that it has begun; answers from when on it may where it is too early. One
 * that is not closed is closed by this. Throws while anything is held.
 */
export async function beginDestruction(
  tx: Tx,
  { clock, act }: { clock: Clock; act: Act },
  { reason }: Wish,
): Promise<{ notBefore: Date | null }> {
  const { customerId, actor } = act;
  await requireNothingHeld(tx, customerId);
  const begun = await tx
    .selectFrom('customer_destructions')
    .select('id')
    .where('customer_id', '=', customerId)
    .executeTakeFirst();
  if (begun !== undefined) return { notBefore: null };
  const closedAt = await closedSince(tx, { clock, act });
  const notBefore = new Date(closedAt.getTime() + WAITING_DAYS * DAY_MS);
  if (reason === null && notBefore > clock.now()) return { notBefore };
  await tx
    .insertInto('customer_destructions')
    .values({
      customer_id: customerId,
      id: timeOrderedId(clock),
      began_at: clock.now(),
      began_by_kind: actor.kind,
      began_by: actor.id,
      reason,
    })
    .execute();
  await recordAct(
    tx,
    clock,
    { ...act, action: 'customer.destruction-begun' },
    { details: reason === null ? {} : { reason } },
  );
  return { notBefore: null };
}

async function closedSince(tx: Tx, { clock, act }: { clock: Clock; act: Act }): Promise<Date> {
  const customer = await tx
    .selectFrom('customers')
    .select('closed_at')
    .where('id', '=', act.customerId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (customer === undefined) throw new AppError('not_found', 'No such customer');
  if (customer.closed_at !== null) return customer.closed_at;
  await closeCustomerIn(tx, clock, { ...act, action: 'customer.closed' }, null);
  return clock.now();
}
