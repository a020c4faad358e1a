import type { FastifyReply } from 'fastify';
import { readCode } from '../../../platform/one-time-codes/read-code.ts';
import { CODE_DIGITS } from '../../../platform/one-time-codes/rules.ts';
import { readSmallForm } from '../../drafts/page/read-small-form.ts';
import { type DraftWord, draftWordsOf } from '../../drafts/words/draft-words.ts';
import { sendHtml } from '../../page/send-html.ts';
import { enterCode, sendCode } from '../codes.ts';
import { showToSign } from './show-to-sign.ts';
import { plainPage } from './signing-pages.ts';
import { languageOf, type SignerVisit, type SigningDeps, sendEntrance } from './visit.ts';

const HOUR_SECONDS = 3600;

/** Shows the way in to whoever has the link, or what became of it. */
export async function enter(deps: SigningDeps, visit: SignerVisit): Promise<FastifyReply> {
  const { state } = visit.signer;
  if (state !== 'waiting') return sendHtml(visit.reply, [], plainPage(languageOf(visit), state));
  return sendEntrance(deps, visit, 200);
}

/** Mails a code, and leads back to where it is entered. */
export async function askForCode(deps: SigningDeps, visit: SignerVisit): Promise<FastifyReply> {
  const { signer, base, request, reply } = visit;
  if (await sendCode(deps, signer, { language: languageOf(visit), requestId: request.id })) {
    return reply.redirect(base, 303);
  }
  reply.header('retry-after', HOUR_SECONDS);
  return sendEntrance(deps, visit, 429, inWords(visit, 'tooMany'));
}

/** Shows what is to be signed to whoever knows the code. */
export async function openByCode(deps: SigningDeps, visit: SignerVisit): Promise<FastifyReply> {
  const { signer, request } = visit;
  const code = readCode(await readSmallForm(request));
  if (code === null) return sendEntrance(deps, visit, 422, inWords(visit, 'codeLength', CODE_DIGITS));
  const verdict = await enterCode(deps, signer, code, request.id);
  if (verdict.right) return showToSign(deps, visit, { language: languageOf(visit), given: null, problems: [] });
  const { triesLeft } = verdict;
  const told = triesLeft === 0 ? inWords(visit, 'codeVoid') : inWords(visit, 'codeWrong', triesLeft);
  return sendEntrance(deps, visit, 403, told);
}

function inWords(visit: SignerVisit, word: DraftWord, value?: number): string {
  return draftWordsOf(languageOf(visit)).say(word, value);
}
