import type { Actor } from '../../platform/act.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import { openBeside, sealBeside } from '../submissions/sealed-submission.ts';

/** What somebody wrote to the others about a submission. */
export interface Note {
  id: string;
  at: Date;
  by: Actor;
  /** Null once it was taken back. */
  text: string | null;
  takenBackAt: Date | null;
}

interface Sealed {
  customerId: number;
  /** Of the submission. */
  id: string;
  key: Buffer;
}

/** Seals a note under the key of its submission. */
export function sealNote(keys: CustomerVault, submission: Sealed, noteId: string, text: string): Buffer {
  return sealBeside(keys, submission, placeOf(noteId), text);
}

/** Opens a note. */
export function openNote(keys: CustomerVault, submission: Sealed, noteId: string, sealed: Buffer): string {
  return openBeside(keys, submission, placeOf(noteId), sealed).toString();
}

function placeOf(id: string) {
  return { table: 'submission_notes', row: id, column: 'sealed' };
}
