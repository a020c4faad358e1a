import { sql } from 'kysely';
import type { SigningKey } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import type { Tx } from '../../platform/db/database.ts';
import { describeSubmission } from '../api/submission-reply.ts';
import { writeCsv } from '../export/csv.ts';
import { fileName } from '../rights/person-export.ts';
import { openNote } from '../work/note.ts';
import { openForm, tableOf } from './export.ts';
import type { ReadDeps } from './read.ts';
import { submissionNotFound } from './submission.ts';

interface Deps extends ReadDeps {
  publicUrl: string;
  signingKey: SigningKey;
}

/** A submission with all that belongs to it; what was encrypted to the customer's own keys stays as it is. */
export interface WholeSubmission {
  id: string;
  told: object;
  /** Files by a name that every system can write, with the blob of each. */
  files: { name: string; blobId: string }[];
}

/** Everything that a form has got. */
export interface WholeForm {
  csv(): Promise<AsyncIterable<Buffer>>;
  submissions(): AsyncIterable<WholeSubmission>;
}

/** Opens all submissions of a form with notes, files and certificates; that they are read is in the audit log before. */
export async function openWholeForm(deps: Deps, act: Act, formId: string): Promise<WholeForm> {
  const { db, vault } = deps;
  const { customerId } = act;
  const form = await openForm(deps, act, { formId, submissionId: null });
  return {
    async csv() {
      const { columns, submissions } = await tableOf(form);
      return writeCsv(columns, submissions);
    },
    async *submissions() {
      const keys = await vault.of(customerId);
      for await (const submission of form.read()) {
        const { id } = submission;
        const beside = await db.tenant([customerId], (tx) => readBeside(tx, customerId, id));
        const notes = beside.notes.map(({ sealed, ...note }) => ({
          ...note,
          text:
            note.taken_back_at === null
              ? openNote(keys, { customerId, id, key: beside.key }, note.id, Buffer.from(sealed, 'hex'))
              : null,
        }));
        const named = submission.files.map((file, at) => ({
          // What ends in .new is half written to whoever puts it into a folder.
          name: `${at + 1}-${fileName(file.name).replace(/\.new$/, '.new_')}`,
          blobId: file.id,
        }));
        yield {
          id,
          told: { ...describeSubmission(submission, { ...deps, recipient: null }), notes },
          files:
            beside.certificate === null ? named : [...named, { name: 'certificate.pdf', blobId: beside.certificate }],
        };
      }
    },
  };
}

interface Beside {
  key: Buffer;
  certificate: string | null;
  notes: {
    id: string;
    at: string;
    author_kind: string;
    author_id: string;
    taken_back_at: string | null;
    sealed: string;
  }[];
}

/** What stands beside a submission and is not read with it. A note that was taken back is told of without its words. */
async function readBeside(tx: Tx, customerId: number, id: string): Promise<Beside> {
  const { rows } = await sql<Beside>`
    select k.key,
      (select c.blob_id from submission_certificates c where c.customer_id = ${customerId} and c.submission_id = ${id})
        as certificate,
      coalesce((select json_agg(json_build_object('id', n.id, 'at', n.at, 'author_kind', n.author_kind,
          'author_id', n.author_id, 'taken_back_at', n.taken_back_at, 'sealed', encode(n.sealed, 'hex')) order by n.id)
        from submission_notes n where n.customer_id = ${customerId} and n.submission_id = ${id}), '[]') as notes
    from submission_keys k where k.customer_id = ${customerId} and k.submission_id = ${id}`.execute(tx);
  const [found] = rows;
  if (found === undefined) throw submissionNotFound();
  return found;
}
