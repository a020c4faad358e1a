import type { FastifyReply } from 'fastify';
import type { GateRefusal, RefusalReason } from '../gate/refusal.ts';
import type { PlainMessage } from './render/message.ts';
import { sendMessage } from './send-message.ts';
import type { PageState } from './state.ts';
import { carriedControls, signatureControls } from './view-of.ts';
import type { Carried, Visit } from './visit.ts';

const MESSAGES: Record<Exclude<RefusalReason, 'password' | 'tries'>, PlainMessage> = {
  closed: 'closed',
  full: 'full',
  link: 'linkUsed',
  sealed: 'refused',
  proof: 'refused',
  expired: 'expired',
};

interface Refused {
  state: PageState;
  carried: Carried;
  /** Whether a password was given, and is not the right one. */
  isWrong: boolean;
}

/** Tells somebody why they may not fill in a form, and asks for the password where that is all they lack. */
export function turnAway(visit: Visit, refusal: GateRefusal, { state, carried, isWrong }: Refused): FastifyReply {
  const { form, action, request, reply } = visit;
  const { reason } = refusal;
  const to = { request, reply, frameOrigins: form.page.frameOrigins, language: state.language };
  if (reason !== 'password' && reason !== 'tries') return sendMessage(to, 403, { kind: MESSAGES[reason] });
  const controls = { ...everything(state), ...carriedControls(carried) };
  if (reason === 'password') {
    return sendMessage(to, isWrong ? 403 : 200, { kind: 'password', action, controls, isWrong });
  }
  reply.header('retry-after', refusal.retryAfterSeconds);
  return sendMessage(to, 429, { kind: 'password', action, controls, isWrong: true, problem: 'passwordTries' });
}

/** The whole state, for a page that shows no question. */
function everything(state: PageState): Record<string, string> {
  return {
    _version: String(state.version),
    _language: state.language,
    _step: String(state.step),
    _answers: JSON.stringify(state.answers),
    _files: JSON.stringify(state.files),
    ...signatureControls(state),
  };
}
