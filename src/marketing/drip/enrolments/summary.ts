import type { Drip } from '../campaigns/drip.ts';
import type { Enrolment } from './enrolment.ts';
import { LEFT_AS, NOT_IN_AS, type NotIn } from './words.ts';

type Told = Pick<Enrolment, 'state' | 'reason' | 'step' | 'ended_at'> & {
  next: { at: Date | null; what: string } | null;
};

/** In words where somebody stands with a drip; `enrolments` has the latest first. */
export function summaryOf({ state }: Drip, enrolments: Told[], reasons: readonly NotIn[]): string {
  const active = enrolments.find((each) => each.state === 'active');
  if (active !== undefined) {
    return [`They are in it at step ${active.step}.`, ...(state === 'running' ? [] : [NOT_IN_AS[`drip_${state}`]])]
      .concat(goingOn(active))
      .join(' ');
  }
  const [last] = enrolments;
  const before = last === undefined ? 'They have never been in it.' : ending(last);
  const now = reasons.length === 0 ? ['They may enter.'] : reasons.map((reason) => NOT_IN_AS[reason]);
  return [before, ...now].join(' ');
}

function goingOn({ next }: Told): string {
  if (next === null) return '';
  return next.at === null ? `Next: ${next.what}.` : `Next, at ${next.at.toISOString()}: ${next.what}.`;
}

function ending({ state, reason, step, ended_at: endedAt }: Told): string {
  const when = endedAt?.toISOString() ?? '';
  if (state === 'completed' || reason === null) return `They reached its end at ${when}.`;
  return `They left it at step ${step} at ${when}, as ${LEFT_AS[reason]}.`;
}
