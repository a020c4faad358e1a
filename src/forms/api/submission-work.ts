import { type Static, Type } from 'typebox';
import { invalidField } from '../../platform/errors.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import type { Idempotency } from '../../platform/http/idempotency.ts';
import { findForm } from '../definition/form.ts';
import type { ReadDeps } from '../submissions/read.ts';
import { readActivity } from '../work/activity.ts';
import { changeManyWorks, changeWork, findWork, type WorkChange } from '../work/change-work.ts';
import { countOpenWork } from '../work/count.ts';
import type { Note } from '../work/note.ts';
import { addNote, findWritten, readNotes, takeBackNote } from '../work/notes.ts';
import { WORK_STATES, type Work } from '../work/work.ts';
import { describeWork, WorkReply } from './work-reply.ts';

const MOST_AT_ONCE = 1_000;
const LONGEST_NOTE = 10_000;

const One = Type.Object({ id: Type.String(), sid: Type.String() });
const Moment = Type.Union([Type.String({ format: 'date-time' }), Type.Null()]);

const Change = Type.Object({
  work_state: Type.Optional(Type.Enum([...WORK_STATES])),
  assignee_id: Type.Optional(
    Type.Union([Type.String(), Type.Null()], { description: 'Somebody of the customer; null for nobody' }),
  ),
});

const NoteReply = Type.Object({
  id: Type.String({ format: 'uuid' }),
  at: Type.String({ format: 'date-time' }),
  by: Type.Object({ kind: Type.String(), id: Type.String() }),
  text: Type.Union([Type.String(), Type.Null()], { description: 'Null where it was taken back' }),
  taken_back_at: Moment,
});

/** What staff makes of submissions: how far they are, whose they are, and what was noted about them. */
export function submissionWorkEndpoints(deps: ReadDeps & { idempotency: Idempotency }): Endpoint[] {
  const { db, clock, requireOwn, idempotency } = deps;
  return [
    endpoint({
      method: 'GET',
      path: '/api/forms/work',
      operation: 'readOpenWork',
      summary: 'How many submissions of all forms are new or in work, and whose they are',
      access: { scope: 'forms' },
      audit: null,
      reply: Type.Object({
        data: Type.Object({
          new: Type.Integer(),
          in_work: Type.Integer(),
          unassigned: Type.Integer({ description: 'New or in work, and nobody’s' }),
          assigned: Type.Array(Type.Object({ assignee_id: Type.String({ format: 'uuid' }), open: Type.Integer() })),
          forms: Type.Array(
            Type.Object({
              form_id: Type.String({ format: 'uuid' }),
              title: Type.String(),
              new: Type.Integer(),
              in_work: Type.Integer(),
            }),
            { description: 'Those with anything to do, the most new ones first, 100 at most' },
          ),
        }),
      }),
      async handle({ caller: { customerId } }) {
        const work = await db.tenant([customerId], (tx) => countOpenWork(tx, customerId));
        const assigned = work.assigned.map(({ assigneeId, open }) => ({ assignee_id: assigneeId, open }));
        const forms = work.forms.map(({ id, title, new: fresh, inWork }) => ({
          form_id: id,
          title,
          new: fresh,
          in_work: inWork,
        }));
        return { data: { new: work.new, in_work: work.inWork, unassigned: work.unassigned, assigned, forms } };
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/forms/:id/activity',
      operation: 'readFormActivity',
      summary:
        'How many submissions of a form are new, in work and done, and how many came on each of the last 30 days',
      access: { scope: 'forms' },
      audit: null,
      params: Type.Object({ id: Type.String() }),
      reply: Type.Object({
        data: Type.Object({
          new: Type.Integer(),
          in_work: Type.Integer(),
          done: Type.Integer(),
          days: Type.Array(
            Type.Object(
              { day: Type.String({ format: 'date' }), submissions: Type.Integer() },
              { description: 'In UTC' },
            ),
          ),
        }),
      }),
      handle: async ({ caller: { customerId }, params }) =>
        db.tenant([customerId], async (tx) => {
          const form = await findForm(tx, requireOwn, customerId, params.id);
          return { data: await readActivity(tx, clock, form) };
        }),
    }),
    endpoint({
      method: 'POST',
      path: '/api/forms/:id/submissions/work',
      operation: 'changeManyWorks',
      summary: 'Change the state or the assignee of many submissions, all of them or none',
      access: { scope: 'forms' },
      audit: 'work.changed',
      params: Type.Object({ id: Type.String() }),
      body: Type.Object({
        ids: Type.Array(Type.String(), { minItems: 1, maxItems: MOST_AT_ONCE }),
        ...Change.properties,
      }),
      reply: Type.Object({ changed: Type.Integer() }),
      async handle({ act, params, body }) {
        return { changed: await changeManyWorks(deps, act, { formId: params.id, ids: body.ids }, readChange(body)) };
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/forms/:id/submissions/:sid/work',
      operation: 'readWork',
      summary: 'How far a submission is and whose it is',
      access: { scope: 'forms', role: 'editor' },
      audit: null,
      params: One,
      reply: Type.Object({ data: WorkReply }),
      handle: async ({ caller: { customerId }, params }) => ({
        data: describeWork(await findWork(deps, customerId, { formId: params.id, submissionId: params.sid })),
      }),
    }),
    endpoint({
      method: 'PATCH',
      path: '/api/forms/:id/submissions/:sid/work',
      operation: 'changeWork',
      summary: 'Change how far a submission is or whose it is; what is left out stays',
      access: { scope: 'forms' },
      audit: 'work.changed',
      params: One,
      body: Change,
      reply: Type.Object({ data: WorkReply }),
      async handle({ act, params, body }) {
        const ids = { formId: params.id, submissionId: params.sid };
        const work: Work = await changeWork(deps, act, ids, readChange(body));
        return { data: describeWork(work) };
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/forms/:id/submissions/:sid/notes',
      operation: 'listNotes',
      summary: 'The internal notes on a submission, in the order in which they were written',
      access: { scope: 'forms' },
      audit: 'submission.notes-read',
      params: One,
      reply: Type.Object({ data: Type.Array(NoteReply) }),
      handle: async ({ act, params }) => ({
        data: (await readNotes(deps, act, { formId: params.id, submissionId: params.sid })).map(describeNote),
      }),
    }),
    endpoint({
      method: 'POST',
      path: '/api/forms/:id/submissions/:sid/notes',
      operation: 'createNote',
      summary: 'Write an internal note on a submission; whoever sent it never sees it',
      access: { scope: 'forms', phi: true },
      audit: 'note.written',
      params: One,
      body: Type.Object({ text: Type.String({ minLength: 1, maxLength: LONGEST_NOTE }) }),
      idempotent: true,
      status: 201,
      reply: Type.Object({ data: NoteReply }),
      async handle({ act, params, body, idempotency: claim }) {
        const text = body.text.trim();
        if (text === '') throw invalidField('text', 'must not be empty');
        const ids = { formId: params.id, submissionId: params.sid };
        const note = await addNote(deps, act, { ids, text }, (tx, { id }) =>
          // What was noted stands under the submission's key only, and is destroyed with it.
          idempotency.keepWith(tx, claim, { status: 201, body: { note: id } }),
        );
        return { data: describeNote(note) };
      },
      async answerAgain({ act, params }, kept) {
        const ids = { formId: params.id, submissionId: params.sid };
        return { data: describeNote(await findWritten(deps, act.customerId, ids, kept)) };
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/forms/:id/submissions/:sid/notes/:nid',
      operation: 'takeBackNote',
      summary: 'Take back a note of one’s own within ten minutes; that there was one stays',
      access: { scope: 'forms' },
      audit: 'note.taken-back',
      params: Type.Object({ ...One.properties, nid: Type.String() }),
      reply: Type.Object({ detail: Type.String() }),
      async handle({ act, params }) {
        await takeBackNote(deps, act, { formId: params.id, submissionId: params.sid }, params.nid);
        return { detail: 'Note taken back.' };
      },
    }),
  ];
}

function readChange({ work_state: state, assignee_id: assigneeId }: Static<typeof Change>): WorkChange {
  return { ...(state === undefined ? {} : { state }), ...(assigneeId === undefined ? {} : { assigneeId }) };
}

function describeNote({ id, at, by, text, takenBackAt }: Note): Static<typeof NoteReply> {
  return { id, at: at.toISOString(), by, text, taken_back_at: takenBackAt?.toISOString() ?? null };
}
