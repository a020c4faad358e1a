import { Type } from 'typebox';
import { Parameter } from '../../platform/http/body/parameter.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import { requireOwnForm } from '../definition/form.ts';
import { one, readPage } from '../definition/read-form-query.ts';
import { DestructionCertificate, DestructionContents } from '../rights/destruction-certificate.ts';
import { findDestruction, listDestructions } from '../rights/destructions.ts';
import type { ReadDeps } from '../submissions/read.ts';

const Told = Type.Omit(DestructionContents, ['submissions']);

/** The certificates of what was destroyed. */
export function destructionEndpoints({ db, requireOwn }: Pick<ReadDeps, 'db' | 'requireOwn'>): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/api/forms/destructions',
      operation: 'listDestructions',
      summary: 'Every act that destroyed submissions, the latest first',
      access: { scope: 'forms', role: 'admin' },
      audit: null,
      query: Type.Object({
        form_id: Parameter('Only those of this form'),
        page: Parameter('1 and up'),
        items: Parameter('Page size, 50 by default, 100 at most'),
      }),
      reply: Type.Object({
        data: Type.Array(Told),
        total: Type.Integer(),
        page: Type.Integer(),
        items: Type.Integer(),
      }),
      async handle({ caller: { customerId }, query }) {
        const page = readPage(query);
        const formId = one(query.form_id) ?? null;
        const { destructions, total } = await db.tenant([customerId], async (tx) => {
          if (formId !== null) await requireOwnForm(tx, requireOwn, customerId, formId);
          return listDestructions(tx, customerId, { formId, ...page });
        });
        return { data: destructions, total, ...page };
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/forms/destructions/:id',
      operation: 'readDestruction',
      summary: 'The signed certificate of an act that destroyed submissions',
      access: { scope: 'forms', role: 'admin' },
      audit: null,
      params: Type.Object({ id: Type.String() }),
      reply: Type.Object({ data: DestructionCertificate }),
      handle: async ({ caller: { customerId }, params }) => ({
        data: await db.tenant([customerId], (tx) => findDestruction(tx, requireOwn, customerId, params.id)),
      }),
    }),
  ];
}
