import { type Selectable, sql } from 'kysely';
import { recordAct } from '../../accounts/index.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Tables } from '../../platform/db/tables.ts';
import { AppError } from '../../platform/errors.ts';
import type { OwnershipCheck } from '../../platform/http/ownership.ts';
import { isUuid, unguessableId } from '../../platform/ids.ts';
import type { DomainWork } from './sending-domains.ts';
import '../tables.ts';

const MOST = 500;

/** A recipient domain for which a customer takes encrypted but unverified TLS. */
export type TlsException = Pick<Selectable<Tables['tls_exceptions']>, 'id' | 'domain' | 'created_at'>;

/** The recipient domains that a customer has named so. */
export async function exceptionsOf(tx: Tx, customerId: number): Promise<Set<string>> {
  return new Set((await ofCustomer(tx, customerId).execute()).map(({ domain }) => domain));
}

/** All of a customer's, by name. */
export function listExceptions(tx: Tx, customerId: number): Promise<TlsException[]> {
  return ofCustomer(tx, customerId).orderBy('domain').execute();
}

/** Adds a domain; one that is there already stays as it is. */
export async function addException({ tx, clock, act }: DomainWork, domain: string): Promise<TlsException> {
  const { customerId } = act;
  const existing = await listExceptions(tx, customerId);
  const known = existing.find((each) => each.domain === domain);
  if (known !== undefined) return known;
  if (existing.length >= MOST) {
    throw new AppError('unprocessable', `domain: a customer has at most ${MOST} TLS exceptions`);
  }
  await tx
    .insertInto('tls_exceptions')
    .values({ id: unguessableId(), customer_id: customerId, domain, created_at: clock.now() })
    .onConflict((conflict) => conflict.columns(['customer_id', 'domain']).doNothing())
    .execute();
  const made = await ofCustomer(tx, customerId).where('domain', '=', domain).executeTakeFirstOrThrow();
  await recordAct(tx, clock, act, { target: made.id });
  return made;
}

/** Takes a domain away: 404 where there is none of that id, 403 where it is another's. */
export async function removeException(
  { tx, clock, act }: DomainWork,
  requireOwn: OwnershipCheck,
  id: string,
): Promise<TlsException> {
  if (!isUuid(id)) throw notFound();
  await requireOwn(tx, act.customerId, sql<number | null>`find_tls_exception_customer(${id})`, notFound().message);
  const gone = await tx
    .deleteFrom('tls_exceptions')
    .where('customer_id', '=', act.customerId)
    .where('id', '=', id)
    .returning(['id', 'domain', 'created_at'])
    .executeTakeFirst();
  if (gone === undefined) throw notFound();
  await recordAct(tx, clock, act, { target: gone.id });
  return gone;
}

function ofCustomer(tx: Tx, customerId: number) {
  return tx.selectFrom('tls_exceptions').select(['id', 'domain', 'created_at']).where('customer_id', '=', customerId);
}

function notFound(): AppError {
  return new AppError('not_found', 'No such TLS exception');
}
