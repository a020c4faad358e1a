import type { FastifyReply, FastifyRequest } from 'fastify';
import { customerName, type SigningKey } from '../../../accounts/index.ts';
import type { PageAssets } from '../../page/assets.ts';
import { sendHtml } from '../../page/send-html.ts';
import type { PageDeps } from '../../page/visit.ts';
import { pickLanguage } from '../../page/words/pick-language.ts';
import { SPOKEN } from '../../page/words/words-of.ts';
import { isCodeAwaited } from '../codes.ts';
import type { InvitedSigner } from '../find-signer.ts';
import { entrancePage, plainPage } from './signing-pages.ts';

/** What the pages of signers work with. */
export interface SigningDeps extends PageDeps {
  signingKey: SigningKey;
}

/** Somebody at the page of their link. */
export interface SignerVisit {
  signer: InvitedSigner;
  /** Where they are. */
  base: string;
  request: FastifyRequest;
  reply: FastifyReply;
  /** The script of the page, where it could be built. */
  assets: PageAssets | null;
}

type At = Pick<SignerVisit, 'request' | 'reply'>;

/** The language that a visitor prefers, among those that the pages speak. */
export function languageOf({ request }: Pick<SignerVisit, 'request'>): string {
  return pickLanguage(SPOKEN, request.headers['accept-language'], undefined);
}

/** Shows the clinic's name, that something waits, and how a code opens it. */
export async function sendEntrance(
  deps: SigningDeps,
  visit: SignerVisit,
  status: number,
  problem: string | null = null,
): Promise<FastifyReply> {
  const { signer, base, reply } = visit;
  const isAwaited = await isCodeAwaited(deps, signer);
  const clinic = await deps.db.tenant([signer.customerId], (tx) => customerName(tx, signer.customerId));
  return sendHtml(
    reply.code(status),
    [],
    entrancePage(clinic, { language: languageOf(visit), base, isAwaited, problem }),
  );
}

/** For a link that leads nowhere any more. */
export function sendGone({ request, reply }: At): FastifyReply {
  return sendHtml(reply.code(404), [], plainPage(languageOf({ request }), 'gone'));
}
