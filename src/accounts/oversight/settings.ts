import type { Tx } from '../../platform/db/database.ts';
import '../tables.ts';

/** Whom to tell beside the owners, and how often what was done is reviewed. */
export interface OversightSettings {
  securityContact: string | null;
  reviewDays: number;
  reviewDueDays: number;
}

/** What a customer has set. */
export async function readOversightSettings(tx: Tx, customerId: number): Promise<OversightSettings> {
  const row = await tx
    .selectFrom('customers')
    .select(['security_contact', 'review_days', 'review_due_days'])
    .where('id', '=', customerId)
    .executeTakeFirstOrThrow();
  return { securityContact: row.security_contact, reviewDays: row.review_days, reviewDueDays: row.review_due_days };
}

/** Those who are told what concerns a customer: its owners and its security contact; of the installation, its operators. */
export async function readContacts(tx: Tx, customerId: number): Promise<string[]> {
  const people = await tx
    .selectFrom('users')
    .select('email')
    .where('customer_id', '=', customerId)
    .where('role', 'in', ['owner', 'operator'])
    .where('disabled_at', 'is', null)
    .execute();
  const customer = await tx
    .selectFrom('customers')
    .select('security_contact')
    .where('id', '=', customerId)
    .executeTakeFirst();
  const addresses = [...people.map(({ email }) => email), customer?.security_contact ?? null];
  return [...new Set(addresses.filter((address) => address !== null))];
}
