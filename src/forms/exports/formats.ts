import { writeRows } from '../../platform/csv.ts';
import type { Database } from '../../platform/db/database.ts';
import { unguessableId } from '../../platform/ids.ts';
import type { FindVersion } from '../definition/compiled-versions.ts';
import { rowsOf, writeCsv } from '../export/csv.ts';
import { writeXlsx } from '../export/xlsx.ts';
import { writeZip, type ZipEntry } from '../export/zip.ts';
import { toQuestionnaireResponse } from '../fhir/response.ts';
import { deidentifiedColumns } from '../rights/deidentified-columns.ts';
import { columnsFor, exported, type StoredForm } from '../submissions/export.ts';
import type { Submission } from '../submissions/submission.ts';
import { writeSubmissionPdf } from '../submissions/submission-pdf.ts';
import type { ExportFormat } from './export-job.ts';

export interface WritingDeps {
  db: Database;
  findVersion: FindVersion;
  publicUrl: string;
}

/** What a file is made of. Whatever is read goes by `look`, or by `count` where it is on its way into the file. */
export interface Writing {
  customerId: number;
  form: StoredForm;
  look(submissions: AsyncIterable<Submission>): AsyncIterable<Submission>;
  count(submissions: AsyncIterable<Submission>): AsyncIterable<Submission>;
}

interface Format {
  extension: string;
  type: string;
  write(deps: WritingDeps, writing: Writing): AsyncIterable<Buffer>;
}

const CSV = 'text/csv; charset=utf-8';

/** How the file of each format is made, and what it is. */
export const FORMATS: Record<ExportFormat, Format> = {
  csv: { extension: 'csv', type: CSV, write: (_deps, writing) => csv(writing) },
  xlsx: {
    extension: 'xlsx',
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    write: (_deps, writing) => xlsx(writing),
  },
  'pdf-zip': {
    extension: 'zip',
    type: 'application/zip',
    write: (deps, writing) => writeZip(pages(deps, writing)),
  },
  'deidentified-csv': { extension: 'csv', type: CSV, write: (_deps, writing) => deidentified(writing) },
  'fhir-bundle': { extension: 'json', type: 'application/fhir+json; charset=utf-8', write: bundle },
};

async function table({ form, look, count }: Writing) {
  const columns = await columnsFor({ ...form, read: () => look(form.read()) });
  return { columns, submissions: exported(form.versions, count(form.read())) };
}

async function* csv(writing: Writing): AsyncGenerator<Buffer> {
  const { columns, submissions } = await table(writing);
  yield* writeCsv(columns, submissions);
}

async function* xlsx(writing: Writing): AsyncGenerator<Buffer> {
  const { columns, submissions } = await table(writing);
  yield* writeXlsx(columns, submissions);
}

async function* deidentified({ form, count }: Writing): AsyncGenerator<Buffer> {
  const columns = deidentifiedColumns(form.versions, unguessableId);
  yield* writeRows(columns.headers, rowsOf(columns, exported(form.versions, count(form.readShuffled()))));
}

/** Each as a PDF under the day it came and its id; what only the clinic can open stays sealed. */
async function* pages(deps: WritingDeps, { customerId, form, count }: Writing): AsyncGenerator<ZipEntry> {
  for await (const submission of count(form.read())) {
    const name = `${submission.createdAt.toISOString().slice(0, 10)}-${submission.id}`;
    if (submission.endToEnd !== undefined) {
      yield { name: `${name}.age`, content: [Buffer.from(submission.endToEnd, 'base64')] };
    } else {
      yield { name: `${name}.pdf`, content: await writeSubmissionPdf(deps, customerId, submission) };
    }
  }
}

/** FHIR R4 Bundle of the kind collection, written as it is read. What only the clinic can open is not in it. */
async function* bundle(
  { findVersion, publicUrl }: WritingDeps,
  { customerId, form, count }: Writing,
): AsyncGenerator<Buffer> {
  yield Buffer.from('{"resourceType":"Bundle","type":"collection","entry":[');
  let separator = '';
  for await (const submission of count(form.read())) {
    const version = await findVersion({ id: submission.formId, customerId }, submission.formVersion);
    if (version === null || submission.endToEnd !== undefined) continue;
    const resource = toQuestionnaireResponse(submission, version, publicUrl);
    const entry = { fullUrl: `urn:uuid:${submission.id}`, resource };
    yield Buffer.from(`${separator}${JSON.stringify(entry)}`);
    separator = ',\n';
  }
  yield Buffer.from(']}');
}
