import { Type } from 'typebox';
import { Bytes } from '../../platform/http/bytes.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import { type CertifyDeps, certify } from '../certificate/certify.ts';
import { download } from './submission-files.ts';

/** What a court takes: a signed submission as a sealed PDF. */
export function certificateEndpoints(deps: CertifyDeps): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/api/forms/:id/submissions/:sid/certificate',
      operation: 'readCertificate',
      summary: 'The sealed certificate of a signed submission',
      access: { scope: 'forms', fresh: true },
      audit: 'submission.certified',
      params: Type.Object({ id: Type.String(), sid: Type.String() }),
      reply: Bytes,
      produces: 'application/pdf',
      async handle({ act, params }) {
        const { sha256, body } = await certify(deps, act, { formId: params.id, submissionId: params.sid });
        const reply = download('application/pdf', 'certificate.pdf', body);
        return { ...reply, headers: { ...reply.headers, etag: `"${sha256}"` } };
      },
    }),
  ];
}
