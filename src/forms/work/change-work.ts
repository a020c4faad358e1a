import { sql } from 'kysely';
import { recordAct } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import type { Tx } from '../../platform/db/database.ts';
import { canonicalUuid, isUuid } from '../../platform/ids.ts';
import { requireOwnForm } from '../definition/form.ts';
import { locateSubmission, type ReadDeps, type SubmissionIds } from '../submissions/read.ts';
import { requireOwnSubmission, submissionNotFound } from '../submissions/submission.ts';
import { requireAssignee } from './assignee.ts';
import { readWork, UNTOUCHED, type Work, type WorkState } from './work.ts';
import '../tables.ts';

/** What is to be otherwise; what is left out stays. */
export interface WorkChange {
  state?: WorkState;
  assigneeId?: string | null;
}

type Deps = Omit<ReadDeps, 'vault'>;

/** What staff makes of one submission. */
export async function findWork({ db, requireOwn }: Deps, customerId: number, ids: SubmissionIds): Promise<Work> {
  return db.tenant([customerId], async (tx) => {
    const { id } = await locateSubmission(tx, requireOwn, customerId, ids);
    return workOf(tx, customerId, id);
  });
}

/** Changes what staff makes of one submission; answers how it stands then. */
export async function changeWork(deps: Deps, act: Act, ids: SubmissionIds, change: WorkChange): Promise<Work> {
  const { customerId } = act;
  return deps.db.tenant([customerId], async (tx) => {
    const { id, formId } = await locateSubmission(tx, deps.requireOwn, customerId, ids);
    const wanted = await readWanted(tx, deps, customerId, change);
    if (isChange(wanted)) {
      await write(tx, deps, { customerId, formId, ids: [id] }, wanted);
      await recordAct(tx, deps.clock, act, { target: id, details: { form: formId, ...told(wanted) } });
    }
    return workOf(tx, customerId, id);
  });
}

/** Changes many submissions of a form at once, all of them or none; answers how many there are. */
export async function changeManyWorks(
  deps: Deps,
  act: Act,
  { formId, ids }: { formId: string; ids: string[] },
  change: WorkChange,
): Promise<number> {
  const { customerId } = act;
  return deps.db.tenant([customerId], async (tx) => {
    await requireOwnForm(tx, deps.requireOwn, customerId, formId);
    const form = canonicalUuid(formId);
    const own = await requireAll(tx, deps, { customerId, formId: form }, ids);
    const wanted = await readWanted(tx, deps, customerId, change);
    if (!isChange(wanted)) return 0;
    await write(tx, deps, { customerId, formId: form, ids: own }, wanted);
    await recordAct(tx, deps.clock, act, { target: form, details: { submissions: own, ...told(wanted) } });
    return own.length;
  });
}

async function workOf(tx: Tx, customerId: number, id: string): Promise<Work> {
  return (await readWork(tx, customerId, [id])).get(id) ?? UNTOUCHED;
}

async function readWanted(tx: Tx, deps: Deps, customerId: number, change: WorkChange): Promise<WorkChange> {
  if (typeof change.assigneeId !== 'string') return change;
  return { ...change, assigneeId: await requireAssignee(tx, deps.requireOwn, customerId, change.assigneeId) };
}

function isChange({ state, assigneeId }: WorkChange): boolean {
  return state !== undefined || assigneeId !== undefined;
}

/** What the audit log says of a change. */
function told({ state, assigneeId }: WorkChange): Record<string, string> {
  return {
    ...(state === undefined ? {} : { state }),
    ...(assigneeId === undefined ? {} : { assignee: assigneeId ?? 'nobody' }),
  };
}

/** The ids as they are stored. Where one leads nowhere, nothing is done: 404, or 403 where it is another customer's. */
async function requireAll(tx: Tx, deps: Deps, of: { customerId: number; formId: string }, ids: string[]) {
  const wanted = [...new Set(ids.map((id) => (isUuid(id) ? canonicalUuid(id) : id)))];
  const named = wanted.filter(isUuid);
  const rows = named.length === 0 ? [] : await selectRows(tx, of, named);
  const own = new Set(rows.map(({ id }) => id));
  const strange = wanted.find((id) => !own.has(id));
  if (strange === undefined) return wanted;
  await requireOwnSubmission(tx, deps.requireOwn, of.customerId, strange);
  throw submissionNotFound();
}

function selectRows(tx: Tx, { customerId, formId }: { customerId: number; formId: string }, ids: string[]) {
  return tx
    .selectFrom('submissions')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('form_id', '=', formId)
    .where('id', 'in', ids)
    .execute();
}

/** Their keys are held: whoever destroys one of them waits, and then takes along what was written here. */
async function write(
  tx: Tx,
  { clock }: Deps,
  { customerId, formId, ids }: { customerId: number; formId: string; ids: string[] },
  { state, assigneeId }: WorkChange,
): Promise<void> {
  const held = await sql`select from submission_keys
    where customer_id = ${customerId} and submission_id = any(${ids}::uuid[])
    order by submission_id for share`.execute(tx);
  if (held.rows.length < ids.length) throw submissionNotFound();
  await sql`insert into submission_work (submission_id, customer_id, form_id, state, assignee_id, updated_at)
    select id, ${customerId}::int, ${formId}::uuid, ${state ?? 'new'}, ${assigneeId ?? null}::uuid, ${clock.now()}
    from unnest(${ids}::uuid[]) as id order by id
    on conflict (submission_id) do update set
      state = ${state === undefined ? sql`submission_work.state` : sql`excluded.state`},
      assignee_id = ${assigneeId === undefined ? sql`submission_work.assignee_id` : sql`excluded.assignee_id`},
      updated_at = excluded.updated_at
    where submission_work.customer_id = ${customerId}`.execute(tx);
}
