import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import { invalidField } from '../../platform/errors.ts';
import { refuseUnstorable } from '../../platform/http/body/json-body.ts';
import type { OwnershipCheck } from '../../platform/http/ownership.ts';
import { isUuid } from '../../platform/ids.ts';
import { one, readChoice, readPage, type Wire } from '../read-page.ts';
import type { SubscriberQuery } from './list.ts';
import { choiceOf, readSelection } from './selection.ts';

const PAGE = { items: 50, most: 1_000 };

/** Reads which people a caller wants to see, and how. */
export async function readSubscriberQuery(
  tx: Tx,
  { requireOwn, clock }: { requireOwn: OwnershipCheck; clock: Clock },
  customerId: number,
  wire: Wire,
): Promise<SubscriberQuery> {
  const after = one(wire.search_after) ?? null;
  if (after !== null && !isUuid(after)) throw invalidField('search_after', 'takes what the page before gave');
  const search = one(wire.search) ?? null;
  if (search !== null) refuseUnstorable(search);
  const orders = ['created_at', 'updated_at', 'email', 'first_name', 'last_name'] as const;
  const orderBy = readChoice('order_by', one(wire.order_by), orders);
  if (after !== null && orderBy !== 'created_at')
    throw invalidField('search_after', 'goes with order_by created_at only');
  const selection = await readSelection(tx, requireOwn, customerId, {
    search,
    listId: one(wire.subscription_list_id),
    segmentId: one(wire.dynamic_list_id),
    filters: one(wire.filters),
    exceptIds: [],
  });
  return {
    people: choiceOf({ customerId, at: clock.now() }, selection),
    orderBy,
    order: readChoice('order', one(wire.order), ['desc', 'asc']),
    after,
    ...readPage(wire, PAGE),
  };
}
