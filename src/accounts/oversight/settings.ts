import type { Act } from '../../platform/act.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import { refuseOvertaken } from '../../platform/http/body/if-updated-at.ts';
import { recordAct } from '../audit/record.ts';
import '../tables.ts';

/** Whom to tell beside the owners, and how often what was done is reviewed. */
export interface OversightSettings {
  securityContact: string | null;
  reviewDays: number;
  reviewDueDays: number;
  updatedAt: Date;
}

/** What a customer has set. */
export async function readOversightSettings(tx: Tx, customerId: number): Promise<OversightSettings> {
  const row = await tx
    .selectFrom('customers')
    .select(['security_contact', 'review_days', 'review_due_days', 'oversight_updated_at'])
    .where('id', '=', customerId)
    .executeTakeFirstOrThrow();
  return {
    securityContact: row.security_contact,
    reviewDays: row.review_days,
    reviewDueDays: row.review_due_days,
    updatedAt: row.oversight_updated_at,
  };
}

type Change = Omit<OversightSettings, 'updatedAt'> & { if_updated_at: string | null };

/** Sets them; throws where they are no longer what the caller has read. */
export async function setOversightSettings(
  tx: Tx,
  { clock, act }: { clock: Clock; act: Act },
  { securityContact, reviewDays, reviewDueDays, ...read }: Change,
): Promise<void> {
  const before = await tx
    .selectFrom('customers')
    .select('oversight_updated_at')
    .where('id', '=', act.customerId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  refuseOvertaken(read, before.oversight_updated_at);
  const change = { security_contact: securityContact, review_days: reviewDays, review_due_days: reviewDueDays };
  await tx
    .updateTable('customers')
    .set({ ...change, oversight_updated_at: clock.now() })
    .where('id', '=', act.customerId)
    .execute();
  await recordAct(tx, clock, act, { details: { changed: Object.keys(change) } });
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
