import { sql } from 'kysely';
import { recordAct } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import { compileVersion, type FormVersion } from '../definition/compiled-versions.ts';
import { formNotFound, requireOwnForm } from '../definition/form.ts';
import { listVersions } from '../definition/versions.ts';
import { type Columns, columnsOf } from '../export/columns.ts';
import type { ExportedSubmission } from '../export/exported-submission.ts';
import type { FormModel } from '../model/form-model.ts';
import { questionsOf } from '../model/questions.ts';
import type { ReadDeps } from './read.ts';
import { open, requireOwnSubmission, type Submission, selectSubmissions, submissionNotFound } from './submission.ts';

/** Rows of one transaction: none may live long, and an export of a million rows does. */
const PAGE = 500;
const PAGE_BYTES = 16 * 2 ** 20;
/** More columns than this are not made for answers that no question asked for. */
const MOST_FREE_KEYS = 500;

/** All submissions of a form as a table, or one of them. */
export interface Table {
  columns: Columns;
  submissions: AsyncIterable<ExportedSubmission>;
}

/** Opens the table of a form's submissions; it is read while it is sent, in the order in which they came. */
export async function openTable(
  deps: ReadDeps,
  act: Act,
  { formId, submissionId }: { formId: string; submissionId: string | null },
): Promise<Table> {
  const { customerId } = act;
  const keys = await deps.vault.of(customerId);
  const versions = await deps.db.tenant([customerId], async (tx) => {
    await requireOwnForm(tx, deps.requireOwn, customerId, formId);
    if (submissionId !== null) {
      await requireOwnSubmission(tx, deps.requireOwn, customerId, submissionId);
      const row = await selectSubmissions(tx, customerId, formId).where('s.id', '=', submissionId).executeTakeFirst();
      if (row === undefined) throw submissionNotFound();
    }
    const details = { form: formId, ...(submissionId === null ? {} : { submission: submissionId }) };
    await recordAct(tx, deps.clock, act, { target: submissionId ?? formId, details });
    return (await listVersions(tx, customerId, formId)).map(compileVersion);
  });
  if (versions.length === 0) throw formNotFound();
  const read = () => readAll(deps, keys, { customerId, formId, submissionId });
  return { columns: await columnsFor(versions, read), submissions: exported(versions, read()) };
}

/** Questions give the columns; where a form has none, the answers themselves have to be looked through first. */
async function columnsFor(versions: FormVersion[], read: () => AsyncIterable<Submission>): Promise<Columns> {
  const freeKeys = new Set<string>();
  const asksNothing = versions.every(({ model }) => questionsOf(model).length === 0);
  if (asksNothing) {
    for await (const { answers } of read()) {
      for (const key of Object.keys(answers)) if (freeKeys.size < MOST_FREE_KEYS) freeKeys.add(key);
    }
  }
  return columnsOf(versions, {
    freeKeys: [...freeKeys],
    signable: versions.some(({ signable }) => signable),
    otherAnswers: !asksNothing || freeKeys.size === MOST_FREE_KEYS,
  });
}

interface Wanted {
  customerId: number;
  formId: string;
  submissionId: string | null;
}

async function* readAll({ db }: ReadDeps, keys: CustomerVault, wanted: Wanted): AsyncGenerator<Submission> {
  for (let after: string | null = null; ; ) {
    const rows: Awaited<ReturnType<typeof readPage>> = await db.tenant([wanted.customerId], (tx) =>
      readPage(tx, wanted, after),
    );
    if (rows.length === 0) return;
    after = rows.at(-1)?.id ?? null;
    for (const row of rows) yield open(keys, wanted.customerId, row);
  }
}

/** The submissions that follow one, as many as a page takes by number and by size. */
async function readPage(tx: Tx, { customerId, formId, submissionId }: Wanted, after: string | null) {
  let page = tx
    .selectFrom('submissions')
    .select(['id', sql<number>`octet_length(sealed)`.as('size')])
    .where('customer_id', '=', customerId)
    .where('form_id', '=', formId)
    .orderBy('id')
    .limit(PAGE);
  if (after !== null) page = page.where('id', '>', after);
  if (submissionId !== null) page = page.where('id', '=', submissionId);
  const ids = withinBytes(await page.execute());
  if (ids.length === 0) return [];
  return selectSubmissions(tx, customerId, formId).where('s.id', 'in', ids).orderBy('s.id').execute();
}

/** The first of these that fit into the memory of a page, one at least. */
function withinBytes(sized: { id: string; size: number }[]): string[] {
  let bytes = 0;
  const end = sized.findIndex(({ size }, index) => (bytes += size) > PAGE_BYTES && index > 0);
  return (end === -1 ? sized : sized.slice(0, end)).map(({ id }) => id);
}

async function* exported(
  versions: FormVersion[],
  submissions: AsyncIterable<Submission>,
): AsyncGenerator<ExportedSubmission> {
  const models = new Map(versions.map(({ version, model }) => [version, model]));
  for await (const submission of submissions) yield toExported(submission, models.get(submission.formVersion));
}

/** A submission as the writers of files take it. */
export function toExported(submission: Submission, model: FormModel | undefined): ExportedSubmission {
  const { id, createdAt, formVersion, submitterEmail, unasked, files, signature } = submission;
  return {
    id,
    createdAt,
    formVersion,
    submitterEmail,
    answers: model === undefined ? submission.answers : { ...fileNames(model, files), ...submission.answers },
    unasked,
    attachments: files,
    signature:
      signature === null
        ? null
        : {
            ...signature,
            signedAt: new Date(signature.signedAt),
            image: signature.image === null ? null : Buffer.from(signature.image, 'base64'),
          },
  };
}

/** What stands as the answer to questions for files: the names of those that were sent for them. */
function fileNames(model: FormModel, files: Submission['files']): Record<string, string[]> {
  const asked = questionsOf(model).filter(({ kind }) => kind === 'file');
  const [only] = asked.length === 1 ? asked : [];
  return Object.fromEntries(
    asked.flatMap((question) => {
      const sent = files.filter(({ field }) => field === question.name || (field === null && question === only));
      return sent.length === 0 ? [] : [[question.name, sent.map(({ name }) => name)]];
    }),
  );
}
