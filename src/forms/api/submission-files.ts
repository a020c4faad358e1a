import { Type } from 'typebox';
import type { Act } from '../../platform/act.ts';
import type { SealedBlobs } from '../../platform/blob/sealed-blobs.ts';
import { AppError } from '../../platform/errors.ts';
import { readRange } from '../../platform/http/body/range.ts';
import { Bytes, type BytesReply } from '../../platform/http/bytes.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import { hasVersion, isRangeOf } from '../../platform/http/etag-conditions.ts';
import { contentDisposition } from '../../platform/http/pages/content-disposition.ts';
import type { FindVersion } from '../definition/compiled-versions.ts';
import { writeCsv } from '../export/csv.ts';
import { writeXlsx } from '../export/xlsx.ts';
import { openTable } from '../submissions/export.ts';
import { type ReadDeps, readFile, readSubmission } from '../submissions/read.ts';
import { writeSubmissionPdf } from '../submissions/submission-pdf.ts';

const CSV = 'text/csv; charset=utf-8';
const PDF = 'application/pdf';
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const One = Type.Object({ id: Type.String(), sid: Type.String() });

export interface FilesDeps extends ReadDeps {
  blobs: SealedBlobs;
  findVersion: FindVersion;
}

/** Submissions as files: tables of all or of one, the page of one, and what was sent along. */
export function submissionFileEndpoints(deps: FilesDeps): Endpoint[] {
  const { blobs } = deps;

  async function csv(act: Act, formId: string, submissionId: string | null): Promise<BytesReply> {
    const { columns, submissions } = await openTable(deps, act, { formId, submissionId });
    return download(CSV, 'form_data.csv', writeCsv(columns, submissions));
  }

  return [
    endpoint({
      method: 'GET',
      path: '/api/forms/:id/submissions/submission-csv',
      operation: 'exportSubmissionsCsv',
      summary: 'All submissions of a form as CSV, one column for each question of any version',
      access: { scope: 'forms', fresh: true },
      audit: 'submissions.exported',
      params: Type.Object({ id: Type.String() }),
      reply: Bytes,
      produces: 'text/csv',
      handle: ({ act, params }) => csv(act, params.id, null),
    }),
    endpoint({
      method: 'GET',
      path: '/api/forms/:id/submissions/submission-csv/:sid',
      operation: 'exportSubmissionCsv',
      summary: 'One submission as CSV',
      access: { scope: 'forms', fresh: true },
      audit: 'submission.exported',
      params: One,
      reply: Bytes,
      produces: 'text/csv',
      handle: ({ act, params }) => csv(act, params.id, params.sid),
    }),
    endpoint({
      method: 'GET',
      path: '/api/forms/:id/submissions/submission-xlsx',
      operation: 'exportSubmissionsXlsx',
      summary: 'All submissions of a form as an Excel workbook',
      access: { scope: 'forms', fresh: true },
      audit: 'submissions.exported',
      params: Type.Object({ id: Type.String() }),
      reply: Bytes,
      produces: XLSX,
      async handle({ act, params }) {
        const { columns, submissions } = await openTable(deps, act, { formId: params.id, submissionId: null });
        return download(XLSX, 'form_data.xlsx', writeXlsx(columns, submissions));
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/forms/:id/submissions/:sid/submission-pdf',
      operation: 'exportSubmissionPdf',
      summary: 'One submission as an accessible PDF',
      access: { scope: 'forms', fresh: true },
      audit: 'submission.exported',
      params: One,
      reply: Bytes,
      produces: PDF,
      async handle({ act, params }) {
        const submission = await readSubmission(deps, act, { formId: params.id, submissionId: params.sid });
        return download(PDF, 'form_data.pdf', await writeSubmissionPdf(deps, act.customerId, submission));
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/forms/:id/submissions/:sid/attachments/:aid',
      operation: 'readAttachment',
      summary: 'A file that was sent along, whole or by ranges',
      access: { scope: 'forms' },
      audit: 'attachment.read',
      params: Type.Object({ ...One.properties, aid: Type.String() }),
      reply: Bytes,
      produces: 'application/octet-stream',
      async handle({ act, params, headers, setHeader }) {
        const ids = { formId: params.id, submissionId: params.sid, fileId: params.aid };
        const { id, name, type, size, sha256 } = await readFile(deps, act, ids);
        const etag = `"${sha256}"`;
        if (hasVersion(headers['if-none-match'], etag)) return { status: 304, headers: { etag }, body: null };
        const range = isRangeOf(headers['if-range'], etag) ? readRange(headers.range, size) : null;
        if (range === undefined) {
          setHeader('content-range', `bytes */${size}`);
          throw new AppError('range_not_satisfiable', `The file has ${size} bytes`);
        }
        const part = range ?? { start: 0, end: size };
        const { headers: safe, body } = download(type, name, blobs.read(act.customerId, id, part), 'attachment');
        return {
          status: range === null ? 200 : 206,
          headers: {
            ...safe,
            'content-length': String(part.end - part.start),
            'accept-ranges': 'bytes',
            etag,
            ...(range === null ? {} : { 'content-range': `bytes ${range.start}-${range.end - 1}/${size}` }),
          },
          body,
        };
      },
    }),
  ];
}

/** A file to be saved: nothing in it may ever run as a page of this origin. */
export function download(type: string, name: string, body: BytesReply['body'], fallback = name): BytesReply {
  return {
    status: 200,
    headers: {
      'content-type': type,
      'content-disposition': contentDisposition(name, fallback),
      'content-security-policy': "default-src 'none'; sandbox",
    },
    body,
  };
}
