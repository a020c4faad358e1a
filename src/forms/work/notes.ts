import { sql } from 'kysely';
import { recordAct } from '../../accounts/index.ts';
import type { Act, Actor } from '../../platform/act.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors.ts';
import { canonicalUuid, isUuid, timeOrderedId } from '../../platform/ids.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import { lockKey } from '../rights/amend.ts';
import { locateSubmission, type ReadDeps, type SubmissionIds } from '../submissions/read.ts';
import { type Note, openNote, sealNote } from './note.ts';
import '../tables.ts';

const MOST_NOTES = 500;
const UNDO_MINUTES = 10;

/**
 * Writes a note on a submission. The audit log tells that it was written, and not what. What else has to be written with
 * it comes last.
 */
export async function addNote(
  deps: ReadDeps,
  act: Act,
  { ids, text }: { ids: SubmissionIds; text: string },
  writeWith: (tx: Tx, note: Note) => Promise<void>,
): Promise<Note> {
  const { customerId, actor } = act;
  const keys = await deps.vault.of(customerId);
  return deps.db.tenant([customerId], async (tx) => {
    const { id, formId } = await locateSubmission(tx, deps.requireOwn, customerId, ids);
    const key = await lockKey(tx, customerId, id);
    if ((await selectNotes(tx, customerId, id).execute()).length >= MOST_NOTES)
      throw new AppError('conflict', `A submission takes at most ${MOST_NOTES} notes`);
    const note = { id: timeOrderedId(deps.clock), at: deps.clock.now(), by: actor, text, takenBackAt: null };
    await tx
      .insertInto('submission_notes')
      .values({
        id: note.id,
        customer_id: customerId,
        form_id: formId,
        submission_id: id,
        author_kind: actor.kind,
        author_id: actor.id,
        sealed: sealNote(keys, { customerId, id, key }, note.id, text),
        at: note.at,
        taken_back_at: null,
      })
      .execute();
    await recordAct(tx, deps.clock, act, { target: id, details: { form: formId, note: note.id } });
    await writeWith(tx, note);
    return note;
  });
}

/** A note once more for whoever wrote it, by what was kept of the first answer. */
export async function findWritten(
  deps: ReadDeps,
  customerId: number,
  ids: SubmissionIds,
  kept: unknown,
): Promise<Note> {
  const { note: wanted } = kept as { note: string };
  const keys = await deps.vault.of(customerId);
  const notes = await deps.db.tenant([customerId], async (tx) => {
    const { id } = await locateSubmission(tx, deps.requireOwn, customerId, ids);
    return openNotes(tx, keys, customerId, id);
  });
  const found = notes.find(({ id }) => id === wanted);
  if (found === undefined) throw new AppError('not_found', 'No such note');
  return found;
}

/** The notes on a submission, in the order in which they were written; that they were read is in the audit log. */
export async function readNotes(deps: ReadDeps, act: Act, ids: SubmissionIds): Promise<Note[]> {
  const { customerId } = act;
  const keys = await deps.vault.of(customerId);
  return deps.db.tenant([customerId], async (tx) => {
    const { id, formId } = await locateSubmission(tx, deps.requireOwn, customerId, ids);
    const notes = await openNotes(tx, keys, customerId, id);
    await recordAct(tx, deps.clock, act, { target: id, details: { form: formId } });
    return notes;
  });
}

async function openNotes(tx: Tx, keys: CustomerVault, customerId: number, id: string): Promise<Note[]> {
  const key = await lockKey(tx, customerId, id);
  const rows = await selectNotes(tx, customerId, id).select('n.sealed').orderBy('n.id').execute();
  return rows.map((row) => ({
    id: row.id,
    at: row.at,
    by: { kind: row.author_kind as Actor['kind'], id: row.author_id },
    text: row.taken_back_at === null ? openNote(keys, { customerId, id, key }, row.id, row.sealed) : null,
    takenBackAt: row.taken_back_at,
  }));
}

/** Takes back a note within ten minutes, by whoever wrote it; it stays as one that was taken back. */
export async function takeBackNote(deps: ReadDeps, act: Act, ids: SubmissionIds, noteId: string): Promise<void> {
  const { customerId, actor } = act;
  await deps.db.tenant([customerId], async (tx) => {
    const { id, formId } = await locateSubmission(tx, deps.requireOwn, customerId, ids);
    const note = await findNote(tx, deps, { customerId, submissionId: id }, noteId);
    if (note.author_kind !== actor.kind || note.author_id !== actor.id)
      throw new AppError('forbidden', 'A note is taken back by whoever wrote it');
    if (note.taken_back_at !== null) return;
    const now = deps.clock.now();
    if (now.getTime() - note.at.getTime() > UNDO_MINUTES * 60_000)
      throw new AppError('conflict', `A note can be taken back for ${UNDO_MINUTES} minutes`);
    await tx
      .updateTable('submission_notes')
      .set({ taken_back_at: now })
      .where('customer_id', '=', customerId)
      .where('id', '=', note.id)
      .execute();
    await recordAct(tx, deps.clock, act, { target: id, details: { form: formId, note: note.id } });
  });
}

async function findNote(
  tx: Tx,
  { requireOwn }: ReadDeps,
  { customerId, submissionId }: { customerId: number; submissionId: string },
  noteId: string,
) {
  const missing = 'No such note';
  if (!isUuid(noteId)) throw new AppError('not_found', missing);
  await requireOwn(tx, customerId, sql<number | null>`find_note_customer(${noteId})`, missing);
  const note = await selectNotes(tx, customerId, submissionId)
    .where('n.id', '=', canonicalUuid(noteId))
    .executeTakeFirst();
  if (note === undefined) throw new AppError('not_found', missing);
  return note;
}

function selectNotes(tx: Tx, customerId: number, submissionId: string) {
  return tx
    .selectFrom('submission_notes as n')
    .select(['n.id', 'n.at', 'n.author_kind', 'n.author_id', 'n.taken_back_at'])
    .where('n.customer_id', '=', customerId)
    .where('n.submission_id', '=', submissionId);
}
