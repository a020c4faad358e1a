import { recordAct, requireOnlyPeopleHeld } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import { setConsentText } from '../consent/consent-text.ts';
import { completeDripsOn } from '../drip/campaigns/control.ts';
import { emptyLater, emptyListPage } from './empty-list.ts';
import { readList } from './list.ts';
import type { ListChange } from './read-list.ts';
import '../tables.ts';

interface Deps {
  clock: Clock;
  act: Act;
}

/** Makes a list and answers its id. */
export async function createList(
  tx: Tx,
  { clock, act }: Deps,
  { name, doubleOptIn = false, consentText }: ListChange & { name: string },
): Promise<number> {
  const now = clock.now();
  const { id } = await tx
    .insertInto('subscription_lists')
    .values({
      customer_id: act.customerId,
      name,
      is_default: false,
      double_opt_in: doubleOptIn,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (consentText !== undefined)
    await setConsentText(tx, clock, { customerId: act.customerId, listId: id }, consentText);
  await recordAct(tx, clock, act, { target: String(id) });
  return id;
}

/** Changes a list; who is on it stays on it. */
export async function changeList(
  tx: Tx,
  { clock, act }: Deps,
  id: number,
  { name, doubleOptIn, consentText }: ListChange,
): Promise<void> {
  await tx
    .updateTable('subscription_lists')
    .set({
      ...(name === undefined ? {} : { name }),
      ...(doubleOptIn === undefined ? {} : { double_opt_in: doubleOptIn }),
      updated_at: clock.now(),
    })
    .where('customer_id', '=', act.customerId)
    .where('id', '=', id)
    .execute();
  if (consentText !== undefined)
    await setConsentText(tx, clock, { customerId: act.customerId, listId: id }, consentText);
  await recordAct(tx, clock, act, { target: String(id) });
}

/**
 * Removes a list and who is on it, a side job those of a large one, and ends its drips; the default list stays. Who was on it
 * is part of what is known of people: it stays known of those who are held, who are answered. Throws while a hold keeps
 * anything else of the customer.
 */
export async function deleteList(
  tx: Tx,
  { clock, keys, act }: Deps & { keys: CustomerVault },
  id: number,
): Promise<string[]> {
  const { customerId } = act;
  await requireOnlyPeopleHeld(tx, customerId);
  // The drips first, and then the list: whoever leads people through a drip holds them in this order too.
  await completeDripsOn(tx, { clock, act }, id);
  const gone = await tx
    .deleteFrom('subscription_lists')
    .where('customer_id', '=', customerId)
    .where('id', '=', id)
    .where('is_default', '=', false)
    .executeTakeFirst();
  if (gone.numDeletedRows === 0n) {
    await readList(tx, customerId, id); // throws where somebody else has deleted it meanwhile
    throw new AppError('unprocessable', 'The default list cannot be deleted', {
      fields: { id: ['is the default list'] },
    });
  }
  const { hasMore, held } = await emptyListPage(tx, { clock, keys }, { customerId, listId: id });
  if (hasMore) await emptyLater(tx, { customerId, listId: id });
  await recordAct(tx, clock, act, { target: String(id), ...(held.length > 0 && { details: { held } }) });
  return held;
}
