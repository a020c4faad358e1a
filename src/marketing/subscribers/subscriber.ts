import type { SelectQueryBuilder } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import type { Tables } from '../../platform/db/tables.ts';
import '../tables.ts';

/** A person as the lists show them. */
export interface Subscriber {
  id: string;
  number: number;
  email: string | null;
  phone_number: string | null;
  first_name: string | null;
  last_name: string | null;
  time_zone: string | null;
  unsubscribed_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

export const SUBSCRIBER_COLUMNS = [
  'id',
  'number',
  'email',
  'phone_number',
  'first_name',
  'last_name',
  'time_zone',
  'unsubscribed_at',
  'created_at',
  'updated_at',
] as const satisfies (keyof Subscriber)[];

/** The people of a customer. */
export function selectSubscribers(tx: Tx, customerId: number): SelectQueryBuilder<Tables, 'subscribers', Subscriber> {
  return tx.selectFrom('subscribers').select(SUBSCRIBER_COLUMNS).where('customer_id', '=', customerId);
}

/** How somebody is called. */
export function fullNameOf({
  first_name: first,
  last_name: last,
}: Pick<Subscriber, 'first_name' | 'last_name'>): string {
  return [first, last].filter((part) => part !== null).join(' ');
}
