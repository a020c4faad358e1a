import type { CustomerVault } from '../../../platform/vault/vault.ts';
import { type NumberedValues, openFields } from '../../fields/sealed-fields.ts';
import { type ImportRow, merged } from '../row.ts';
import type { ChunkDeps, Done, Running } from './running.ts';
import { sealAnew } from './seal-anew.ts';
import { stage } from './stage.ts';
import { COUNT_DIFFERING, COUNT_ROWS, FIND_PEOPLE, TAKE_TOLD } from './statements.ts';
import { keepTold, readTold, type Told } from './told.ts';

interface Known {
  number: number;
  id: string | null;
  email: string | null;
  phone_number: string | null;
  first_name: string | null;
  last_name: string | null;
  time_zone: string | null;
  fields: NumberedValues;
  sealed: Buffer | null;
}

/** Counts what a chunk would do, had all that stands before it in the file been done. */
export async function countPeople(deps: ChunkDeps, run: Running, people: readonly ImportRow[]): Promise<Done> {
  const { client, keys } = deps;
  const { customerId, lists } = run;
  const told = await readTold(deps, run, people);
  await stage(deps, run, stillOut(people, told));
  await client.query(FIND_PEOPLE, [customerId]);
  const { rows: counted } = await client.query(COUNT_ROWS, [customerId, lists]);
  const { created, opted_out: optedOut } = counted[0] as { created: number; opted_out: number };
  const again = await takeTold(deps, run, people, told);
  await sealAnew(client, keys, customerId, people);
  const { rows: differing } = await client.query(COUNT_DIFFERING, [customerId]);
  const { changed } = differing[0] as { changed: number };
  await keepTold(deps, run, people, told);
  return { created: created - again.made, changed: changed + again.changed, optedOut };
}

/** The rows with those as opted out of whom it was said before. */
function stillOut(people: readonly ImportRow[], told: readonly Told[]): ImportRow[] {
  return people.map((row, number) => ({ ...row, optedOut: row.optedOut || told[number]?.row?.optedOut === true }));
}

/** Takes the rows of whom something was said before out of those to be compared: whom it had made, and would change. */
async function takeTold({ client, keys }: ChunkDeps, run: Running, people: readonly ImportRow[], told: Told[]) {
  const numbers = [...told.keys()].filter((number) => told[number]?.row !== null);
  if (numbers.length === 0) return { made: 0, changed: 0 };
  const { rows } = await client.query<Known>(TAKE_TOLD, [run.customerId, numbers]);
  const changes = rows.filter((known) => {
    const earlier = told[known.number]?.row as ImportRow;
    const before = known.id === null ? earlier : merged(rowOf(keys, known, known.id), earlier).row;
    return merged(before, { ...(people[known.number] as ImportRow), optedOut: false }).isNew;
  });
  return { made: rows.filter(({ id }) => id === null).length, changed: changes.length };
}

/** Somebody who is known, as a row would tell of them. */
function rowOf(keys: CustomerVault, known: Known, id: string): ImportRow {
  return {
    line: 0,
    email: known.email,
    phoneNumber: known.phone_number,
    firstName: known.first_name,
    lastName: known.last_name,
    timeZone: known.time_zone,
    fields: known.fields,
    phi: openFields(keys, id, known.sealed),
    optedOut: false,
  };
}
