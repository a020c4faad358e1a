import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { violatedConstraint } from '../../platform/db/failure.ts';
import { AppError } from '../../platform/errors.ts';
import type { IdempotencyClaim } from '../../platform/http/idempotency.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import type { PublicForm } from '../definition/public-forms.ts';
import { DRAFT_DAYS } from '../drafts/save-draft.ts';
import { PAGE_DAYS } from '../gate/page-age.ts';
import type { AcceptedSubmission } from './accept.ts';
import '../tables.ts';

const DAY_MS = 24 * 3600_000;
/** A page may be saved on its last day, and what was saved be taken up on the last of its own by a page that may stay as long. */
const KEPT_DAYS = PAGE_DAYS + DRAFT_DAYS + PAGE_DAYS;
const PRIMARY_KEY = 'form_fillings_pkey';

/** One filling of the page of a form, and what it was filled with: as digests. */
export interface Filling {
  name: Buffer;
  content: Buffer;
}

/**
 * The filling that a page was posted with. The digest of its content holds its name, which only the page itself knows:
 * nobody can try guesses at the answers of a submission that has been destroyed since.
 */
export function fillingOf(keys: CustomerVault, once: string, { keyHash, requestHash }: IdempotencyClaim): Filling {
  return { name: keyHash, content: keys.blindIndex('filling', `${once}\0${requestHash.toString('hex')}`) };
}

/** The submission that a filling was taken as; null where it was not. Throws where it was taken with another content. */
export async function findTaken(
  { db }: { db: Database },
  { id: formId, customerId }: PublicForm,
  { name, content }: Filling,
): Promise<AcceptedSubmission | null> {
  const row = await db.tenant([customerId], (tx) =>
    tx
      .selectFrom('form_fillings')
      .select(['submission_id', 'form_version', 'at', 'content'])
      .where('customer_id', '=', customerId)
      .where('form_id', '=', formId)
      .where('filling', '=', name)
      .executeTakeFirst(),
  );
  if (row === undefined) return null;
  if (!row.content.equals(content)) throw new AppError('idempotency_conflict');
  return { id: row.submission_id, version: row.form_version, at: row.at };
}

/** Whether a submission was not written as its filling had been taken. */
export function isTakenAlready(error: unknown): boolean {
  return violatedConstraint(error) === PRIMARY_KEY;
}

/** Forgets fillings whose pages can be sent no more; run by cron as the worker role. */
export async function sweepFillings({ db, clock }: { db: Database; clock: Clock }): Promise<void> {
  const oldest = new Date(clock.now().getTime() - KEPT_DAYS * DAY_MS);
  await db.untenanted((tx) => tx.deleteFrom('form_fillings').where('at', '<', oldest).execute());
}
