import { readMoment } from '../../platform/http/read-moment.ts';
import { one, readPage, type Wire } from '../definition/read-form-query.ts';
import type { SubmissionQuery } from './list.ts';

/** Reads the list's parameters: a moment can be wrong, everything else falls back. */
export function readSubmissionQuery(wire: Wire): SubmissionQuery {
  return {
    submissionId: one(wire.submission_id) || null,
    submitterEmail: one(wire.submitter_email)?.trim() || null,
    since: readMoment('since', one(wire.since) || undefined),
    until: readMoment('until', one(wire.until) || undefined),
    orderBy: one(wire.order_by) === 'submitter_email' ? 'submitter_email' : 'created_at',
    order: one(wire.order) === 'asc' ? 'asc' : 'desc',
    ...readPage(wire),
  };
}
