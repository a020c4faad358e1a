import type { FastifyReply } from 'fastify';
import { parseAddress } from '../../../email/index.ts';
import { readCode } from '../../../platform/one-time-codes/read-code.ts';
import { CODE_DIGITS } from '../../../platform/one-time-codes/rules.ts';
import type { FormVersion } from '../../definition/compiled-versions.ts';
import { checkGate } from '../../gate/gate.ts';
import { GateRefusal } from '../../gate/refusal.ts';
import { turnAway } from '../../page/refuse.ts';
import { sendHtml } from '../../page/send-html.ts';
import { firstCarried, showForm } from '../../page/show-form.ts';
import type { PageState } from '../../page/state.ts';
import { show } from '../../page/turn.ts';
import type { Carried, PageDeps, Visit } from '../../page/visit.ts';
import { pickLanguage } from '../../page/words/pick-language.ts';
import { SPOKEN } from '../../page/words/words-of.ts';
import { isCodeAwaited, sendCode, takeUp } from '../codes.ts';
import { type Draft, findByToken, findHeld } from '../draft.ts';
import { mailLink } from '../mail-link.ts';
import { saveDraft } from '../save-draft.ts';
import { entrancePage, gonePage, type Page, type Problem, savedPage, sentPage } from './draft-pages.ts';
import { readSmallForm } from './read-small-form.ts';

const HOUR_SECONDS = 3600;
/** How often a form is saved from one network in an hour. */
const MOST_SAVES = 100;

/** Saves what was posted with a page, and says how to come back to it; null where too much is saved. */
export async function answerSave(
  deps: PageDeps,
  visit: Visit,
  { state, carried }: { state: PageState; carried: Carried },
): Promise<FastifyReply | null> {
  const { form, link, request } = visit;
  const saves = `draft-saves/${form.id}/${deps.pseudonymOf(request.ip)}`;
  if (!deps.rateLimits.take(saves, { count: MOST_SAVES, windowSeconds: HOUR_SECONDS }).allowed) return null;
  const { draft: held, once } = carried;
  const saved = await saveDraft(deps, form, { state, link, held, once }, request.id);
  const isMailed = saved.draft.address !== null;
  return send(visit, 200, savedPage({ language: state.language, base: baseOf(visit), held: saved.held, isMailed }));
}

/** Mails the way back to the address that was entered. */
export async function mailWayBack(deps: PageDeps, visit: Visit): Promise<FastifyReply> {
  const { form, request, reply } = visit;
  const { draft: held, email } = await readSmallForm(request);
  const draft = typeof held === 'string' ? await findHeld(deps, form, held) : null;
  if (draft === null || typeof held !== 'string') return sendGone(visit);
  const { language } = draft.state;
  const again = (problem: Problem) => savedPage({ language, base: baseOf(visit), held, isMailed: false, problem });
  const address = typeof email === 'string' ? (parseAddress(email)?.address ?? null) : null;
  if (address === null) return send(visit, 422, again(['emailWrong']));
  const to = { address, network: deps.pseudonymOf(request.ip) };
  if (await mailLink(deps, draft, to, request.id)) return send(visit, 200, sentPage(language));
  reply.header('retry-after', HOUR_SECONDS);
  return send(visit, 429, again(['tooMany']));
}

/** Goes on with a draft at once, on the page that has it open. */
export async function goOn(deps: PageDeps, visit: Visit): Promise<FastifyReply> {
  const { draft: held } = await readSmallForm(visit.request);
  const draft = typeof held === 'string' ? await findHeld(deps, visit.form, held) : null;
  return draft === null || typeof held !== 'string' ? sendGone(visit) : showDraft(deps, visit, draft, held);
}

/** Shows the way in to whoever has the link. */
export async function enterDraft(deps: PageDeps, visit: Visit): Promise<FastifyReply> {
  const draft = await draftAt(deps, visit);
  return draft === null ? sendGone(visit) : sendEntrance(deps, visit, draft, 200);
}

/** Mails a code, and leads back to where it is entered. */
export async function askForCode(deps: PageDeps, visit: Visit): Promise<FastifyReply> {
  const draft = await draftAt(deps, visit);
  if (draft === null) return sendGone(visit);
  if (await sendCode(deps, draft, visit.request.id)) return visit.reply.redirect(wayBackOf(visit), 303);
  visit.reply.header('retry-after', HOUR_SECONDS);
  return sendEntrance(deps, visit, draft, 429, ['tooMany']);
}

/** Shows the form as it was saved to whoever knows the code. */
export async function openByCode(deps: PageDeps, visit: Visit): Promise<FastifyReply> {
  const draft = await draftAt(deps, visit);
  if (draft === null) return sendGone(visit);
  const code = readCode(await readSmallForm(visit.request));
  if (code === null) return sendEntrance(deps, visit, draft, 422, ['codeLength', CODE_DIGITS]);
  const verdict = await takeUp(deps, draft, code, visit.request.id);
  if ('held' in verdict) return showDraft(deps, visit, draft, verdict.held);
  const { triesLeft } = verdict;
  return sendEntrance(deps, visit, draft, 403, triesLeft === 0 ? ['codeVoid'] : ['codeWrong', triesLeft]);
}

async function showDraft(deps: PageDeps, visit: Visit, draft: Draft, held: string): Promise<FastifyReply> {
  const { form, request } = visit;
  const { state, link } = draft;
  const action = link === null ? baseOf(visit) : `${baseOf(visit)}/l/${encodeURIComponent(link)}`;
  const there = { ...visit, link, action };
  const carried = { ...firstCarried(deps, there, null), once: draft.once, draft: held };
  const version = (await deps.findVersion(form, state.version)) as FormVersion; // versions are never removed
  try {
    await checkGate(deps, form, { network: deps.pseudonymOf(request.ip), password: null, pass: null, link });
    return await showForm(deps, there, { version, carried, shown: show(state), status: 200 });
  } catch (error) {
    if (!(error instanceof GateRefusal)) throw error;
    return turnAway(there, error, { state, carried, isWrong: false });
  }
}

async function sendEntrance(deps: PageDeps, visit: Visit, draft: Draft, status: number, problem?: Problem) {
  const { language } = draft.state;
  const isAwaited = await isCodeAwaited(deps, draft);
  const entrance = { language, base: wayBackOf(visit), isAwaited, ...(problem === undefined ? {} : { problem }) };
  return send(visit, status, entrancePage(entrance));
}

function sendGone(visit: Visit): FastifyReply {
  const language = pickLanguage(SPOKEN, visit.request.headers['accept-language'], undefined);
  return send(visit, 404, gonePage(language, baseOf(visit)));
}

function send({ form, reply }: Visit, status: number, page: Page): FastifyReply {
  return sendHtml(reply.code(status), form.page.frameOrigins, page);
}

function draftAt(deps: PageDeps, { form, request }: Visit): Promise<Draft | null> {
  return findByToken(deps, form, (request.params as { draft: string }).draft);
}

function baseOf({ request }: Visit): string {
  return `/f/${encodeURIComponent((request.params as { address: string }).address)}`;
}

function wayBackOf(visit: Visit): string {
  return `${baseOf(visit)}/resume/${(visit.request.params as { draft: string }).draft}`;
}
