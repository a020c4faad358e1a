import type { FastifyReply } from 'fastify';
import type { FormVersion } from '../definition/compiled-versions.ts';
import { checkGate, isFull } from '../gate/gate.ts';
import { GateRefusal } from '../gate/refusal.ts';
import { todayAt } from '../model/today.ts';
import { prefilled } from './prefill.ts';
import { turnAway } from './refuse.ts';
import { firstCarried, firstState, showForm } from './show-form.ts';
import { show } from './turn.ts';
import type { PageDeps, Visit } from './visit.ts';

/** Shows the beginning of a form, with what the address and the link have filled in. */
export async function enter(deps: PageDeps, visit: Visit): Promise<FastifyReply> {
  const { form, link, request } = visit;
  const version = (await deps.findVersion(form, form.version)) as FormVersion;
  const carried = firstCarried(deps, visit, null);
  const brought = prefilled(version.model, request.query as Record<string, unknown>, todayAt(deps.clock.now()));
  try {
    const network = deps.pseudonymOf(request.ip);
    const { answers } = await checkGate(deps, form, { network, password: null, pass: null, link });
    if (await isFull(deps, form)) throw new GateRefusal('full');
    const state = firstState(deps, visit, version, { ...brought, ...answers });
    return await showForm(deps, visit, { version, carried, shown: show(state), status: 200 });
  } catch (error) {
    if (!(error instanceof GateRefusal)) throw error;
    return turnAway(visit, error, { state: firstState(deps, visit, version, brought), carried, isWrong: false });
  }
}
