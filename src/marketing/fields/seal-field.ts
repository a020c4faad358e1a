import { sql } from 'kysely';
import type { Database, Tx } from '../../platform/db/database.ts';
import { BEFORE_ALL_IDS } from '../../platform/ids.ts';
import type { CustomerVault, Vault } from '../../platform/vault/vault.ts';
import { openFields, sealFields } from './sealed-fields.ts';
import '../tables.ts';

const PAGE = 1_000;

/** The field, and whose. */
interface Sealing {
  db: Database;
  keys: CustomerVault;
  customerId: number;
  number: string;
}

/** Moves the values of a field that has become health data out of sight, page by page. */
export async function sealField(
  { db, vault }: { db: Database; vault: Vault },
  { customerId, fieldId }: { customerId: number; fieldId: string },
): Promise<void> {
  const keys = await vault.of(customerId);
  const number = await db.tenant([customerId], (tx) => numberOf(tx, customerId, fieldId));
  if (number === null) return;
  const sealing = { db, keys, customerId, number };
  // What imports can give back comes first: an undo brings nobody a value in sight once people have been sealed.
  await sealChanges(sealing);
  await sealPeople(sealing);
  // An import that began meanwhile has kept what people had who were not sealed yet.
  await sealChanges(sealing);
}

async function numberOf(tx: Tx, customerId: number, id: string): Promise<string | null> {
  const type = await tx
    .selectFrom('custom_field_types')
    .select('number')
    .where('customer_id', '=', customerId)
    .where('id', '=', id)
    .where('class', '=', 'phi')
    .executeTakeFirst();
  return type === undefined ? null : String(type.number);
}

/** Sealed values with one more. Where it is there already it was sealed later, and counts. */
function withSealed({ keys, number }: Sealing, id: string, others: Buffer | null, value: string): Buffer {
  return sealFields(keys, id, { [number]: value, ...openFields(keys, id, others) });
}

async function sealPeople(sealing: Sealing): Promise<void> {
  for (let place: string | null = BEFORE_ALL_IDS; place !== null; ) place = await sealPageOfPeople(sealing, place);
}

async function sealPageOfPeople(sealing: Sealing, place: string): Promise<string | null> {
  const { db, customerId, number } = sealing;
  return db.tenant([customerId], async (tx) => {
    const { rows } = await sql<{ id: string; value: string; sealed_fields: Buffer | null }>`
      select id, fields->>${number} as value, sealed_fields from subscribers
      where customer_id = ${customerId} and id > ${place} and fields ? ${number}
      order by id limit ${PAGE} for update`.execute(tx);
    for (const { id, value, sealed_fields: before } of rows) {
      await sql`update subscribers set fields = fields - ${number},
        sealed_fields = ${withSealed(sealing, id, before, value)}
        where customer_id = ${customerId} and id = ${id}`.execute(tx);
    }
    return rows.at(-1)?.id ?? null;
  });
}

/** Where a change stands that an import has kept. */
interface ChangePlace {
  importId: string;
  id: string;
}

interface KeptChange extends ChangePlace {
  before: string | null;
  after: string | null;
  sealedBefore: Buffer | null;
  sealedAfter: Buffer | null;
}

async function sealChanges(sealing: Sealing): Promise<void> {
  for (let place: ChangePlace | null = { importId: BEFORE_ALL_IDS, id: BEFORE_ALL_IDS }; place !== null; ) {
    place = await sealPageOfChanges(sealing, place);
  }
}

async function sealPageOfChanges(sealing: Sealing, place: ChangePlace): Promise<ChangePlace | null> {
  const { db, customerId, number } = sealing;
  return db.tenant([customerId], async (tx) => {
    const { rows } = await sql<KeptChange>`
      select import_id as "importId", subscriber_id as id, before->'fields'->>${number} as before,
        after->'fields'->>${number} as after, sealed_before as "sealedBefore", sealed_after as "sealedAfter"
      from import_changes
      where customer_id = ${customerId} and (import_id, subscriber_id) > (${place.importId}::uuid, ${place.id}::uuid)
        and (before->'fields' ? ${number} or after->'fields' ? ${number})
      order by import_id, subscriber_id limit ${PAGE} for update`.execute(tx);
    for (const { importId, id, before, after, sealedBefore, sealedAfter } of rows) {
      const sealed = (value: string | null, others: Buffer | null) =>
        value === null ? others : withSealed(sealing, id, others, value);
      await sql`update import_changes set before = before #- array['fields', ${number}],
        after = after #- array['fields', ${number}], sealed_before = ${sealed(before, sealedBefore)},
        sealed_after = ${sealed(after, sealedAfter)}
        where customer_id = ${customerId} and import_id = ${importId} and subscriber_id = ${id}`.execute(tx);
    }
    return rows.at(-1) ?? null;
  });
}
