import { type Static, Type } from 'typebox';
import { recordAct } from '../../accounts/index.ts';
import type { BlobStore } from '../../platform/blob/blob-store.ts';
import type { SealedBlobs } from '../../platform/blob/sealed-blobs.ts';
import { AppError } from '../../platform/errors.ts';
import { Parameter } from '../../platform/http/body/parameter.ts';
import { Bytes } from '../../platform/http/bytes.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import type { Idempotency } from '../../platform/http/idempotency.ts';
import { findForm } from '../definition/form.ts';
import { readPage } from '../definition/read-form-query.ts';
import { createExport } from '../exports/create.ts';
import { endExport } from '../exports/end.ts';
import {
  EXPORT_DAYS,
  EXPORT_FORMATS,
  fileNameOf,
  findExport,
  listExports,
  standOf,
  type TitledExport,
} from '../exports/export-job.ts';
import { FORMATS } from '../exports/formats.ts';
import { removeFiles } from '../submissions/delete.ts';
import type { ReadDeps } from '../submissions/read.ts';
import { download } from './submission-files.ts';

const DAY_MS = 24 * 3600_000;

const Moment = Type.Union([Type.String({ format: 'date-time' }), Type.Null()]);
const JobId = Type.Object({ jid: Type.String() });

const ExportReply = Type.Object({
  id: Type.String({ format: 'uuid' }),
  form_id: Type.String({ format: 'uuid' }),
  format: Type.Enum([...EXPORT_FORMATS]),
  state: Type.Enum(['waiting', 'running', 'done', 'failed', 'cancelled', 'gone']),
  gone_because: Type.Union([Type.Enum(['expired', 'destroyed', 'person_removed', 'deleted']), Type.Null()]),
  rows_done: Type.Integer(),
  rows_total: Type.Integer(),
  file_name: Type.Union([Type.String(), Type.Null()]),
  created_by: Type.Object({ kind: Type.String(), id: Type.String() }),
  created_at: Type.String({ format: 'date-time' }),
  finished_at: Moment,
  kept_until: Moment,
});

export interface ExportJobsDeps extends ReadDeps {
  blobs: SealedBlobs;
  blobStore: BlobStore;
  idempotency: Idempotency;
}

/** Exports of whole forms that are made in the background, and can be left and found again. */
export function exportJobEndpoints(deps: ExportJobsDeps): Endpoint[] {
  const { db, clock, blobs, blobStore, idempotency, requireOwn } = deps;
  return [
    endpoint({
      method: 'POST',
      path: '/api/forms/:id/export_jobs',
      operation: 'createFormExport',
      summary: 'Export all submissions that a form has got so far; the file is made in the background',
      access: { scope: 'forms', fresh: true },
      audit: 'form.export-asked',
      params: Type.Object({ id: Type.String() }),
      body: Type.Object({ format: Type.Enum([...EXPORT_FORMATS]) }),
      idempotent: true,
      status: 201,
      reply: Type.Object({ data: ExportReply }),
      handle: ({ act, params, body, idempotency: claim }) =>
        db.tenant([act.customerId], async (tx) => {
          const form = await findForm(tx, requireOwn, act.customerId, params.id);
          const id = await createExport(tx, { clock, act }, { formId: form.id, format: body.format });
          const reply = { data: describe(await findExport(tx, requireOwn, act.customerId, id)) };
          await idempotency.keepWith(tx, claim, { status: 201, body: reply });
          return reply;
        }),
    }),
    endpoint({
      method: 'GET',
      path: '/api/forms/export_jobs',
      operation: 'listFormExports',
      summary: 'The exports of all forms, the newest first',
      access: { scope: 'forms', role: 'editor' },
      audit: null,
      query: Type.Object({
        page: Parameter('1 and up'),
        items: Parameter('Page size, 50 by default, 100 at most'),
      }),
      reply: Type.Object({
        data: Type.Array(ExportReply),
        total: Type.Integer(),
        page: Type.Integer(),
        items: Type.Integer(),
      }),
      async handle({ caller: { customerId }, query }) {
        const page = readPage(query);
        const { jobs, total } = await db.tenant([customerId], (tx) => listExports(tx, customerId, page));
        return { data: jobs.map(describe), total, ...page };
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/forms/export_jobs/:jid',
      operation: 'readFormExport',
      summary: 'How far an export has come',
      access: { scope: 'forms', role: 'editor' },
      audit: null,
      params: JobId,
      reply: Type.Object({ data: ExportReply }),
      handle: async ({ caller: { customerId }, params }) => ({
        data: describe(await db.tenant([customerId], (tx) => findExport(tx, requireOwn, customerId, params.jid))),
      }),
    }),
    endpoint({
      method: 'GET',
      path: '/api/forms/export_jobs/:jid/file',
      operation: 'readFormExportFile',
      summary: 'The file of an export, kept for seven days at most',
      access: { scope: 'forms', fresh: true },
      audit: 'submissions.exported',
      params: JobId,
      reply: Bytes,
      produces: 'application/octet-stream',
      async handle({ act, params }) {
        const { customerId } = act;
        const { blobId, name, type } = await db.tenant([customerId], async (tx) => {
          const job = await findExport(tx, requireOwn, customerId, params.jid);
          const file = fileOf(job);
          const action = job.format === 'deidentified-csv' ? 'form.deidentified-exported' : act.action;
          // Who has seen a submission is told by this: the file has all that came before it was asked for.
          const details = { form: job.form_id, job: job.id, before: job.id };
          await recordAct(tx, clock, { ...act, action }, { target: job.form_id, details });
          return { ...file, type: FORMATS[job.format].type };
        });
        return download(type, name, blobs.read(customerId, blobId));
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/forms/export_jobs/:jid',
      operation: 'endFormExport',
      summary: 'Cancel an export, or delete its file',
      access: { scope: 'forms' },
      audit: 'form.export-ended',
      params: JobId,
      reply: Type.Object({ data: ExportReply }),
      async handle({ act, params }) {
        const { customerId } = act;
        const { files, job } = await db.tenant([customerId], async (tx) => {
          const ended = await endExport(tx, { clock, act, requireOwn }, params.jid);
          return { files: ended, job: await findExport(tx, requireOwn, customerId, params.jid) };
        });
        await removeFiles(blobStore, files);
        return { data: describe(job) };
      },
    }),
  ];
}

function fileOf(job: TitledExport): { blobId: string; name: string } {
  const { state } = standOf(job);
  const name = fileNameOf(job);
  if (state === 'waiting' || state === 'running') throw new AppError('conflict', 'The export is not ready yet');
  if (state !== 'done' || job.blob_id === null || name === null)
    throw new AppError('not_found', 'The export has no file, or none any more');
  return { blobId: job.blob_id, name };
}

function describe(job: TitledExport): Static<typeof ExportReply> {
  const { state, because } = standOf(job);
  const keptUntil =
    state === 'done' && job.finished_at !== null ? new Date(job.finished_at.getTime() + EXPORT_DAYS * DAY_MS) : null;
  return {
    id: job.id,
    form_id: job.form_id,
    format: job.format,
    state,
    gone_because: because,
    rows_done: job.done,
    rows_total: Math.max(job.total, job.done),
    file_name: fileNameOf(job),
    created_by: { kind: job.created_by_kind, id: job.created_by },
    created_at: job.created_at.toISOString(),
    finished_at: job.finished_at?.toISOString() ?? null,
    kept_until: keptUntil?.toISOString() ?? null,
  };
}
