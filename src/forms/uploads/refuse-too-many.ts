import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors.ts';
import type { PublicForm } from '../definition/public-forms.ts';
import '../tables.ts';

/** How many files of one network may wait for a submission of one form. */
const MOST_WAITING = 100;
const RETRY_AFTER_SECONDS = 3600;

/** Those of one network count one after the other, so that many at once are not more than many in turn. */
export async function refuseTooMany(
  tx: Tx,
  clock: Clock,
  { customerId, id: formId }: PublicForm,
  network: string,
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${formId}/${network}`}, 0))`.execute(tx);
  const { count } = await tx
    .selectFrom('form_uploads')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('customer_id', '=', customerId)
    .where('form_id', '=', formId)
    .where('network', '=', network)
    .where('expires_at', '>', clock.now())
    .executeTakeFirstOrThrow();
  if (count < MOST_WAITING) return;
  const extras = { retryAfterSeconds: RETRY_AFTER_SECONDS };
  throw new AppError('rate_limited', `At most ${MOST_WAITING} files may wait for their submissions`, extras);
}
