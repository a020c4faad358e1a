import { type Static, Type } from 'typebox';
import type { Tx } from '../../platform/db/database.ts';
import { AppError, invalidField } from '../../platform/errors.ts';
import type { OwnershipCheck } from '../../platform/http/ownership.ts';
import { isUuid } from '../../platform/ids.ts';
import { requireOwnList } from '../lists/require-own-list.ts';
import { findSubscribers } from '../subscribers/find-subscriber.ts';
import { ListId, readListId } from '../subscribers/read-subscriber.ts';
import { readSelection, type Selection } from '../subscribers/selection.ts';

const MOST_PEOPLE = 1_000;
const MOST_LISTS = 100;

const Text = Type.Union([Type.String(), Type.Null()]);
const Ids = Type.Optional(Type.Union([Type.Array(Type.Union([Type.String(), Type.Integer()])), Type.Null()]));

/** Filters on the wire; they are read by hand, as they may be JSON in a text. */
export const FiltersWire = Type.Optional(Type.Unknown({ description: '[[{field, op, terms}]], or JSON in a text' }));

/** People by their ids, or by what they have in common. */
export const PeopleBody = Type.Object({
  subscriber_ids: Ids,
  from_subscription_list_id: Type.Optional(ListId),
  dynamic_list_id: Type.Optional(Text),
  search: Type.Optional(Text),
  filters: FiltersWire,
  except_ids: Ids,
});

/** The same, and lists. */
export const PeopleAndListsBody = Type.Object({ ...PeopleBody.properties, subscription_list_ids: Ids });

type Wire = Static<typeof PeopleBody>;
type ListsWire = Static<typeof PeopleAndListsBody>['subscription_list_ids'];

/** Ids of people as they were sent, no more than may be worked on at once. */
export function readPeopleIds(name: string, given: readonly (string | number)[]): string[] {
  if (given.length > MOST_PEOPLE) throw unfit(name, `takes at most ${MOST_PEOPLE} ids`);
  return given.map(String);
}

/** The lists that are meant, each once. */
export async function readLists(
  tx: Tx,
  requireOwn: OwnershipCheck,
  customerId: number,
  given: ListsWire,
): Promise<number[]> {
  const name = 'subscription_list_ids';
  if ((given?.length ?? 0) > MOST_LISTS) throw unfit(name, `takes at most ${MOST_LISTS} ids`);
  const lists = new Set((given ?? []).map((id) => readListId(id, name) ?? refuseEmpty(name)));
  for (const id of lists) await requireOwnList(tx, requireOwn, customerId, id, name);
  return [...lists];
}

/** The people who are meant where they are not named one by one. Nothing at all is not taken for everybody. */
export async function readBulkSelection(
  tx: Tx,
  requireOwn: OwnershipCheck,
  customerId: number,
  wire: Wire,
): Promise<Selection> {
  const selection = await readCommonSelection(tx, requireOwn, customerId, wire);
  if (selection.search === null && selection.listId === null && selection.filters.length === 0) {
    throw invalidField(
      'subscriber_ids',
      'is required, or from_subscription_list_id, dynamic_list_id, search or filters',
    );
  }
  return selection;
}

/** The people who have in common what is asked for, and that is all of them where nothing is. */
export async function readCommonSelection(
  tx: Tx,
  requireOwn: OwnershipCheck,
  customerId: number,
  wire: Wire,
  listName = 'from_subscription_list_id',
): Promise<Selection> {
  const exceptIds = readPeopleIds('except_ids', wire.except_ids ?? []);
  const excepted = await findSubscribers(tx, requireOwn, customerId, exceptIds, 'except_ids');
  const { names, ...from } = readFrom(wire, listName);
  const wanted = {
    ...from,
    search: wire.search?.trim() || null,
    filters: wire.filters,
    exceptIds: excepted.map(({ id }) => id),
  };
  return readSelection(tx, requireOwn, customerId, wanted, names);
}

/** The list that people come from; clients name a dynamic list, which a UUID stands for, in the same place. */
function readFrom({ from_subscription_list_id: listId, dynamic_list_id: segmentId }: Wire, place: string) {
  if (!isUuid(String(listId))) {
    return { listId, segmentId: segmentId || undefined, names: { list: place, segment: 'dynamic_list_id' } };
  }
  if (segmentId) throw invalidField(place, 'takes no dynamic list beside dynamic_list_id');
  return { listId: null, segmentId: String(listId), names: { list: place, segment: place } };
}

function refuseEmpty(name: string): never {
  throw invalidField(name, 'must not hold an empty id');
}

function unfit(field: string, rule: string): AppError {
  return new AppError('unprocessable', `${field} ${rule}`, { fields: { [field]: [rule] } });
}
