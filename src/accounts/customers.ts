import { sql } from 'kysely';
import type { Act, Actor } from '../platform/act.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/db/database.ts';
import { violatedConstraint } from '../platform/db/failure.ts';
import { AppError, invalidField } from '../platform/errors.ts';
import { RESERVED_USERNAMES } from '../platform/http/admit.ts';
import type { Vault } from '../platform/vault/vault.ts';
import { recordAct } from './audit/record.ts';
import { INSTALLATION } from './audit/signing-key.ts';
import { readName } from './read-name.ts';
import './tables.ts';

const USERNAME = /^[a-z0-9][a-z0-9_-]{1,62}$/;

/**
 * Makes a customer with keys of its own and returns its id. What is written with it may be the customer's or the
 * installation's.
 */
export async function createCustomer(
  deps: { db: Database; vault: Vault; clock: Clock },
  actor: Actor,
  wanted: { name: string; username: string },
  writeWith: (tx: Tx, id: number) => Promise<void> = async () => undefined,
): Promise<number> {
  const { db, vault, clock } = deps;
  const { username } = wanted;
  const name = readName('name', wanted.name);
  if (!USERNAME.test(username)) throw invalidField('username', 'takes 2 to 63 of a-z, 0-9, - and _');
  if (RESERVED_USERNAMES.has(username)) throw invalidField('username', 'is reserved');
  const id = await nextCustomerId(db);
  await vault.createKeys(id);
  await db.tenant([INSTALLATION, id], async (tx) => {
    await sql`insert into customers (id, name, username, created_at) overriding system value
      values (${id}, ${name}, ${username}, ${clock.now()})`
      .execute(tx)
      .catch(refuseTaken);
    await recordAct(tx, clock, { customerId: id, actor, action: 'customer.created', requestId: null }, {});
    await writeWith(tx, id);
  });
  return id;
}

function refuseTaken(error: unknown): never {
  if (violatedConstraint(error) === null) throw error;
  throw new AppError('conflict', 'username: is taken', { fields: { username: ['is taken'] } });
}

/** Every customer of the installation. */
export async function listCustomers(db: Database): Promise<{ id: number; username: string }[]> {
  const { rows } = await db.untenanted((tx) =>
    sql<{ id: number; username: string }>`select * from find_customers()`.execute(tx),
  );
  return rows;
}

/** Whoever may have keys, rows and files: the installation itself, then every customer. */
export async function listTenants(db: Database): Promise<number[]> {
  return [INSTALLATION, ...(await listCustomers(db)).map(({ id }) => id)];
}

/** Throws unless a customer exists. */
export async function requireCustomer(db: Database, id: number): Promise<void> {
  const row = await db.tenant([id], (tx) =>
    tx.selectFrom('customers').select('id').where('id', '=', id).executeTakeFirst(),
  );
  if (row === undefined) throw new AppError('not_found', 'No such customer');
}

/** Throws where a customer is closed; whoever closes it waits for what begins with this, and the other way round. */
export async function requireOpen(tx: Tx, id: number): Promise<void> {
  const row = await tx.selectFrom('customers').select('closed_at').where('id', '=', id).forShare().executeTakeFirst();
  if (row === undefined || row.closed_at === null) return;
  throw new AppError('conflict', 'Everything here is closed: sign the agreement to open it again');
}

/** Throws where the destruction of a customer has begun: there is no way back. */
export async function requireNotDestroyed(tx: Tx, id: number): Promise<void> {
  const { rows } = await sql`select 1 from customer_destructions where customer_id = ${id}`.execute(tx);
  if (rows.length > 0) throw new AppError('conflict', 'This customer is destroyed, or about to be');
}

/** Begins to close a customer: nothing that needs it open is under way any more. */
export async function holdCustomer(tx: Tx, id: number): Promise<void> {
  await tx.selectFrom('customers').select('id').where('id', '=', id).forNoKeyUpdate().execute();
}

/** What a customer is called. */
export async function customerName(tx: Tx, id: number): Promise<string> {
  const { name } = await tx.selectFrom('customers').select('name').where('id', '=', id).executeTakeFirstOrThrow();
  return name;
}

/** What a customer says of itself. */
export interface CustomerDescription {
  id: number;
  name: string;
  username: string;
  createdAt: Date;
  closedAt: Date | null;
  checklistDismissedAt: Date | null;
  /** How long submissions of a new form are kept; null is until somebody removes them. */
  formRetentionDays: number | null;
}

/** What there is to know about a customer. */
export async function readCustomer(tx: Tx, id: number): Promise<CustomerDescription> {
  const row = await tx.selectFrom('customers').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  return {
    id: row.id,
    name: row.name,
    username: row.username,
    createdAt: row.created_at,
    closedAt: row.closed_at,
    checklistDismissedAt: row.checklist_dismissed_at,
    formRetentionDays: row.form_retention_days,
  };
}

/** Changes what a customer says of itself. */
export async function updateCustomer(
  tx: Tx,
  clock: Clock,
  act: Act,
  change: {
    name?: string;
    checklist_dismissed_at?: Date;
    closed_at?: Date;
    form_retention_days?: number | null;
  },
): Promise<void> {
  await tx.updateTable('customers').set(change).where('id', '=', act.customerId).execute();
  await recordAct(tx, clock, act, { details: { changed: Object.keys(change) } });
}

async function nextCustomerId(db: Database): Promise<number> {
  const { rows } = await db.untenanted((tx) =>
    sql<{ id: number }>`select nextval('customers_id_seq')::int as id`.execute(tx),
  );
  return (rows[0] as { id: number }).id;
}
