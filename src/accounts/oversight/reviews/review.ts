import { sql } from 'kysely';
import type { Database, Tx } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors.ts';
import type { OwnershipCheck } from '../../../platform/http/ownership.ts';
import { isUuid } from '../../../platform/ids.ts';
import type { CustomerVault } from '../../../platform/vault/vault.ts';
import { allPages, PAGE, type Span } from '../span.ts';
import type { Finding } from './findings.ts';
import '../tables.ts';
import '../../tables.ts';

/** What was done in a period, as somebody has to look at it. */
export interface Review {
  id: string;
  customerId: number;
  from: Date;
  to: Date;
  findings: Finding[];
  madeAt: Date;
  dueAt: Date;
  signedAt: Date | null;
  /** The address of whoever signed. */
  signedBy: string | null;
  /** Whether whoever signed is in the findings. */
  isOwn: boolean;
}

/** Where a review stands: one that nobody signs in time is overdue. */
export function reviewState({ signedAt, dueAt }: Review, now: Date): 'open' | 'overdue' | 'signed' {
  if (signedAt !== null) return 'signed';
  return dueAt <= now ? 'overdue' : 'open';
}

/** The reviews of a customer, or of the installation, made in a span of time; the latest first. */
export function listReviews(db: Database, { customerId, from, to }: Span): Promise<Review[]> {
  return allPages(async (before) => {
    const fits = sql`r.made_at >= ${from} and r.made_at < ${to} and (${before}::uuid is null or r.id < ${before})`;
    const { rows } = await db.tenant([customerId], (tx) => selectReviews(customerId, fits).execute(tx));
    return rows;
  });
}

/** One review: 404 where none has the id, 403 where it is another's. */
export async function findReview(tx: Tx, requireOwn: OwnershipCheck, customerId: number, id: string): Promise<Review> {
  const missing = 'No such review';
  if (!isUuid(id)) throw new AppError('not_found', missing);
  await requireOwn(tx, customerId, sql<number | null>`find_review_customer(${id})`, missing);
  const { rows } = await selectReviews(customerId, sql`r.id = ${id}`).execute(tx);
  if (rows[0] === undefined) throw new AppError('not_found', missing);
  return rows[0];
}

/** What whoever signed a review wrote about it. */
export async function openNotes(tx: Tx, keys: CustomerVault, { id, customerId }: Review): Promise<string | null> {
  const row = await tx
    .selectFrom('activity_reviews')
    .select('notes')
    .where('customer_id', '=', customerId)
    .where('id', '=', id)
    .executeTakeFirst();
  const notes = row?.notes ?? null;
  return notes === null ? null : keys.open(notesPlace(id), notes).toString();
}

export function notesPlace(id: string): { table: string; row: string; column: string } {
  return { table: 'activity_reviews', row: id, column: 'notes' };
}

/** How many reviews of a customer nobody signed in time. */
export async function countOverdue(tx: Tx, customerId: number, now: Date): Promise<number> {
  const { count } = await tx
    .selectFrom('activity_reviews')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('customer_id', '=', customerId)
    .where('signed_at', 'is', null)
    .where('due_at', '<=', now)
    .executeTakeFirstOrThrow();
  return Number(count);
}

function selectReviews(customerId: number, where: ReturnType<typeof sql>) {
  return sql<Review>`
    select r.id, r.customer_id as "customerId", r.period_from as "from", r.period_to as "to", r.findings,
      r.made_at as "madeAt", r.due_at as "dueAt", r.signed_at as "signedAt", u.email as "signedBy",
      exists (select from jsonb_array_elements(r.findings) f
        where f ->> 'kind' <> 'sign_in_failures' and f -> 'actor' ->> 'kind' = 'user' and f -> 'actor' ->> 'id' = r.signed_by::text) as "isOwn"
    from activity_reviews r left join users u on u.customer_id = r.customer_id and u.id = r.signed_by
    where r.customer_id = ${customerId} and ${where} order by r.id desc limit ${PAGE}`;
}
