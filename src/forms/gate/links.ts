import { sql } from 'kysely';
import { notHeld, recordAct, requireNotHeld, shareHolds } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { sweepExpired } from '../../platform/db/sweep-expired.ts';
import { AppError } from '../../platform/errors.ts';
import type { OwnershipCheck } from '../../platform/http/ownership.ts';
import { isUuid, timeOrderedId } from '../../platform/ids.ts';
import { hashSecret, newSecret } from '../../platform/secret.ts';
import type { CustomerVault, Vault } from '../../platform/vault/vault.ts';
import type { PublicForm } from '../definition/public-forms.ts';
import type { Answers } from '../model/form-model.ts';
import '../tables.ts';

/** A link as it is given out, once. */
export interface NewLink {
  id: string;
  token: string;
  expiresAt: Date;
}

/** What a link brings along that still takes a submission. */
export interface OpenLink {
  id: string;
  answers: Answers;
}

interface Wanted {
  count: number;
  expiresAt: Date;
  /** What is filled in already for whoever comes by the link. */
  answers: Answers | null;
}

/** Makes links of a form that take one submission each. */
export async function createLinks(
  tx: Tx,
  { clock, act, keys }: { clock: Clock; act: Act; keys: CustomerVault },
  formId: string,
  { count, expiresAt, answers }: Wanted,
): Promise<NewLink[]> {
  const links = Array.from({ length: count }, () => ({ id: timeOrderedId(clock), token: newSecret(), expiresAt }));
  const rows = links.map(({ id, token }) => ({
    id,
    customer_id: act.customerId,
    form_id: formId,
    token_hash: hashSecret(token) as Buffer,
    answers: answers === null ? null : keys.seal(placeOf(id), JSON.stringify(answers)),
    created_at: clock.now(),
    expires_at: expiresAt,
    used_at: null,
    submission_id: null,
  }));
  await tx.insertInto('form_links').values(rows).execute();
  await recordAct(tx, clock, act, { target: formId, details: { links: count } });
  return links;
}

/** The links of a form, the newest first, and how many there are. */
export async function listLinks(
  tx: Tx,
  customerId: number,
  formId: string,
  { page, items }: { page: number; items: number },
) {
  const all = tx.selectFrom('form_links').where('customer_id', '=', customerId).where('form_id', '=', formId);
  const { total } = await all.select(({ fn }) => fn.countAll<string>().as('total')).executeTakeFirstOrThrow();
  const links = await all
    .select(['id', 'created_at', 'expires_at', 'used_at', 'submission_id'])
    .orderBy('id', 'desc')
    .limit(items)
    .offset((page - 1) * items)
    .execute();
  return { total: Number(total), links };
}

/** Takes a link of a form back; whoever has it finds nothing there. */
export async function deleteLink(
  tx: Tx,
  { clock, act, requireOwn }: { clock: Clock; act: Act; requireOwn: OwnershipCheck },
  formId: string,
  id: string,
): Promise<void> {
  const notFound = 'No such link';
  if (!isUuid(id)) throw new AppError('not_found', notFound);
  await requireOwn(tx, act.customerId, sql<number | null>`find_form_link_customer(${id})`, notFound);
  await requireNotHeld(tx, act.customerId, { objects: [formId] });
  const { numDeletedRows } = await tx
    .deleteFrom('form_links')
    .where('customer_id', '=', act.customerId)
    .where('form_id', '=', formId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) throw new AppError('not_found', notFound);
  await recordAct(tx, clock, act, { target: formId, details: { link: id } });
}

/** The link of a token, where it is of this form and still takes a submission. */
export async function findLink(
  { db, vault, clock }: { db: Database; vault: Vault; clock: Clock },
  { id: formId, customerId }: PublicForm,
  token: string,
): Promise<OpenLink | null> {
  const hash = hashSecret(token);
  if (hash === null) return null;
  const row = await db.tenant([customerId], (tx) =>
    tx
      .selectFrom('form_links')
      .select(['id', 'answers'])
      .where('customer_id', '=', customerId)
      .where('form_id', '=', formId)
      .where('token_hash', '=', hash)
      .where('used_at', 'is', null)
      .where('expires_at', '>', clock.now())
      .executeTakeFirst(),
  );
  if (row === undefined) return null;
  if (row.answers === null) return { id: row.id, answers: {} };
  const keys = await vault.of(customerId);
  return { id: row.id, answers: JSON.parse(keys.open(placeOf(row.id), row.answers).toString()) as Answers };
}

/** Deletes links that open nothing any more, unless a legal hold keeps their form; run by cron as the worker role. */
export async function sweepLinks({ db, clock }: { db: Database; clock: Clock }): Promise<void> {
  await sweepExpired({ db, clock }, 'form_links', (customerId, ids) =>
    db.tenant([customerId], async (tx) => {
      await shareHolds(tx, customerId);
      await tx
        .deleteFrom('form_links')
        .where('customer_id', '=', customerId)
        .where('id', 'in', ids)
        .where(notHeld(customerId, sql`array[form_id]`))
        .execute();
    }),
  );
}

function placeOf(id: string) {
  return { table: 'form_links', row: id, column: 'answers' };
}
