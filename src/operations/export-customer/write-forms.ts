import type { SigningKey } from '../../accounts/index.ts';
import { openWholeForm } from '../../forms/index.ts';
import type { Act } from '../../platform/act.ts';
import type { SealedBlobs } from '../../platform/blob/sealed-blobs.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { requireOwn } from '../../platform/http/ownership.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import type { Folder } from './folder.ts';

interface Deps {
  db: Database;
  vault: Vault;
  blobs: SealedBlobs;
  clock: Clock;
  publicUrl: string;
  signingKey: SigningKey;
}

/** Writes the submissions of every form, deleted ones too: as JSON, as CSV, and the files of each in a folder. */
export async function writeForms(deps: Deps, act: Act, folder: Folder): Promise<void> {
  const { customerId } = act;
  const forms = await deps.db.tenant([customerId], (tx) =>
    tx.selectFrom('forms').select('id').where('customer_id', '=', customerId).orderBy('id').execute(),
  );
  for (const { id } of forms) {
    const form = await openWholeForm({ ...deps, requireOwn }, { ...act, action: 'submissions.exported' }, id);
    const at = `forms/submissions/${id}`;
    await folder.write(`${at}/submissions.csv`, () => form.csv());
    await folder.write(`${at}/submissions.jsonl`, () => linesOf(form.submissions()));
    for await (const submission of form.submissions()) {
      for (const { name, blobId } of submission.files) {
        await folder.write(`${at}/files/${submission.id}/${name}`, () => deps.blobs.read(customerId, blobId));
      }
    }
  }
}

async function* linesOf(submissions: AsyncIterable<{ told: object }>): AsyncGenerator<Buffer> {
  for await (const { told } of submissions) yield Buffer.from(`${JSON.stringify(told)}\n`);
}
