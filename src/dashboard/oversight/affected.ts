import {
  addReads,
  type ReadRecord,
  type ReadScope,
  type Reads,
  type ReadWhole,
  whoRead,
} from '../../accounts/index.ts';
import { addresseesOf, suppressedBy } from '../../email/index.ts';
import { submittersOf } from '../../forms/index.ts';
import { peopleById } from '../../marketing/index.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import type { CustomerVault, Vault } from '../../platform/vault/vault.ts';
import { gatherPeople, type Person } from './gather-people.ts';
import { recordsIn, type TakenRecord, takenOf } from './records-in.ts';

const PAGE = 500;

interface Deps {
  db: Database;
  vault: Vault;
}

/** Whose records somebody saw. */
export interface Affected {
  /** How many rows of the audit log tell of it. */
  rows: number;
  records: number;
  /** Records of which nobody can say any more, or never could, whose they are. */
  nameless: ReadRecord[];
  people: Person[];
}

/** Whose records somebody saw in a span of time: which ones is told by the audit log alone, whose they are by what is kept. */
export async function findAffected({ db, vault }: Deps, customerId: number, scope: ReadScope): Promise<Affected> {
  const reads = await whoRead(db, customerId, scope);
  const keys = await vault.of(customerId);
  const records = await withWholes(db, customerId, reads);
  const gathered = gatherPeople();
  for (let at = 0; at < records.length; at += PAGE) {
    const page = records.slice(at, at + PAGE);
    const owners = await db.tenant([customerId], (tx) => ownersOf(tx, keys, customerId, page));
    for (const record of page) gathered.add(record, owners.get(`${record.kind}/${record.id}`) ?? []);
  }
  return { rows: reads.rows, records: records.length, ...gathered.told() };
}

/** With what was taken as a whole, record by record. */
async function withWholes(db: Database, customerId: number, { records, wholes }: Reads): Promise<ReadRecord[]> {
  const all = new Map(records.map((record) => [`${record.kind}/${record.id}`, record]));
  for (const taken of takenOf(wholes))
    for await (const page of recordsIn(db, customerId, taken))
      for (const record of page) addTaken(all, record, taken.moments);
  return [...all.values()];
}

/** Counts a record for each of the moments at which it was there. */
function addTaken(all: Map<string, ReadRecord>, record: TakenRecord, moments: ReadWhole[]): void {
  const from = countUpTo(moments, record.came);
  const to = record.gone === null ? moments.length : countUpTo(moments, record.gone);
  const [first, last] = [moments[from], moments[to - 1]];
  if (first === undefined || last === undefined || to <= from) return;
  addReads(all, record, { first: first.at, last: last.at, times: to - from });
}

/** How many of the moments, which stand in order, are no later than an id. */
function countUpTo(moments: ReadWhole[], id: string): number {
  let [low, high] = [0, moments.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((moments[middle] as ReadWhole).before <= id) low = middle + 1;
    else high = middle;
  }
  return low;
}

type Owner = Pick<Person, 'name' | 'email' | 'phone'>;

async function ownersOf(
  tx: Tx,
  keys: CustomerVault,
  customerId: number,
  page: ReadRecord[],
): Promise<Map<string, Owner[]>> {
  const idsOf = (kind: ReadRecord['kind']) => page.filter((each) => each.kind === kind).map(({ id }) => id);
  const owners = new Map<string, Owner[]>();
  for (const [id, email] of await submittersOf(tx, keys, customerId, idsOf('submission')))
    owners.set(`submission/${id}`, email === null ? [] : [{ name: null, email, phone: null }]);
  for (const [id, addressees] of await addresseesOf(tx, keys, customerId, idsOf('message')))
    owners.set(
      `message/${id}`,
      addressees.map(({ name, address }) => ({ name, email: address, phone: null })),
    );
  for (const [name, email] of await suppressedBy(tx, keys, customerId, idsOf('suppression')))
    owners.set(`suppression/${name}`, [{ name: null, email, phone: null }]);
  for (const person of await peopleById(tx, customerId, idsOf('subscriber'))) {
    const name = [person.first_name, person.last_name].filter((part) => part !== null).join(' ') || null;
    owners.set(`subscriber/${person.id}`, [{ name, email: person.email, phone: person.phone_number }]);
  }
  return owners;
}
