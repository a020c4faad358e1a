import { type Selectable, sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import type { Tables } from '../../platform/db/tables.ts';
import { AppError } from '../../platform/errors.ts';
import type { OwnershipCheck } from '../../platform/http/ownership.ts';
import { isUuid } from '../../platform/ids.ts';
import type { Finding } from './compare.ts';
import { type DkimKey, keysOf } from './dkim-keys.ts';
import { type DnsRecord, recordsOf } from './records.ts';
import '../tables.ts';

export type DomainRow = Selectable<Tables['sending_domains']>;

/** A record and how the last check found it; one that is newer than that has not been looked for. */
export interface CheckedRecord extends DnsRecord {
  status: Finding['status'] | 'unchecked';
  found: string[];
}

/** A domain that a customer sends from, with what it is to have in DNS. */
export interface SendingDomain extends DomainRow {
  records: CheckedRecord[];
}

/** What reading domains takes: when it is, and where return paths lead. */
export interface DomainContext {
  now: Date;
  returnPathDomain: string | null;
}

/** Every domain of a customer, by name. */
export async function listDomains(tx: Tx, context: DomainContext, customerId: number): Promise<SendingDomain[]> {
  const rows = await ofCustomer(tx, customerId).orderBy('domain').execute();
  return withRecords(tx, context, customerId, rows);
}

/** The domain of a name, or null. */
export async function findDomainNamed(
  tx: Tx,
  context: DomainContext,
  customerId: number,
  domain: string,
): Promise<SendingDomain | null> {
  const rows = await ofCustomer(tx, customerId).where('domain', '=', domain).execute();
  return (await withRecords(tx, context, customerId, rows))[0] ?? null;
}

/** The domain of an id: 404 where there is none, 403 where it is another's. */
export async function findDomain(
  tx: Tx,
  context: DomainContext & { requireOwn: OwnershipCheck },
  customerId: number,
  id: string,
): Promise<SendingDomain> {
  if (!isUuid(id)) throw domainNotFound();
  const owner = sql<number | null>`find_sending_domain_customer(${id})`;
  await context.requireOwn(tx, customerId, owner, 'No such sending domain');
  const rows = await ofCustomer(tx, customerId).where('id', '=', id).execute();
  const [found] = await withRecords(tx, context, customerId, rows);
  if (found === undefined) throw domainNotFound();
  return found;
}

export function domainNotFound(): AppError {
  return new AppError('not_found', 'No such sending domain');
}

/** The key under which a finding is kept. */
export function findingKey({ type, name }: Pick<DnsRecord, 'type' | 'name'>): string {
  return `${type} ${name}`;
}

function ofCustomer(tx: Tx, customerId: number) {
  return tx.selectFrom('sending_domains').selectAll().where('customer_id', '=', customerId);
}

async function withRecords(
  tx: Tx,
  { now, returnPathDomain }: DomainContext,
  customerId: number,
  rows: DomainRow[],
): Promise<SendingDomain[]> {
  if (rows.length === 0) return [];
  const names = rows.map(({ domain }) => domain);
  const keys = Map.groupBy(await keysOf(tx, customerId, names), ({ domain }) => domain);
  return rows.map((row) => ({ ...row, records: checkedRecords(row, keys.get(row.domain) ?? []) }));

  function checkedRecords(row: DomainRow, ownKeys: DkimKey[]): CheckedRecord[] {
    const { domain, challenge, findings } = row;
    return recordsOf({ domain, challenge, keys: ownKeys, returnPathDomain, now }).map((record) => ({
      ...record,
      ...(findings[findingKey(record)] ?? { status: 'unchecked', found: [] }),
    }));
  }
}
