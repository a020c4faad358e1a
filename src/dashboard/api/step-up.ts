import { Type } from 'typebox';
import type { Access } from '../../platform/http/access.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import type { DashboardDeps } from '../deps.ts';
import { showPasskey, showTotp } from '../show.ts';
import { PasskeyAssertion, RequestOptions } from './passkey-schemas.ts';
import { askForPasskey, CodeBody, ProvenReply } from './sign-in.ts';

const SIGNED_IN = { scope: 'people', role: 'any' } as const satisfies Access;
const FAILED = 'step-up.failed';

/** How somebody who is signed in shows the second factor again, before what asks for it. */
export function stepUpEndpoints(deps: DashboardDeps): Endpoint[] {
  return [
    endpoint({
      method: 'POST',
      path: '/step_up/totp',
      operation: 'stepUpWithTotp',
      summary: 'Show the second factor again with a code of an authenticator app',
      access: SIGNED_IN,
      audit: 'step-up.passed',
      body: CodeBody,
      reply: ProvenReply,
      handle: (call) => showTotp(deps, call, FAILED, call.body.code),
    }),
    endpoint({
      method: 'POST',
      path: '/step_up/passkey/options',
      operation: 'beginStepUpWithPasskey',
      summary: 'What a browser needs to show a passkey again',
      access: SIGNED_IN,
      audit: null,
      reply: RequestOptions,
      handle: (call) => askForPasskey(deps, call),
    }),
    endpoint({
      method: 'POST',
      path: '/step_up/passkey',
      operation: 'stepUpWithPasskey',
      summary: 'Show the second factor again with a passkey',
      access: SIGNED_IN,
      audit: 'step-up.passed',
      body: Type.Object({ credential: PasskeyAssertion }),
      reply: ProvenReply,
      handle: (call) => showPasskey(deps, call, FAILED, call.body.credential),
    }),
  ];
}
