import { Type } from 'typebox';
import { parseAddress } from '../../email/index.ts';
import type { SealedBlobs } from '../../platform/blob/sealed-blobs.ts';
import { invalidField } from '../../platform/errors.ts';
import { Parameter } from '../../platform/http/body/parameter.ts';
import { Bytes } from '../../platform/http/bytes.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import type { Idempotency } from '../../platform/http/idempotency.ts';
import type { FindVersion } from '../definition/compiled-versions.ts';
import { readPage } from '../definition/read-form-query.ts';
import { amendSubmission, findAmendment } from '../rights/amend.ts';
import { LARGEST_AMENDMENT } from '../rights/amendment-size.ts';
import { openDeidentified } from '../rights/deidentified-export.ts';
import { listDisclosures } from '../rights/disclosures.ts';
import { exportPerson } from '../rights/person-export.ts';
import { AmendmentBody, readAmendment } from '../rights/read-amendment.ts';
import { readSubmission } from '../submissions/read.ts';
import { AmendmentReply, describeAmendment } from './amendment-reply.ts';
import { download } from './submission-files.ts';
import type { SubmissionsDeps } from './submissions.ts';

export interface RightsDeps extends SubmissionsDeps {
  blobs: SealedBlobs;
  findVersion: FindVersion;
  idempotency: Idempotency;
}

const One = Type.Object({ id: Type.String(), sid: Type.String() });

/** What the people whose health data this is may ask for, and what may be told of them without their names. */
export function rightsEndpoints(deps: RightsDeps): Endpoint[] {
  const { idempotency } = deps;

  return [
    endpoint({
      method: 'GET',
      path: '/api/forms/:id/submissions/deidentified-csv',
      operation: 'exportDeidentifiedCsv',
      summary: 'All submissions of a form as CSV without what names a person (45 CFR 164.514(b)(2))',
      access: { scope: 'forms', fresh: true },
      audit: 'form.deidentified-exported',
      params: Type.Object({ id: Type.String() }),
      reply: Bytes,
      produces: 'text/csv',
      handle: async ({ act, params }) =>
        download('text/csv; charset=utf-8', 'deidentified.csv', await openDeidentified(deps, act, params.id)),
    }),
    endpoint({
      method: 'POST',
      path: '/api/forms/people/export',
      operation: 'exportPerson',
      summary: 'All submissions of an address in all forms as a ZIP archive of JSON, PDF and files',
      access: { scope: 'forms', role: 'admin', fresh: true },
      audit: 'person.exported',
      body: Type.Object({ email: Type.String({ minLength: 1, maxLength: 320 }) }),
      reply: Bytes,
      produces: 'application/zip',
      async handle({ act, body }) {
        const email = parseAddress(body.email)?.address;
        if (email === undefined) throw invalidField('email', 'must be an email address');
        const { archive } = await exportPerson(deps, act, email);
        return download('application/zip', 'submissions.zip', archive);
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/forms/:id/submissions/:sid/amendments',
      operation: 'createAmendment',
      summary: 'Set answers right, or add a statement of disagreement; what was submitted stays as it was',
      access: { scope: 'forms', phi: true },
      audit: 'submission.amended',
      params: One,
      body: AmendmentBody,
      bodyLimit: LARGEST_AMENDMENT,
      idempotent: true,
      status: 201,
      reply: Type.Object({ data: AmendmentReply }),
      async handle({ act, params, body, idempotency: claim }) {
        const ids = { formId: params.id, submissionId: params.sid };
        const amendment = await amendSubmission(deps, act, { ids, wanted: readAmendment(body) }, (tx, made) =>
          // What was amended stands under the submission's key only, and is destroyed with it.
          idempotency.keepWith(tx, claim, { status: 201, body: { amendment: made.id } }),
        );
        return { data: describeAmendment(amendment) };
      },
      async answerAgain({ act, params }, kept) {
        const ids = { formId: params.id, submissionId: params.sid };
        return { data: describeAmendment(await findAmendment(deps, act.customerId, ids, kept)) };
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/forms/:id/submissions/:sid/amendments',
      operation: 'listAmendments',
      summary: 'What was set right in a submission or said against it, in that order',
      access: { scope: 'forms' },
      audit: 'submission.amendments-read',
      params: One,
      reply: Type.Object({ data: Type.Array(AmendmentReply) }),
      async handle({ act, params }) {
        const { amendments } = await readSubmission(deps, act, { formId: params.id, submissionId: params.sid });
        return { data: amendments.map(describeAmendment) };
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/forms/:id/submissions/:sid/disclosures',
      operation: 'listDisclosures',
      summary: 'Who has read a submission or taken it out, the latest first',
      access: { scope: 'forms', role: 'editor' },
      audit: null,
      params: One,
      query: Type.Object({
        page: Parameter('1 and up'),
        items: Parameter('Page size, 50 by default, 100 at most'),
      }),
      reply: Type.Object({
        data: Type.Array(
          Type.Object({
            id: Type.String({ format: 'uuid' }),
            at: Type.String({ format: 'date-time' }),
            actor_kind: Type.String(),
            actor_id: Type.String(),
            action: Type.String(),
          }),
        ),
        total: Type.Integer(),
        page: Type.Integer(),
        items: Type.Integer(),
      }),
      async handle({ caller: { customerId }, params, query }) {
        const ids = { formId: params.id, submissionId: params.sid };
        const page = readPage(query);
        const { disclosures, total } = await listDisclosures(deps, customerId, ids, page);
        return { data: disclosures.map((each) => ({ ...each, at: each.at.toISOString() })), total, ...page };
      },
    }),
  ];
}
