import { sql } from 'kysely';
import type { Database, Tx } from '../../platform/db/database.ts';
import type { CustomerVault, Vault } from '../../platform/vault/vault.ts';
import { openFields, sealFields } from './sealed-fields.ts';
import '../tables.ts';

const PAGE = 1_000;

/** Moves the values of a field that has become health data out of sight, page by page. */
export async function sealField(
  { db, vault }: { db: Database; vault: Vault },
  { customerId, fieldId }: { customerId: number; fieldId: string },
): Promise<void> {
  const keys = await vault.of(customerId);
  const number = await db.tenant([customerId], (tx) => numberOf(tx, customerId, fieldId));
  if (number === null) return;
  // What imports can give back comes first: an undo brings nobody a value in sight once people have been sealed.
  for (const sealPage of [sealChanges, sealPeople]) {
    for (let moved = PAGE; moved === PAGE; ) {
      moved = await db.tenant([customerId], (tx) => sealPage(tx, keys, customerId, number));
    }
  }
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

type SealPage = (tx: Tx, keys: CustomerVault, customerId: number, number: string) => Promise<number>;

const sealPeople: SealPage = async (tx, keys, customerId, number) => {
  const { rows } = await sql<{ id: string; value: string; sealed_fields: Buffer | null }>`
    select id, fields->>${number} as value, sealed_fields from subscribers
    where customer_id = ${customerId} and fields ? ${number} limit ${PAGE} for update`.execute(tx);
  for (const { id, value, sealed_fields: before } of rows) {
    const sealed = sealFields(keys, id, { ...openFields(keys, id, before), [number]: value });
    await sql`update subscribers set fields = fields - ${number}, sealed_fields = ${sealed}
      where customer_id = ${customerId} and id = ${id}`.execute(tx);
  }
  return rows.length;
};

interface KeptChange {
  import_id: string;
  id: string;
  before: string | null;
  after: string | null;
  sealed_before: Buffer | null;
  sealed_after: Buffer | null;
}

const sealChanges: SealPage = async (tx, keys, customerId, number) => {
  const { rows } = await sql<KeptChange>`
    select import_id, subscriber_id as id, before->'fields'->>${number} as before, after->'fields'->>${number} as after,
      sealed_before, sealed_after from import_changes
    where customer_id = ${customerId} and (before->'fields' ? ${number} or after->'fields' ? ${number})
    limit ${PAGE} for update`.execute(tx);
  for (const {
    import_id: importId,
    id,
    before,
    after,
    sealed_before: sealedBefore,
    sealed_after: sealedAfter,
  } of rows) {
    const sealed = (value: string | null, others: Buffer | null) =>
      value === null ? others : sealFields(keys, id, { ...openFields(keys, id, others), [number]: value });
    await sql`update import_changes set before = before #- array['fields', ${number}],
      after = after #- array['fields', ${number}], sealed_before = ${sealed(before, sealedBefore)},
      sealed_after = ${sealed(after, sealedAfter)}
      where customer_id = ${customerId} and import_id = ${importId} and subscriber_id = ${id}`.execute(tx);
  }
  return rows.length;
};
