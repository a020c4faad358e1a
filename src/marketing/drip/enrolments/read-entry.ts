import { type Static, Type } from 'typebox';
import type { Tx } from '../../../platform/db/database.ts';
import { invalidField, missingField } from '../../../platform/errors.ts';
import type { OwnershipCheck } from '../../../platform/http/ownership.ts';
import { FiltersWire, readPeopleIds } from '../../bulk/read-bulk.ts';
import { findSubscribers } from '../../subscribers/find-subscriber.ts';
import { ListId } from '../../subscribers/read-subscriber.ts';
import { readSelection, type Selection } from '../../subscribers/selection.ts';
import { findSubscribersAt } from '../../subscribers/subscribers-at.ts';

const Id = Type.Union([Type.String(), Type.Integer()]);
const Many = { description: 'At most 1000' };

/** People who shall enter a drip: by id or address, or by what they have in common. */
export const EntryBody = Type.Object({
  subscriber_ids: Type.Optional(Type.Union([Type.Array(Id), Type.Null()], Many)),
  emails: Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()], Many)),
  subscription_list_id: Type.Optional(ListId),
  dynamic_list_id: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  filters: FiltersWire,
});

type Wire = Static<typeof EntryBody>;

/** The people that are named, each once; null where they are to be chosen by what they have in common. */
export async function readNamed(
  tx: Tx,
  requireOwn: OwnershipCheck,
  customerId: number,
  { subscriber_ids: ids = null, emails = null }: Wire,
): Promise<string[] | null> {
  if (ids === null && emails === null) return null;
  const named = await findSubscribers(tx, requireOwn, customerId, readPeopleIds('subscriber_ids', ids ?? []));
  const given = readPeopleIds('emails', emails ?? []).map((address) => address.trim().toLowerCase());
  const addresses = [...new Set(given)];
  const known = addresses.length === 0 ? [] : await findSubscribersAt(tx, customerId, addresses);
  if (known.length < addresses.length) throw missingField('emails', 'no such subscriber');
  return [...new Set([...named.map(({ id }) => id), ...known])];
}

/** What the people have in common that are meant. Nothing at all is not taken for everybody. */
export async function readCommon(
  tx: Tx,
  requireOwn: OwnershipCheck,
  customerId: number,
  { subscription_list_id: listId, dynamic_list_id: segmentId, filters }: Wire,
): Promise<Selection> {
  const wanted = { search: null, listId, segmentId: segmentId || undefined, filters, exceptIds: [] };
  const selection = await readSelection(tx, requireOwn, customerId, wanted);
  if (selection.listId === null && selection.filters.length === 0) {
    throw invalidField('subscriber_ids', 'is required, or emails, subscription_list_id, dynamic_list_id or filters');
  }
  return selection;
}
