import { Type } from 'typebox';
import type { Act } from '../../platform/act.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import { EvidenceBundle } from '../evidence/bundle.ts';

interface Deps {
  exportEvidence(act: Act, id: string): Promise<EvidenceBundle>;
}

/** GET /message_log/{id}/evidence: what an auditor checks with `carepost evidence verify`. */
export function evidenceEndpoint({ exportEvidence }: Deps): Endpoint {
  return endpoint({
    method: 'GET',
    path: '/message_log/:id/evidence',
    operation: 'exportEvidence',
    summary: 'Signed evidence of every attempt at a message; 409 for the minute until the newest is signed',
    access: { scope: 'email', fresh: true },
    audit: 'message.evidence-exported',
    params: Type.Object({ id: Type.String() }),
    reply: Type.Object({ data: EvidenceBundle }),
    handle: async ({ act, params }) => ({ data: await exportEvidence(act, params.id) }),
  });
}
