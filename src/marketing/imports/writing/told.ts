import type { Database } from '../../../platform/db/database.ts';
import { BEFORE_ALL_IDS, canonicalUuid } from '../../../platform/ids.ts';
import type { CustomerVault } from '../../../platform/vault/vault.ts';
import { type ImportRow, keyOf, merged } from '../row.ts';
import type { ChunkDeps, Running } from './running.ts';
import { FORGET_TOLD, KEEP_TOLD, READ_TOLD } from './statements.ts';

// A dry run makes nobody, and has to know of whom it has read before. It notes that where an import keeps what it changes,
// since a file may be larger than memory and another process may go on with it.

/** Under which id the notes of a dry run have somebody, and what earlier chunks said of them, if anything. */
export interface Told {
  id: string;
  row: ImportRow | null;
}

const PAGE = 10_000;

/** What earlier chunks of a dry run said of these people. */
export async function readTold(
  { client, keys }: ChunkDeps,
  run: Running,
  people: readonly ImportRow[],
): Promise<Told[]> {
  const ids = people.map((row) => canonicalUuid(keys.blindIndex('import_changes.person', keyOf(row)).toString('hex')));
  const { rows } = await client.query<{ id: string; sealed: Buffer }>(READ_TOLD, [run.customerId, run.id, ids]);
  const found = new Map(rows.map(({ id, sealed }) => [id, open(keys, id, sealed)]));
  return ids.map((id) => ({ id, row: found.get(id) ?? null }));
}

/** Notes what a chunk said of these people on top of that. */
export async function keepTold(
  { client, keys }: ChunkDeps,
  run: Running,
  people: readonly ImportRow[],
  told: readonly Told[],
): Promise<void> {
  const sealed = told.map(({ id, row: earlier }, number) => {
    const row = people[number] as ImportRow;
    return seal(keys, id, earlier === null ? row : merged(earlier, row).row);
  });
  await client.query(KEEP_TOLD, [run.customerId, run.id, told.map(({ id }) => id), sealed]);
}

/** Drops the notes of a dry run that has read its file. Answers whether there are more than time allowed for. */
export async function forgetTold(
  db: Database,
  { customerId, id }: Pick<Running, 'customerId' | 'id'>,
  endsAt: number,
): Promise<boolean> {
  for (let place: string | undefined = BEFORE_ALL_IDS; place !== undefined; ) {
    if (performance.now() > endsAt) return true;
    const after: string = place;
    place = await db.raw([customerId], async (client) => {
      const { rows } = await client.query<{ place: string }>(FORGET_TOLD, [customerId, id, after, PAGE]);
      return rows[0]?.place;
    });
  }
  return false;
}

function seal(keys: CustomerVault, id: string, row: ImportRow): string {
  return keys.seal(placeOf(id), JSON.stringify(row)).toString('hex');
}

function open(keys: CustomerVault, id: string, sealed: Buffer): ImportRow {
  return JSON.parse(keys.open(placeOf(id), sealed).toString()) as ImportRow;
}

/** As what an import keeps is sealed: who takes all of a customer's data away opens it the same way. */
function placeOf(id: string) {
  return { table: 'subscribers', row: id, column: 'sealed_fields' };
}
