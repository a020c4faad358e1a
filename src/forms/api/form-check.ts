import { Type } from 'typebox';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import { findForm } from '../definition/form.ts';
import { checkForm } from '../readiness/check-form.ts';
import type { FormsDeps } from './forms.ts';

export const Findings = Type.Array(
  Type.Object({
    severity: Type.Enum(['error', 'warning']),
    field: Type.Union([Type.String(), Type.Null()]),
    words: Type.String(),
  }),
);

/** What to mend in a form before it is published. */
export function formCheckEndpoints({ db, requireOwn }: FormsDeps): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/api/forms/:id/check',
      operation: 'checkForm',
      summary: 'What of a form nobody can read, reach or answer, the errors first',
      access: { scope: 'forms' },
      audit: null,
      params: Type.Object({ id: Type.String() }),
      reply: Type.Object({ data: Findings }),
      handle: async ({ caller: { customerId }, params }) => ({
        data: checkForm(await db.tenant([customerId], (tx) => findForm(tx, requireOwn, customerId, params.id))),
      }),
    }),
  ];
}
