import type { FastifyReply } from 'fastify';
import { isSealedForm } from '../end-to-end/check-sent.ts';
import { checkGate } from '../gate/gate.ts';
import { issuePass, renewPass } from '../gate/password-pass.ts';
import type { Passage } from '../gate/places.ts';
import type { GateRefusal } from '../gate/refusal.ts';
import { todayAt } from '../model/today.ts';
import type { Upload } from '../uploads/uploads.ts';
import { one } from './read-posted.ts';
import { turnAway } from './refuse.ts';
import { sealedTurn } from './sealed-post.ts';
import { showForm } from './show-form.ts';
import { takeFiles, withoutArrived } from './take-files.ts';
import { discardArrived, type TakenPage } from './taken-page.ts';
import { type Turn, takeTurn, withoutFile } from './turn.ts';
import { fitting, forgetLost, lostFiles, uploadsOf } from './uploads-of.ts';
import { isSignedAsWhole } from './view-of.ts';
import type { Carried, PageDeps } from './visit.ts';
import { wordsOf } from './words/words-of.ts';

/** What came of a page once it was let in: how it goes on, and what would be sent. */
export interface Outcome {
  turn: Turn;
  carried: Carried;
  uploads: readonly Upload[];
  passage: Passage;
}

/** Shows what follows, where that is a page. */
export async function showTurn(
  deps: PageDeps,
  { visit, version }: TakenPage,
  carried: Carried,
  turn: Turn,
  status?: number,
): Promise<FastifyReply> {
  const shown = turn.kind === 'show' ? turn : { ...turn, kind: 'show' as const, problems: {}, notes: [] };
  const isWrong = Object.keys(shown.problems).length > 0;
  return showForm(deps, visit, { version, carried, shown, status: status ?? (isWrong ? 422 : 200) });
}

/** Turns somebody away whose page was posted; the files that came with it are not kept, which the next page tells. */
export async function refusePage(deps: PageDeps, page: TakenPage, refusal: GateRefusal): Promise<FastifyReply> {
  const { visit, version, controls, posted, carried, arrived } = page;
  await discardArrived(deps, page);
  const state = withoutArrived(version.model, posted.state, arrived);
  return turnAway(visit, refusal, { state, carried, isWrong: one(controls, 'password') !== '' });
}

/** Lets a page in, keeps the files that came with it, and decides how it goes on. */
export async function proceed(deps: PageDeps, page: TakenPage): Promise<Outcome> {
  const { visit, version, controls, posted, carried } = page;
  const { form, link, request } = visit;
  const isSealed = isSealedForm(form);
  const password = one(controls, 'password');
  const network = deps.pseudonymOf(request.ip);
  const admission = await checkGate(deps, form, {
    network,
    password: password === '' ? null : password,
    // A sealed form has one step, so that no other renews its pass; and asked for the password its page would be lost.
    pass: isSealed ? renewPass(deps, form, carried.pass) : carried.pass,
    link,
  });
  const words = wordsOf(posted.state.language);
  // Whoever has just given the password and had no pass before sees for the first time what the link has filled in.
  const isFirst = password !== '' && carried.pass === null;
  const answers = isFirst ? { ...admission.answers, ...posted.state.answers } : posted.state.answers;
  // From here on they are kept, or removed where nothing wants them; a page that is refused later discards them no more.
  const arrived = page.arrived.splice(0);
  const taken = await takeFiles(
    deps,
    { form, model: version.model, words, network },
    { ...posted.state, answers },
    arrived,
  );
  let { state } = taken;
  if (posted.ask.to === 'drop') {
    await deps.uploads.drop(form, posted.ask.token);
    state = withoutFile(state, posted.ask.token);
  }
  const found = isSealed
    ? await deps.uploads.find(form, Object.values(state.files).flat())
    : await uploadsOf(deps, form, version.model, state);
  const today = todayAt(deps.clock.now());
  const lost = isSealed ? new Map() : lostFiles(version.model, state, found, today);
  const { uploads, tooMuch } = isSealed
    ? { uploads: found, tooMuch: null }
    : fitting(version.model, state, found, today);
  const context = {
    model: version.model,
    isSigned: isSignedAsWhole(version),
    files: uploads.map(({ file }) => file),
    refused: {
      ...taken.refused,
      ...Object.fromEntries([...lost.keys()].map((path) => [path, [words.say('fileGone')]])),
      ...(tooMuch === null ? {} : { [tooMuch.path]: [words.sayProblem('fileBytes', tooMuch.room)] }),
    },
    today,
    words,
  };
  return {
    turn: isSealed
      ? sealedTurn(state, posted.ask, uploads.length)
      : forgetLost(takeTurn(context, { ...posted, state }), lost),
    carried: { ...carried, pass: form.page.passwordHash === null ? null : issuePass(deps, form) },
    uploads,
    passage: { most: admission.most, linkId: admission.linkId },
  };
}
