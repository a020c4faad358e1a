import { recordAct } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import { formNotFound, requireOwnForm } from '../definition/form.ts';
import { compileVersion, type FormVersion } from '../definition/public-forms.ts';
import { listVersions } from '../definition/versions.ts';
import { type Columns, columnsOf } from '../export/columns.ts';
import type { ExportedSubmission } from '../export/exported-submission.ts';
import type { FormModel } from '../model/form-model.ts';
import { questionsOf } from '../model/questions.ts';
import type { ReadDeps } from './read.ts';
import { open, requireOwnSubmission, type Submission, selectSubmissions, submissionNotFound } from './submission.ts';

/** Rows of one transaction: none may live long, and an export of a million rows does. */
const PAGE = 500;
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

async function* readAll(
  { db }: ReadDeps,
  keys: CustomerVault,
  { customerId, formId, submissionId }: { customerId: number; formId: string; submissionId: string | null },
): AsyncGenerator<Submission> {
  let after: string | null = null;
  for (let found = PAGE; found === PAGE; ) {
    const rows = await db.tenant([customerId], (tx) => {
      let page = selectSubmissions(tx, customerId, formId).orderBy('s.id').limit(PAGE);
      if (after !== null) page = page.where('s.id', '>', after);
      if (submissionId !== null) page = page.where('s.id', '=', submissionId);
      return page.execute();
    });
    found = rows.length;
    after = rows.at(-1)?.id ?? null;
    for (const row of rows) yield open(keys, customerId, row);
  }
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
