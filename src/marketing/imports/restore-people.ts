import { type Selectable, sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Tables } from '../../platform/db/tables.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import { type NumberedValues, openFields, sealFields } from '../fields/sealed-fields.ts';
import '../tables.ts';

const TEXTS = ['email', 'phone_number', 'first_name', 'last_name', 'time_zone'] as const;

type Known = Record<(typeof TEXTS)[number], string | null> & { fields: NumberedValues };
type Person = Known & { id: string; sealed_fields: Buffer | null };
type Change = Omit<Selectable<Tables['import_changes']>, 'before' | 'after'> & Record<'before' | 'after', Known>;

/** Whose changes but for those who are held, after whom in the order of their ids, and how many at most. */
interface Which {
  customerId: number;
  importId: string;
  held: readonly string[];
  after: string;
  most: number;
}

/**
 * Gives people what they had before an import, wherever they still have what it brought. Answers the last of whom it looked
 * at, how many got something back, and who was passed over as they are held.
 */
export async function restorePeople(
  tx: Tx,
  { clock, keys }: { clock: Clock; keys: CustomerVault },
  which: Which,
): Promise<{ place: string | null; restored: number; held: string[] }> {
  const held = await heldAmong(tx, which);
  const changes = await takeChanges(tx, which);
  const place = changes.at(-1)?.subscriber_id ?? null;
  if (place === null) return { place, restored: 0, held };
  const { customerId } = which;
  const people = new Map((await holdPeople(tx, customerId, changes)).map((person) => [person.id, person]));
  const restored = changes.flatMap((change) => {
    const person = people.get(change.subscriber_id);
    return person === undefined ? [] : (formerOf(keys, person, change) ?? []);
  });
  await write(tx, customerId, restored, clock.now());
  return { place, restored: restored.length, held };
}

async function heldAmong(tx: Tx, { customerId, importId, held }: Which): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select subscriber_id as id from import_changes
    where customer_id = ${customerId} and import_id = ${importId} and subscriber_id = any(${held}::uuid[])`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Takes them away, so that nobody who seals a field can miss what is being given back. */
async function takeChanges(tx: Tx, { customerId, importId, held, after, most }: Which): Promise<Change[]> {
  const { rows } = await sql<Change>`
    with page as materialized (
      select import_id, subscriber_id from import_changes
      where customer_id = ${customerId} and import_id = ${importId} and subscriber_id > ${after}
        and subscriber_id <> all(${held}::uuid[])
      order by subscriber_id limit ${most}
    ), gone as (
      delete from import_changes c using page p
      where c.customer_id = ${customerId} and c.import_id = ${importId} and c.subscriber_id = p.subscriber_id
      returning c.*
    )
    select * from gone order by subscriber_id`.execute(tx);
  return rows;
}

function holdPeople(tx: Tx, customerId: number, changes: readonly Change[]): Promise<Person[]> {
  return tx
    .selectFrom('subscribers')
    .select(['id', 'fields', 'sealed_fields', ...TEXTS])
    .where('customer_id', '=', customerId)
    .where(sql<boolean>`id = any(${changes.map(({ subscriber_id: id }) => id)}::uuid[])`)
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** Somebody with what is given back to them; null where that is nothing. */
function formerOf(keys: CustomerVault, person: Person, change: Change): Person | null {
  const { before, after } = change;
  const ours = TEXTS.filter((name) => person[name] === after[name] && person[name] !== before[name]);
  const texts = ours.filter((name) => !isKnownBy(person, name, before));
  const fields = formerValues(person.fields, before.fields, after.fields);
  const health = formerHealth(keys, person, change);
  if (texts.length === 0 && fields === null && health === null) return null;
  return {
    ...person,
    ...Object.fromEntries(texts.map((name) => [name, before[name]])),
    fields: fields ?? person.fields,
    sealed_fields: health === null ? person.sealed_fields : sealed(keys, person.id, health),
  };
}

/** Whether somebody who has changed since would be known by nothing, or by the number of somebody else, if this were given back. */
function isKnownBy(person: Known, name: (typeof TEXTS)[number], before: Known): boolean {
  return name === 'phone_number' ? person.email === null : name === 'email' && before.email === null;
}

function formerHealth(keys: CustomerVault, { id, sealed_fields: now }: Person, change: Change): NumberedValues | null {
  const [values, before, after] = [now, change.sealed_before, change.sealed_after].map((each) =>
    openFields(keys, id, each),
  ) as [NumberedValues, NumberedValues, NumberedValues];
  return formerValues(values, before, after);
}

/** Values with those given back that are still as the import left them; null where there are none. */
function formerValues(now: NumberedValues, before: NumberedValues, after: NumberedValues): NumberedValues | null {
  const ours = Object.keys({ ...before, ...after }).filter(
    (number) => now[number] === after[number] && now[number] !== before[number],
  );
  if (ours.length === 0) return null;
  const former = { ...now };
  for (const number of ours) {
    const value = before[number];
    if (value === undefined) delete former[number];
    else former[number] = value;
  }
  return former;
}

function sealed(keys: CustomerVault, id: string, values: NumberedValues): Buffer | null {
  return Object.keys(values).length === 0 ? null : sealFields(keys, id, values);
}

async function write(tx: Tx, customerId: number, people: readonly Person[], now: Date): Promise<void> {
  const rows = people.map((person) => ({ ...person, sealed_fields: person.sealed_fields?.toString('hex') ?? null }));
  await sql`
    update subscribers s set email = f.email, phone_number = f.phone_number, first_name = f.first_name,
      last_name = f.last_name, time_zone = f.time_zone, fields = f.fields,
      sealed_fields = decode(f.sealed_fields, 'hex'), updated_at = ${now}
    from json_to_recordset(${JSON.stringify(rows)}::json) as f (id uuid, email text, phone_number text, first_name text,
      last_name text, time_zone text, fields jsonb, sealed_fields text)
    where s.customer_id = ${customerId} and s.id = f.id`.execute(tx);
}
