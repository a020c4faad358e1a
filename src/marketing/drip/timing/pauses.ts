/** A time in which a drip stood still, and what becomes of those who waited meanwhile. */
export interface Pause {
  from: string;
  to: string;
  /** Go on at once; wait for as much longer; or go on at once without the mails that would have gone out meanwhile. */
  policy: 'catch_up' | 'shift' | 'skip_overdue';
}

export interface Waiting {
  dueAt: Date;
  /** How many of the pauses are already taken into account. */
  seen: number;
  /** Whether what they waited for has happened, so that there is nothing left to wait for. */
  woken: boolean;
}

/** When somebody goes on after the pauses, and up to when mails are left out. */
export function afterPauses(pauses: Pause[], waiting: Waiting): { dueAt: Date; skipUntil: Date | null } {
  let { dueAt } = waiting;
  let skipUntil: Date | null = null;
  for (const { from, to, policy } of pauses.slice(waiting.seen).map(withTimes)) {
    if (dueAt <= from) continue;
    if (policy === 'shift' && !waiting.woken) dueAt = new Date(dueAt.getTime() + to.getTime() - from.getTime());
    if (policy === 'skip_overdue' && dueAt <= to) skipUntil = to;
  }
  return { dueAt, skipUntil };
}

function withTimes({ from, to, policy }: Pause) {
  return { from: new Date(from), to: new Date(to), policy };
}
