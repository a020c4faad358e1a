import { readMoment } from '../../platform/http/body/read-moment.ts';
import { one, readPage, type Wire } from '../definition/read-form-query.ts';
import { WORK_STATES } from '../work/work.ts';
import type { SubmissionQuery } from './list.ts';

/** Reads the list's parameters: a moment can be wrong, everything else falls back. */
export function readSubmissionQuery(wire: Wire): SubmissionQuery {
  return {
    submissionId: one(wire.submission_id) || null,
    submitterEmail: one(wire.submitter_email)?.trim() || null,
    since: readMoment('since', one(wire.since) || undefined),
    until: readMoment('until', one(wire.until) || undefined),
    workState: WORK_STATES.find((state) => state === one(wire.work_state)) ?? null,
    assignee: one(wire.assignee_id) || null,
    orderBy: one(wire.order_by) === 'submitter_email' ? 'submitter_email' : 'created_at',
    order: one(wire.order) === 'asc' ? 'asc' : 'desc',
    ...readPage(wire),
  };
}
