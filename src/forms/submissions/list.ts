import { type RawBuilder, sql } from 'kysely';
import { recordAct } from '../../accounts/index.ts';
import { addressKey } from '../../email/index.ts';
import type { Act } from '../../platform/act.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError, missingField } from '../../platform/errors.ts';
import { firstIdAt, isUuid } from '../../platform/ids.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import { requireOwnForm } from '../definition/form.ts';
import { readWork, type Work, type WorkState } from '../work/work.ts';
import { SUBMITTER_COLUMN } from './accept.ts';
import type { ReadDeps } from './read.ts';
import { readInOrder } from './read-shuffled.ts';
import { openSubmitter } from './sealed-submission.ts';
import { requireOwnSubmission, type Submission } from './submission.ts';

export interface SubmissionQuery {
  submissionId: string | null;
  submitterEmail: string | null;
  since: Date | null;
  until: Date | null;
  workState: WorkState | null;
  /** Only those of somebody, or NOBODY's. */
  assignee: string | null;
  orderBy: 'created_at' | 'submitter_email';
  order: 'asc' | 'desc';
  page: number;
  items: number;
}

/** Stands for submissions that are nobody's. */
const NOBODY = 'none';
const FILTERS = ['submissionId', 'submitterEmail', 'since', 'until', 'workState', 'assignee'] as const;

/** Addresses are sealed: to sort by them, all have to be opened. */
const MOST_SORTED = 50_000;

/**
 * One page of a form's submissions, which are read while they are sent since a hundred may be more than fits into memory,
 * and how many fit in all; the audit log has the query and the ids, no values.
 */
export async function listSubmissions(
  deps: ReadDeps,
  act: Act,
  formId: string,
  query: SubmissionQuery,
): Promise<{ submissions: AsyncIterable<Submission>; works: Map<string, Work>; total: number }> {
  const { customerId } = act;
  const keys = await deps.vault.of(customerId);
  const page = await deps.db.tenant([customerId], async (tx) => {
    await requireOwnForm(tx, deps.requireOwn, customerId, formId);
    const possible = await isPossible(tx, deps, customerId, query);
    const total = possible ? await count(tx, keys, { customerId, formId }, query) : 0;
    const ids = total === 0 ? [] : await pageOf(tx, keys, { customerId, formId, total }, query);
    const filters = FILTERS.filter((each) => query[each] !== null);
    await recordAct(tx, deps.clock, act, { target: formId, details: { filters, page: query.page, submissions: ids } });
    return { ids, works: await readWork(tx, customerId, ids), total };
  });
  return { ...page, submissions: readInOrder(deps, keys, { customerId, formId }, page.ids) };
}

/** An id that no submission or person has leads to an empty list; another customer's is refused. */
async function isPossible(tx: Tx, { requireOwn }: ReadDeps, customerId: number, query: SubmissionQuery) {
  const { submissionId, assignee } = query;
  const named = [submissionId, assignee].filter((id) => id !== null && id !== NOBODY);
  if (!named.every((id) => id !== null && isUuid(id))) return false;
  try {
    if (submissionId !== null) await requireOwnSubmission(tx, requireOwn, customerId, submissionId);
    if (assignee !== null && assignee !== NOBODY) {
      const missing = missingField('assignee_id', 'no such person');
      await requireOwn(tx, customerId, sql<number | null>`find_user_customer(${assignee})`, missing);
    }
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return false;
    throw error;
  }
}

interface Of {
  customerId: number;
  formId: string;
}

function matching(tx: Tx, keys: CustomerVault, { customerId, formId }: Of, query: SubmissionQuery) {
  let found = tx.selectFrom('submissions as s').where('s.customer_id', '=', customerId).where('s.form_id', '=', formId);
  if (query.submissionId !== null) found = found.where('s.id', '=', query.submissionId);
  if (query.since !== null) found = found.where('s.id', '>=', firstIdAt(query.since));
  if (query.until !== null) found = found.where('s.id', '<', firstIdAt(query.until));
  if (query.submitterEmail !== null) {
    const index = keys.blindIndex(SUBMITTER_COLUMN, addressKey(query.submitterEmail));
    found = found.where('s.submitter_index', '=', index);
  }
  // One without a row is new and nobody's.
  const { workState, assignee } = query;
  if (workState === 'new') found = found.where(hasWork(sql`w.state <> 'new'`, false));
  else if (workState !== null) found = found.where(hasWork(sql`w.state = ${workState}`, true));
  if (assignee === NOBODY) found = found.where(hasWork(sql`w.assignee_id is not null`, false));
  else if (assignee !== null) found = found.where(hasWork(sql`w.assignee_id = ${assignee}`, true));
  return found;
}

/** Whether a submission `s` has work of a kind, or has none. */
function hasWork(kind: RawBuilder<unknown>, wanted: boolean) {
  return sql<boolean>`${wanted ? sql`` : sql`not`} exists (select from submission_work w
    where w.customer_id = s.customer_id and w.submission_id = s.id and ${kind})`;
}

async function count(tx: Tx, keys: CustomerVault, of: Of, query: SubmissionQuery): Promise<number> {
  const asked = FILTERS.filter((each) => query[each] !== null);
  if (asked.length === 0) return countAll(tx, of);
  if (asked.length === 1 && query.workState !== null) return countInState(tx, of, query.workState);
  const { total } = await matching(tx, keys, of, query)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

async function countAll(tx: Tx, { customerId, formId }: Of): Promise<number> {
  const counted = await tx
    .selectFrom('form_counts')
    .select('submission_count')
    .where('customer_id', '=', customerId)
    .where('form_id', '=', formId)
    .executeTakeFirst();
  return counted?.submission_count ?? 0;
}

/**
 * Counts by what has been worked on, which an index has; the submissions themselves are wide. All in one statement: what is
 * destroyed between two would be missing from one number alone.
 */
async function countInState(tx: Tx, { customerId, formId }: Of, state: WorkState): Promise<number> {
  const isNew = state === 'new';
  const worked = sql`(select count(*) from submission_work w where w.customer_id = c.customer_id and w.form_id = c.form_id
    and ${isNew ? sql`w.state <> 'new'` : sql`w.state = ${state}`})`;
  const { rows } = await sql<{ total: number }>`
    select ${isNew ? sql`c.submission_count - ${worked}` : worked} as total
    from form_counts c where c.customer_id = ${customerId} and c.form_id = ${formId}`.execute(tx);
  return rows[0]?.total ?? 0;
}

function pageOf(tx: Tx, keys: CustomerVault, of: Of & { total: number }, query: SubmissionQuery): Promise<string[]> {
  return query.orderBy === 'created_at' ? idsByTime(tx, keys, of, query) : idsBySubmitter(tx, keys, of, query);
}

/** Ids are made in the order of time. */
async function idsByTime(tx: Tx, keys: CustomerVault, of: Of, query: SubmissionQuery): Promise<string[]> {
  const rows = await matching(tx, keys, of, query)
    .select('s.id')
    .orderBy('s.id', query.order)
    .limit(query.items)
    .offset((query.page - 1) * query.items)
    .execute();
  return rows.map(({ id }) => id);
}

async function idsBySubmitter(tx: Tx, keys: CustomerVault, of: Of & { total: number }, query: SubmissionQuery) {
  if (of.total > MOST_SORTED) {
    throw new AppError('invalid_request', `order_by: submitter_email is possible for up to ${MOST_SORTED} submissions`);
  }
  const rows = await matching(tx, keys, of, query)
    .innerJoin('submission_keys as k', (join) =>
      join.onRef('k.submission_id', '=', 's.id').onRef('k.customer_id', '=', 's.customer_id'),
    )
    .select(['s.id', 's.submitter', 'k.key'])
    .execute();
  const named = rows.map((row) => ({
    id: row.id,
    submitter: openSubmitter(keys, { customerId: of.customerId, id: row.id }, row)?.toLowerCase() ?? '',
  }));
  const sign = query.order === 'asc' ? 1 : -1;
  const sorted = named.toSorted(
    (one, other) => sign * (compare(one.submitter, other.submitter) || compare(one.id, other.id)),
  );
  return sorted.slice((query.page - 1) * query.items, query.page * query.items).map(({ id }) => id);
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
