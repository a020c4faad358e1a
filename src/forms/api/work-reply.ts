import { type Static, Type } from 'typebox';
import { UNTOUCHED, type Work } from '../work/work.ts';
import { SubmissionReply } from './submission-reply.ts';

/** What staff makes of a submission, on the wire. */
export const WorkReply = Type.Object({
  work_state: Type.String({ description: 'new, in_work or done' }),
  assignee_id: Type.Union([Type.String({ format: 'uuid' }), Type.Null()]),
  note_count: Type.Integer({ description: 'Internal notes that were not taken back' }),
});

/** A submission with what staff makes of it. */
export const WorkedSubmissionReply = Type.Object({ ...SubmissionReply.properties, ...WorkReply.properties });

/** Describes what staff makes of a submission. */
export function describeWork({ state, assigneeId, notes }: Work = UNTOUCHED): Static<typeof WorkReply> {
  return { work_state: state, assignee_id: assigneeId, note_count: notes };
}
