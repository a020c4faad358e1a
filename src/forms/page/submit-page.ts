import type { FastifyReply } from 'fastify';
import { AppError } from '../../platform/errors.ts';
import { destroyDrafts } from '../drafts/destroy-draft.ts';
import { isResumable } from '../drafts/draft.ts';
import { isSealedForm } from '../end-to-end/check-sent.ts';
import { readShown, stampShown } from '../gate/page-age.ts';
import { GateRefusal } from '../gate/refusal.ts';
import { suspectProof, suspectVisitor } from '../gate/suspicion.ts';
import { languagesOf } from '../model/translate.ts';
import type { AcceptedSubmission } from '../submissions/accept.ts';
import { submissionTo } from '../submissions/closed-forms.ts';
import { fillingOf } from '../submissions/fillings.ts';
import type { Sent } from '../submissions/read-submission.ts';
import { signReceipt } from '../submissions/receipt.ts';
import { type Outcome, proceed, refusePage, showTurn } from './proceed.ts';
import { one } from './read-posted.ts';
import { isReadable } from './sealed-post.ts';
import { sendMessage } from './send-message.ts';
import type { PageState } from './state.ts';
import { takeOnce } from './take-once.ts';
import { discardArrived, type TakenPage } from './taken-page.ts';
import { type Shown, show, type Turn } from './turn.ts';
import { consentShown, isSignedAsWhole } from './view-of.ts';
import type { Carried, PageDeps } from './visit.ts';
import type { PageWord } from './words/page-words.ts';
import { pickLanguage } from './words/pick-language.ts';

/** What is shown where a form was not taken. */
interface NotTaken {
  turn: Turn;
  carried: Carried;
  status?: number;
}

/** Sends a form. However often the same page is sent, it is taken once and answered with the same receipt. */
export async function submitPage(deps: PageDeps, page: TakenPage): Promise<FastifyReply> {
  const { form } = page.visit;
  const operation = submissionTo(form.id);
  const claim = await deps.idempotency.claim(form.customerId, operation, page.carried.once, identityOf(page));
  const filling = fillingOf(await deps.vault.of(form.customerId), page.carried.once, claim);
  let notTaken = null as NotTaken | null;
  let { state } = page.posted;
  const take = async (): Promise<AcceptedSubmission | null> => {
    const outcome = await proceed(deps, page);
    ({ state } = outcome.turn);
    notTaken = await hinder(deps, page, outcome);
    if (notTaken !== null) return null;
    const { uploads, passage } = outcome;
    const sent = sentBy(page, state);
    return deps.acceptSubmission({
      requestId: page.visit.request.id,
      form,
      sent,
      files: [],
      uploads,
      passage,
      claim,
      filling,
    });
  };
  try {
    const { body, replayed } = await deps.idempotency.once(claim, async () => {
      const taken = await takeOnce(deps, page, filling, take);
      if (taken === null) return { status: 422, body: null };
      return { status: 201, body: { ...taken, at: taken.at.toISOString() } };
    });
    if (body === null && notTaken !== null) return await showNotTaken(deps, page, notTaken);
    if (replayed) await discardArrived(deps, page);
    if (isResumable(form)) await destroyDrafts(deps, form, page.carried.once, page.visit.request.id);
    return thank(deps, page, body as Told);
  } catch (error) {
    return await answerRefusal(deps, { ...page, posted: { ...page.posted, state } }, error);
  }
}

type Told = Omit<AcceptedSubmission, 'at'> & { at: string };

function showNotTaken(deps: PageDeps, page: TakenPage, { turn, carried, status }: NotTaken): Promise<FastifyReply> {
  return showTurn(deps, page, carried, turn, status);
}

/** What keeps a form from being taken: something in it, too many others, a page that is too old, or the look of a program. */
async function hinder(deps: PageDeps, page: TakenPage, { turn, carried }: Outcome): Promise<NotTaken | null> {
  const { form } = page.visit;
  if (turn.kind !== 'send') return { turn, carried };
  const again = (note: PageWord, status: number): NotTaken => ({ turn: show(turn.state, {}, note), carried, status });
  const { allowed, resetSeconds } = deps.rateLimits.take(`form/${form.id}`, deps.formRate);
  if (!allowed) {
    page.visit.reply.header('retry-after', resetSeconds);
    return again('sendAgain', 429);
  }
  if (isSealedForm(form) && isReadable(page.controls)) return again('needsScript', 403);
  const shown = readShown(deps, form, carried.shown);
  if (shown === null || shown.days > 1) {
    return { ...again('shownAgain', 422), carried: { ...carried, shown: stampShown(deps, form) } };
  }
  const { traps, proofOfWork } = form.page;
  const visitor = suspectVisitor(deps, form, { honeypot: one(page.controls, 'website'), shown: shown.at });
  if (visitor !== null && traps === 'enforce') return again('sendAgain', 403);
  const proof = await suspectProof(deps, form, one(page.controls, '_proof'));
  return proof !== null && proofOfWork === 'enforce' ? again('proofWanted', 403) : null;
}

function sentBy({ visit, version, controls }: TakenPage, { answers, signature, language: chosen }: PageState): Sent {
  const language = pickLanguage(languagesOf(version.form_json), undefined, chosen);
  const page = { language, consentText: consentShown(version, chosen) };
  if (isSealedForm(visit.form)) {
    const sealed = one(controls, '_sealed');
    return { formData: {}, signature: null, formVersion: version.version, files: [], page, sealed };
  }
  const signed = isSignedAsWhole(version) ? signature : null;
  return { formData: answers, signature: signed, formVersion: version.version, files: [], page };
}

/** What makes two pages the same one sent twice. The files that it brought have no tokens yet. */
function identityOf({ visit, controls, posted, arrived, version }: TakenPage): unknown {
  if (isSealedForm(visit.form)) return [one(controls, '_sealed'), version.version, posted.state.files];
  const { answers, files, signature } = posted.state;
  const came = arrived.map(({ control, name, received }) => [control, name, received.blob.sha256.toString('hex')]);
  return [answers, signature, version.version, files, came];
}

/** Leads on with a GET, so that going back or reloading sends nothing twice. */
function thank(deps: PageDeps, { visit, posted }: TakenPage, { id, version, at }: Told): FastifyReply {
  const { form, action, reply } = visit;
  const receipt = signReceipt(deps.installationKeys, { submission: id, form: form.id, version, received: at });
  const query = new URLSearchParams({ receipt, language: posted.state.language });
  return reply.redirect(`${action.replace(/\/l\/[^/]*$/, '')}/done?${query.toString()}`, 303);
}

async function answerRefusal(deps: PageDeps, page: TakenPage, error: unknown): Promise<FastifyReply> {
  if (error instanceof GateRefusal) return refusePage(deps, page, error);
  if (!(error instanceof AppError)) throw error;
  const { visit, posted, carried } = page;
  if (error.code === 'idempotency_conflict') {
    await discardArrived(deps, page);
    const { request, reply, form, assets } = visit;
    const to = { request, reply, frameOrigins: form.page.frameOrigins, language: posted.state.language };
    // Whoever goes on begins anew: kept, these answers would be refused for ever.
    return sendMessage(to, 409, { kind: 'alreadySent', sent: { form: form.id, script: assets?.script ?? null } });
  }
  if (error.code !== 'invalid_request') throw error;
  const shown: Shown = show(posted.state, error.fields, 'sendAgain');
  return showTurn(deps, page, carried, shown, 422);
}
