import { Type } from 'typebox';
import type { SigningKey } from '../../accounts/index.ts';
import type { BlobStore } from '../../platform/blob/blob-store.ts';
import { Parameter } from '../../platform/http/body/parameter.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import { StreamedJson, streamJsonList } from '../../platform/http/written-json.ts';
import { selectForms } from '../definition/form.ts';
import { destroySubmissions, removeFiles } from '../submissions/delete.ts';
import { listSubmissions } from '../submissions/list.ts';
import { locateSubmission, type ReadDeps, readSubmission } from '../submissions/read.ts';
import { readSubmissionQuery } from '../submissions/read-submission-query.ts';
import type { Submission } from '../submissions/submission.ts';
import { findWork } from '../work/change-work.ts';
import { describeSubmission } from './submission-reply.ts';
import { describeWork, WorkedSubmissionReply } from './work-reply.ts';

export interface SubmissionsDeps extends ReadDeps {
  blobStore: BlobStore;
  signingKey: SigningKey;
  publicUrl: string;
}

const One = Type.Object({ id: Type.String(), sid: Type.String() });

/** The submissions of a form: list, read and destroy them. */
export function submissionEndpoints(deps: SubmissionsDeps): Endpoint[] {
  const { db, clock, requireOwn, blobStore, signingKey, publicUrl } = deps;

  async function recipientOf(customerId: number, formId: string): Promise<string | null> {
    const form = await db.tenant([customerId], (tx) => selectForms(tx, customerId, [formId]).executeTakeFirst());
    return form?.recipient ?? null;
  }

  return [
    endpoint({
      method: 'GET',
      path: '/api/forms/:id/submissions',
      operation: 'listSubmissions',
      summary: 'The submissions of a form',
      access: { scope: 'forms' },
      audit: 'submissions.listed',
      params: Type.Object({ id: Type.String() }),
      query: Type.Object({
        submission_id: Parameter('Only this one'),
        submitter_email: Parameter('Only those of this address'),
        since: Parameter('Only those from this moment on (RFC 3339)'),
        until: Parameter('Only those before this moment (RFC 3339)'),
        work_state: Parameter('Only those that are new, in_work or done'),
        assignee_id: Parameter('Only those of this person; none for those of nobody'),
        order_by: Parameter('created_at (default) or submitter_email'),
        order: Parameter('desc (default) or asc'),
        page: Parameter('1 and up'),
        items: Parameter('Page size, 50 by default, 100 at most'),
      }),
      reply: StreamedJson(
        Type.Object({
          data: Type.Array(WorkedSubmissionReply),
          total: Type.Integer(),
          page: Type.Integer(),
          items: Type.Integer(),
        }),
      ),
      async handle({ act, params, query: wire }) {
        const query = readSubmissionQuery(wire);
        const { submissions, works, total } = await listSubmissions(deps, act, params.id, query);
        const recipient = total === 0 ? null : await recipientOf(act.customerId, params.id);
        const describe = (each: Submission) => ({
          ...describeSubmission(each, { recipient, publicUrl, signingKey }),
          ...describeWork(works.get(each.id)),
        });
        return streamJsonList(submissions, describe, { total, page: query.page, items: query.items });
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/forms/:id/submissions/:sid',
      operation: 'readSubmission',
      summary: 'One submission',
      access: { scope: 'forms' },
      audit: 'submission.read',
      params: One,
      reply: Type.Object({ data: WorkedSubmissionReply }),
      async handle({ act, params }) {
        const ids = { formId: params.id, submissionId: params.sid };
        const submission = await readSubmission(deps, act, ids);
        const work = await findWork(deps, act.customerId, ids);
        const recipient = await recipientOf(act.customerId, params.id);
        return {
          data: { ...describeSubmission(submission, { recipient, publicUrl, signingKey }), ...describeWork(work) },
        };
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/forms/:id/submissions/:sid',
      operation: 'deleteSubmission',
      summary: 'Destroy a submission with its key and its files',
      access: { scope: 'forms', role: 'admin' },
      audit: 'submission.destroyed',
      params: One,
      reply: Type.Object({ detail: Type.String() }),
      async handle({ act, params }) {
        const ids = { formId: params.id, submissionId: params.sid };
        const files = await db.tenant([act.customerId], async (tx) => {
          const { id, formId } = await locateSubmission(tx, requireOwn, act.customerId, ids);
          const why = { reason: 'request' } as const;
          return destroySubmissions(tx, { clock, act, signingKey }, { formId, ids: [id], why });
        });
        await removeFiles(blobStore, files);
        return { detail: 'Submission deleted.' };
      },
    }),
  ];
}
