import { recordAct } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import type { Tx } from '../../platform/db/database.ts';
import { givingWay } from '../../platform/giving-way.ts';
import { BEFORE_ALL_IDS } from '../../platform/ids.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import { formNotFound, requireOwnForm } from '../definition/form.ts';
import { readModels, type VersionModel } from '../definition/models.ts';
import { listVersionNumbers } from '../definition/versions.ts';
import { type Columns, columnsOf } from '../export/columns.ts';
import type { ExportedSubmission } from '../export/exported-submission.ts';
import type { FormModel } from '../model/form-model.ts';
import { questionsOf } from '../model/questions.ts';
import { asAmended } from '../rights/amendment.ts';
import { PAGE_ROWS, selectSizes, withinBytes } from './page-size.ts';
import type { ReadDeps } from './read.ts';
import { readShuffled } from './read-shuffled.ts';
import { open, requireOwnSubmission, type Submission, selectSubmissions, submissionNotFound } from './submission.ts';
import { withFileNames } from './with-file-names.ts';

/** More columns than this are not made for answers that no question asked for. */
const MOST_FREE_KEYS = 500;

/** All submissions of a form as a table, or one of them. */
export interface Table {
  columns: Columns;
  submissions: AsyncIterable<ExportedSubmission>;
}

/** The submissions of a form, or one of them, with what every version of the form asks; reading may begin anew. */
export interface OpenedForm {
  versions: VersionModel[];
  /** Whether any submission of the form was amended. */
  amended: boolean;
  read(): AsyncIterable<Submission>;
}

export interface StoredForm extends OpenedForm {
  /** All of them in no order. */
  readShuffled(): AsyncIterable<Submission>;
}

/** Opens a form's submissions for an export, which is in the audit log before anything is read. */
export async function openForm(
  deps: ReadDeps,
  act: Act,
  { formId, submissionId }: { formId: string; submissionId: string | null },
): Promise<StoredForm> {
  const { customerId } = act;
  const keys = await deps.vault.of(customerId);
  const found = await deps.db.tenant([customerId], async (tx) => {
    await requireOwnForm(tx, deps.requireOwn, customerId, formId);
    if (submissionId !== null) {
      await requireOwnSubmission(tx, deps.requireOwn, customerId, submissionId);
      const row = await selectSubmissions(tx, customerId, formId).where('s.id', '=', submissionId).executeTakeFirst();
      if (row === undefined) throw submissionNotFound();
    }
    const details = { form: formId, ...(submissionId === null ? {} : { submission: submissionId }) };
    await recordAct(tx, deps.clock, act, { target: submissionId ?? formId, details });
    const last = submissionId ?? (await lastOf(tx, customerId, formId));
    return { ...(await describeStored(tx, customerId, formId)), last };
  });
  const { numbers, amended, last } = found;
  return {
    versions: await readModels(deps.db, { customerId, formId }, numbers),
    amended,
    read: () => readAll(deps, keys, { customerId, formId, submissionId, submitterIndex: null, last }),
    readShuffled: () => readShuffled(deps, keys, { customerId, formId }),
  };
}

/** Opens what a form had got before an id was made, for whoever has asked and written down already that it is read. */
export async function openBefore(
  { db, vault }: Pick<ReadDeps, 'db' | 'vault'>,
  { customerId, formId, before }: { customerId: number; formId: string; before: string },
): Promise<StoredForm> {
  const keys = await vault.of(customerId);
  const { numbers, amended } = await db.tenant([customerId], (tx) => describeStored(tx, customerId, formId));
  return {
    versions: await readModels(db, { customerId, formId }, numbers),
    amended,
    read: () => readAll({ db }, keys, { customerId, formId, submissionId: null, submitterIndex: null, before }),
    readShuffled: () => readShuffled({ db }, keys, { customerId, formId, before }),
  };
}

/** Where reading ends, however often it begins anew: what comes meanwhile is in none of the readings. */
async function lastOf(tx: Tx, customerId: number, formId: string): Promise<string> {
  const row = await tx
    .selectFrom('submissions')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('form_id', '=', formId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? BEFORE_ALL_IDS;
}

async function describeStored(tx: Tx, customerId: number, formId: string) {
  const numbers = await listVersionNumbers(tx, customerId, formId);
  if (numbers.length === 0) throw formNotFound();
  return { numbers, amended: await isAmended(tx, customerId, formId) };
}

/** Opens the table of a form's submissions; it is read while it is sent, in the order in which they came. */
export async function openTable(
  deps: ReadDeps,
  act: Act,
  ids: { formId: string; submissionId: string | null },
): Promise<Table> {
  const opened = await openForm(deps, act, ids);
  return tableOf(opened);
}

/** Submissions that were opened as a table. */
export async function tableOf(opened: OpenedForm): Promise<Table> {
  return { columns: await columnsFor(opened), submissions: exported(opened.versions, opened.read()) };
}

async function isAmended(tx: Tx, customerId: number, formId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('submission_amendments')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('form_id', '=', formId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Questions give the columns; where a form has none, the answers themselves have to be looked through first. */
export async function columnsFor({ versions, amended, read }: OpenedForm): Promise<Columns> {
  const freeKeys = new Set<string>();
  const asksNothing = versions.every(({ model }) => questionsOf(model).length === 0);
  if (asksNothing) {
    for await (const submission of read()) {
      for (const key of Object.keys(asAmended(submission).answers))
        if (freeKeys.size < MOST_FREE_KEYS) freeKeys.add(key);
    }
  }
  return columnsOf(versions, {
    freeKeys: [...freeKeys],
    otherAnswers: !asksNothing || freeKeys.size === MOST_FREE_KEYS,
    amended,
  });
}

interface Wanted {
  customerId: number;
  formId: string;
  submissionId: string | null;
  /** Only those of one address. */
  submitterIndex: Buffer | null;
  /** Only those that came before this id was made. */
  before?: string;
  /** None that come behind this one. */
  last?: string;
}

/** Submissions in the order in which they came, read page by page in transactions of their own. */
export async function* readAll(
  { db }: Pick<ReadDeps, 'db'>,
  keys: CustomerVault,
  wanted: Wanted,
): AsyncGenerator<Submission> {
  for (let after: string | null = null; ; ) {
    const rows: Awaited<ReturnType<typeof readPage>> = await db.tenant([wanted.customerId], (tx) =>
      readPage(tx, wanted, after),
    );
    if (rows.length === 0) return;
    after = rows.at(-1)?.id ?? null;
    for await (const row of givingWay(rows)) yield open(keys, wanted.customerId, row);
  }
}

/** The submissions that follow one, as many as a page takes by number and by size. */
async function readPage(tx: Tx, wanted: Wanted, after: string | null) {
  const { customerId, formId, submissionId, submitterIndex, before, last } = wanted;
  let page = selectSizes(tx, customerId, formId).orderBy('s.id').limit(PAGE_ROWS);
  if (after !== null) page = page.where('s.id', '>', after);
  if (before !== undefined) page = page.where('s.id', '<', before);
  if (last !== undefined) page = page.where('s.id', '<=', last);
  if (submissionId !== null) page = page.where('s.id', '=', submissionId);
  if (submitterIndex !== null) page = page.where('s.submitter_index', '=', submitterIndex);
  const ids = withinBytes(await page.execute());
  if (ids.length === 0) return [];
  return selectSubmissions(tx, customerId, formId).where('s.id', 'in', ids).orderBy('s.id').execute();
}

/** Submissions as tables take them: with the answers that are right now, and when they were last amended. */
export async function* exported(
  versions: VersionModel[],
  submissions: AsyncIterable<Submission>,
): AsyncGenerator<ExportedSubmission> {
  const models = new Map(versions.map(({ version, model }) => [version, model]));
  for await (const submission of submissions) {
    const amendedAt = submission.amendments.at(-1)?.at;
    const row = toExported(asAmended(submission), models.get(submission.formVersion));
    yield amendedAt === undefined ? row : { ...row, amendedAt };
  }
}

/** A submission as the writers of files take it, its answers as they are given. */
export function toExported(submission: Submission, model: FormModel | undefined): ExportedSubmission {
  const { id, createdAt, formVersion, submitterEmail, unasked, files, signature, endToEnd } = submission;
  return {
    id,
    createdAt,
    formVersion,
    submitterEmail,
    answers: model === undefined ? submission.answers : withFileNames(model, submission.answers, files),
    unasked,
    attachments: files,
    ...(endToEnd === undefined ? {} : { isSealed: true }),
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
