import { AppError } from '../../platform/errors.ts';
import { PAGE_DAYS, readShown } from '../gate/page-age.ts';
import { GateRefusal } from '../gate/refusal.ts';
import type { AcceptedSubmission } from '../submissions/accept.ts';
import { type Filling, findTaken, isTakenAlready } from '../submissions/fillings.ts';
import { discardArrived, type TakenPage } from './taken-page.ts';
import type { PageDeps } from './visit.ts';

/**
 * Takes the filling of a page unless it was taken before, however long ago; null where it is not taken. What was taken is
 * looked for only where this one is not, as what could be had once may have gone with the first.
 */
export async function takeOnce(
  deps: PageDeps,
  page: TakenPage,
  filling: Filling,
  take: () => Promise<AcceptedSubmission | null>,
): Promise<AcceptedSubmission | null> {
  const find = () => findTaken(deps, page.visit.form, filling);
  try {
    refuseExpired(deps, page);
    return (await take()) ?? (await find());
  } catch (error) {
    const isRefused = error instanceof AppError && error.status < 500;
    const taken = isRefused || isTakenAlready(error) ? await find() : null;
    if (taken === null) throw error;
    await discardArrived(deps, page);
    return taken;
  }
}

function refuseExpired(deps: PageDeps, { visit, carried }: TakenPage): void {
  const shown = readShown(deps, visit.form, carried.shown);
  if (shown !== null && shown.days > PAGE_DAYS) throw new GateRefusal('expired');
}
