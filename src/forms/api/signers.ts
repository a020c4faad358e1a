import { type Static, Type } from 'typebox';
import { parseAddress } from '../../email/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { invalidField } from '../../platform/errors.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import type { Idempotency } from '../../platform/http/idempotency.ts';
import { findInvited, type InviteDeps, inviteSigner } from '../signing/invite.ts';
import type { Signer } from '../signing/signer.ts';
import { LONGEST_ROLE } from '../signing/signers-of.ts';
import { withdrawSigner } from '../signing/withdraw.ts';
import { readSubmission } from '../submissions/read.ts';

const Text = Type.Union([Type.String(), Type.Null()]);
const Moment = Type.Union([Type.String({ format: 'date-time' }), Type.Null()]);
const One = Type.Object({ id: Type.String(), sid: Type.String() });

const SignerReply = Type.Object({
  id: Type.String({ format: 'uuid' }),
  role: Type.String(),
  required: Type.Boolean(),
  state: Type.String({ description: 'waiting, signed, declined or expired' }),
  email: Text,
  name: Text,
  expires_at: Moment,
  settled_at: Moment,
});

/** Who signs a submission beside whoever sent it: list, ask and withdraw them. */
export function signerEndpoints(deps: InviteDeps & { idempotency: Idempotency }): Endpoint[] {
  const { clock, idempotency } = deps;

  return [
    endpoint({
      method: 'GET',
      path: '/api/forms/:id/submissions/:sid/signers',
      operation: 'listSigners',
      summary: 'Who is to sign a submission beside whoever sent it, and who has',
      access: { scope: 'forms' },
      audit: 'submission.signers-read',
      params: One,
      reply: Type.Object({ data: Type.Array(SignerReply) }),
      async handle({ act, params }) {
        const { signers } = await readSubmission(deps, act, { formId: params.id, submissionId: params.sid });
        return { data: signers.map((each) => describeSigner(clock, each)) };
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/forms/:id/submissions/:sid/signers',
      operation: 'inviteSigner',
      summary: 'Mail somebody a link to sign by; who was asked before gets a new link in place of the old',
      access: { scope: 'forms', phi: true },
      audit: 'signer.invited',
      params: One,
      body: Type.Object({
        role: Type.String({ minLength: 1, maxLength: LONGEST_ROLE }),
        email: Type.String({ minLength: 1, maxLength: 320 }),
        name: Type.Optional(Type.Union([Type.String({ maxLength: 200 }), Type.Null()])),
      }),
      idempotent: true,
      status: 201,
      reply: Type.Object({ data: SignerReply }),
      async handle({ act, caller: { mode }, params, body, idempotency: claim }) {
        const role = body.role.trim();
        if (role === '') throw invalidField('role', 'must not be empty');
        const address = parseAddress(body.email)?.address;
        if (address === undefined) throw invalidField('email', 'must be an email address');
        const ids = { formId: params.id, submissionId: params.sid };
        const wanted = { role, address, name: body.name?.trim() || null, mode };
        const signer = await inviteSigner(deps, act, { ids, wanted }, (tx, { id }) =>
          // Who they are stands under the submission's key only, and is destroyed with it.
          idempotency.keepWith(tx, claim, { status: 201, body: { signer: id } }),
        );
        return { data: describeSigner(clock, signer) };
      },
      async answerAgain({ act, params }, kept) {
        const ids = { formId: params.id, submissionId: params.sid };
        return { data: describeSigner(clock, await findInvited(deps, act.customerId, ids, kept)) };
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/forms/:id/submissions/:sid/signers/:signer',
      operation: 'withdrawSigner',
      summary: 'Take back that somebody was asked to sign; their link leads nowhere any more',
      access: { scope: 'forms' },
      audit: 'signer.withdrawn',
      params: Type.Object({ ...One.properties, signer: Type.String() }),
      reply: Type.Object({ detail: Type.String() }),
      async handle({ act, params }) {
        await withdrawSigner(deps, act, { formId: params.id, submissionId: params.sid }, params.signer);
        return { detail: 'Signer withdrawn.' };
      },
    }),
  ];
}

function describeSigner(clock: Clock, signer: Signer): Static<typeof SignerReply> {
  const { id, role, required, contact, expiresAt, settledAt } = signer;
  return {
    id,
    role,
    required,
    state: stateOf(clock, signer),
    email: contact?.address ?? null,
    name: contact?.name ?? null,
    expires_at: expiresAt?.toISOString() ?? null,
    settled_at: settledAt?.toISOString() ?? null,
  };
}

function stateOf(clock: Clock, { state, expiresAt }: Signer): string {
  return state === 'waiting' && expiresAt !== null && expiresAt <= clock.now() ? 'expired' : state;
}
