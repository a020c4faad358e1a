import type { Act } from '../../platform/act.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import { timeOrderedId } from '../../platform/ids.ts';
import { momentText } from '../../platform/moment-text.ts';
import '../tables.ts';

/** What an act was done to, and counts or ids that describe it. Never a value of health data. */
export interface Trace {
  target?: string;
  details?: Record<string, string | number | boolean | string[]>;
}

export interface AuditRow {
  id: string;
  customer_id: number;
  at: string;
  actor_kind: string;
  actor_id: string;
  action: string;
  target: string | null;
  request_id: string | null;
  details: string | null;
}

/** The audit row of an act, for whoever writes it in a statement of its own. */
export function auditRow(clock: Clock, act: Act, { target, details }: Trace): AuditRow {
  const at = clock.now(); // one moment for both: the log is searched by id, and tells the time
  return {
    id: timeOrderedId({ now: () => at }),
    customer_id: act.customerId,
    at: momentText(at),
    actor_kind: act.actor.kind,
    actor_id: act.actor.id,
    action: act.action,
    target: target ?? null,
    request_id: act.requestId,
    details: details === undefined ? null : JSON.stringify(details),
  };
}

/** Writes the audit row of an act in the transaction of the act itself. */
export async function recordAct(tx: Tx, clock: Clock, act: Act, trace: Trace): Promise<void> {
  await tx
    .insertInto('audit_log')
    .values(auditRow(clock, act, trace))
    .execute();
}
