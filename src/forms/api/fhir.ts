import { Type } from 'typebox';
import type { Clock } from '../../platform/clock.ts';
import { Parameter } from '../../platform/http/body/parameter.ts';
import { Bytes, type BytesReply } from '../../platform/http/bytes.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import type { Idempotency } from '../../platform/http/idempotency.ts';
import type { FindVersion } from '../definition/compiled-versions.ts';
import { BLANK_FORM, createForm } from '../definition/create.ts';
import { findForm } from '../definition/form.ts';
import { one } from '../definition/read-form-query.ts';
import { requireReadable } from '../end-to-end/require-readable.ts';
import { toQuestionnaire } from '../fhir/questionnaire.ts';
import { fromQuestionnaire } from '../fhir/read-questionnaire.ts';
import { toQuestionnaireResponse } from '../fhir/response.ts';
import { findPastVersion, readVersionNumber } from '../history/versions.ts';
import { type ReadDeps, readSubmission } from '../submissions/read.ts';
import { submissionNotFound } from '../submissions/submission.ts';

const BODY_LIMIT = 4 * 2 ** 20;
const FHIR_JSON = 'application/fhir+json';

export interface FhirDeps extends ReadDeps {
  clock: Clock;
  idempotency: Idempotency;
  findVersion: FindVersion;
  publicUrl: string;
}

/** Forms and submissions as resources of FHIR R4. */
export function fhirEndpoints(deps: FhirDeps): Endpoint[] {
  const { db, clock, idempotency, requireOwn, findVersion, publicUrl } = deps;
  return [
    endpoint({
      method: 'GET',
      path: '/api/forms/:id/fhir/Questionnaire',
      operation: 'exportQuestionnaire',
      summary: 'A version of a form as a FHIR R4 Questionnaire; the present one where none is named',
      access: { scope: 'forms' },
      audit: null,
      params: Type.Object({ id: Type.String() }),
      query: Type.Object({ version: Parameter('The number of a version') }),
      reply: Bytes,
      produces: FHIR_JSON,
      handle: async ({ caller: { customerId }, params, query }) =>
        db.tenant([customerId], async (tx) => {
          const wanted = one(query.version);
          const number = wanted === undefined ? null : readVersionNumber('version', wanted);
          const form = await findForm(tx, requireOwn, customerId, params.id);
          const version = await findPastVersion(tx, customerId, form.id, number ?? form.version);
          return resource(toQuestionnaire(form, version, publicUrl));
        }),
    }),
    endpoint({
      method: 'POST',
      path: '/api/forms/fhir/Questionnaire',
      operation: 'importQuestionnaire',
      summary: 'Make an inactive form of a FHIR R4 Questionnaire; what could not be carried over is told',
      access: { scope: 'forms' },
      audit: 'form.imported',
      body: Type.Object({ resourceType: Type.Literal('Questionnaire') }, { additionalProperties: true }),
      bodyLimit: BODY_LIMIT,
      idempotent: true,
      reply: Type.Object({
        id: Type.String({ format: 'uuid' }),
        notes: Type.Array(Type.Object({ path: Type.String(), note: Type.String() })),
      }),
      async handle({ act, body, idempotency: claim }) {
        const { notes, ...form } = fromQuestionnaire(body);
        return db.tenant([act.customerId], async (tx) => {
          const id = await createForm(tx, { clock, act }, { ...BLANK_FORM, ...form });
          const reply = { id, notes };
          await idempotency.keepWith(tx, claim, { status: 200, body: reply });
          return reply;
        });
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/forms/:id/submissions/:sid/fhir/QuestionnaireResponse',
      operation: 'exportQuestionnaireResponse',
      summary: 'A submission as a FHIR R4 QuestionnaireResponse',
      access: { scope: 'forms', fresh: true },
      audit: 'submission.exported',
      params: Type.Object({ id: Type.String(), sid: Type.String() }),
      reply: Bytes,
      produces: FHIR_JSON,
      async handle({ act, params }) {
        const submission = await readSubmission(deps, act, { formId: params.id, submissionId: params.sid });
        requireReadable(submission);
        const { formId, formVersion } = submission;
        const version = await findVersion({ id: formId, customerId: act.customerId }, formVersion);
        if (version === null) throw submissionNotFound();
        return resource(toQuestionnaireResponse(submission, version, publicUrl));
      },
    }),
  ];
}

function resource(content: object): BytesReply {
  return {
    status: 200,
    headers: { 'content-type': `${FHIR_JSON}; charset=utf-8` },
    body: Buffer.from(JSON.stringify(content)),
  };
}
