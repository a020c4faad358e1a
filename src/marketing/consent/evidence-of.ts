import type { Act } from '../../platform/act.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Evidence } from './change.ts';

/** What an act through a door of the product leaves as evidence: who did it, and in which request. */
export function evidenceOf(clock: Clock, { actor, requestId }: Act): Evidence {
  const details = { actor: `${actor.kind}/${actor.id}`, ...(requestId === null ? {} : { request: requestId }) };
  return { source: actor.kind === 'cli' ? 'cli' : 'api', details, at: clock.now() };
}
