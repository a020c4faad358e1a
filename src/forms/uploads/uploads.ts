import type { PublicForm } from '../definition/public-forms.ts';
import type { FileWords } from '../submissions/read-file-words.ts';
import type { ReceivedFile } from '../submissions/receive.ts';
import type { SubmittedFile } from '../submissions/sealed-submission.ts';

/** A file that came ahead of its submission. Whoever has the token may send it along or take it back. */
export interface Upload {
  token: string;
  file: SubmittedFile;
}

export interface Uploads {
  /**
   * Keeps a file that is in the store already until a submission claims it, a day at most; throws where too many of its
   * network wait.
   */
  keep(form: PublicForm, received: ReceivedFile, as: FileWords, network: string): Promise<Upload>;
  /** The files of these tokens; those that are unknown, expired or of another form are left out. */
  find(form: PublicForm, tokens: readonly string[]): Promise<Upload[]>;
  /** Destroys the file of a token; one that is not there is fine. */
  drop(form: PublicForm, token: string): Promise<void>;
}
