import { type Static, Type } from 'typebox';
import { requireFreshAdmin } from '../../platform/http/access.ts';
import { IfUpdatedAt, refuseOvertaken } from '../../platform/http/body/if-updated-at.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import { findForm, lockForm } from '../definition/form.ts';
import { PageChangeBody, readPageChange } from '../gate/read-page-change.ts';
import { areOthers, recordRecipients } from '../gate/recipients.ts';
import { changePageSettings, readPage } from '../gate/store-page.ts';
import type { FormsDeps } from './forms.ts';

const Id = Type.Object({ id: Type.String() });

const PageReply = Type.Object({
  closes_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
  most_submissions: Type.Union([Type.Integer(), Type.Null()]),
  has_password: Type.Boolean(),
  single_use: Type.Boolean(),
  frame_origins: Type.Array(Type.String()),
  resumable: Type.Boolean(),
  proof_of_work: Type.String(),
  traps: Type.String(),
  sealed_to: Type.Array(Type.String()),
  updated_at: Type.String({ format: 'date-time' }),
});

/** How a form stands open to those who fill it in. */
export function formPageEndpoints({ db, clock, requireOwn }: FormsDeps): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/api/forms/:id/page',
      operation: 'readFormPage',
      summary: 'How a form stands open: until when, for how many, by what, and who may frame it',
      access: { scope: 'forms' },
      audit: null,
      params: Id,
      reply: PageReply,
      handle: async ({ caller: { customerId }, params }) =>
        db.tenant([customerId], async (tx) =>
          describe(await readPage(tx, await findForm(tx, requireOwn, customerId, params.id))),
        ),
    }),
    endpoint({
      method: 'PUT',
      path: '/api/forms/:id/page',
      operation: 'updateFormPage',
      summary:
        'Change how a form stands open; null leaves as it is, "" removes; sealed_to takes an admin with a fresh factor',
      access: { scope: 'forms' },
      audit: 'form.page-changed',
      params: Id,
      body: Type.Object({ ...PageChangeBody.properties, ...IfUpdatedAt }),
      reply: PageReply,
      async handle({ act, caller, params, body }) {
        const change = await readPageChange(body);
        return db.tenant([act.customerId], async (tx) => {
          const form = await lockForm(tx, requireOwn, act.customerId, params.id);
          const { id } = form;
          const page = await readPage(tx, form);
          refuseOvertaken(body, page.updatedAt);
          const { sealedTo: before } = page.settings;
          const now = change.sealed_to ?? before;
          if (areOthers(now, before)) {
            requireFreshAdmin(caller, clock.now());
            await recordRecipients(tx, { clock, act }, id, { now, before });
          }
          await changePageSettings(tx, { clock, act }, id, change);
          return describe(await readPage(tx, form));
        });
      },
    }),
  ];
}

function describe({ settings: page, updatedAt }: Awaited<ReturnType<typeof readPage>>): Static<typeof PageReply> {
  return {
    closes_at: page.closesAt?.toISOString() ?? null,
    most_submissions: page.mostSubmissions,
    has_password: page.passwordHash !== null,
    single_use: page.singleUse,
    frame_origins: page.frameOrigins,
    resumable: page.resumable,
    proof_of_work: page.proofOfWork,
    traps: page.traps,
    sealed_to: page.sealedTo,
    updated_at: updatedAt.toISOString(),
  };
}
