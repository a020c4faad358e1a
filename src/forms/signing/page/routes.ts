import type { FastifyReply } from 'fastify';
import { isOwnForm } from '../../../platform/http/pages/own-form.ts';
import { sendMessage } from '../../page/send-message.ts';
import { findSigner } from '../find-signer.ts';
import { answer, openFile } from './answer-visits.ts';
import { askForCode, enter, openByCode } from './enter-visits.ts';
import { type SignerVisit, type SigningDeps, sendGone } from './visit.ts';

interface SigningRoute {
  method: string | string[];
  url: string;
  answer(deps: SigningDeps, visit: SignerVisit): Promise<FastifyReply>;
}

/** The pages by which somebody signs what another has sent; they stand among those of forms. */
export const SIGNING_ROUTES: SigningRoute[] = [
  { method: ['GET', 'HEAD'], url: '/s/:token', answer: enter },
  { method: 'POST', url: '/s/:token/code', answer: askForCode },
  { method: 'POST', url: '/s/:token/open', answer: openByCode },
  { method: 'POST', url: '/s/:token/files/:file', answer: openFile },
  { method: 'POST', url: '/s/:token/sign', answer },
];

/** Whatever is wrong with a link, the answer is the same; whoever has answered is told that they have. */
export async function meetSigner(
  deps: SigningDeps,
  route: SigningRoute,
  { request, reply, assets }: Omit<SignerVisit, 'signer' | 'base'>,
): Promise<FastifyReply> {
  const { token } = request.params as { token: string };
  const signer = await findSigner(deps, token);
  if (signer === null) return sendGone({ request, reply });
  const base = `/s/${token}`;
  if (request.method !== 'POST') return route.answer(deps, { signer, base, request, reply, assets });
  if (!isOwnForm(request, deps.publicUrl)) return sendMessage({ request, reply }, 403, { kind: 'refused' });
  if (signer.state !== 'waiting') return reply.redirect(base, 303);
  return route.answer(deps, { signer, base, request, reply, assets });
}
