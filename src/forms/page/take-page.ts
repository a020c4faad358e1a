import type { FastifyReply } from 'fastify';
import { isResumable } from '../drafts/draft.ts';
import { answerSave } from '../drafts/page/visits.ts';
import { GateRefusal } from '../gate/refusal.ts';
import { proceed, refusePage, showTurn } from './proceed.ts';
import { submitPage } from './submit-page.ts';
import { readPage } from './taken-page.ts';
import { show } from './turn.ts';
import type { PageDeps, Visit } from './visit.ts';

/** Takes in what a page was posted with and answers with what follows. */
export async function takePage(deps: PageDeps, visit: Visit): Promise<FastifyReply> {
  const page = await readPage(deps, visit);
  if (page.posted.ask.to === 'submit') return submitPage(deps, page);
  try {
    const { turn, carried } = await proceed(deps, page);
    if (turn.kind === 'save' && isResumable(visit.form)) {
      const saved = await answerSave(deps, visit, { state: turn.state, carried });
      return saved ?? (await showTurn(deps, page, carried, show(turn.state, {}, 'sendAgain'), 429));
    }
    return await showTurn(deps, page, carried, turn);
  } catch (error) {
    if (!(error instanceof GateRefusal)) throw error;
    return refusePage(deps, page, error);
  }
}
