import { recordAct } from '../../../accounts/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
import { AppError, invalidField } from '../../../platform/errors.ts';
import { timeOrderedId } from '../../../platform/ids.ts';
import { hashSecret, newSecret } from '../../../platform/secret.ts';
import type { Vault } from '../../../platform/vault/vault.ts';
import type { PublicForm } from '../../definition/public-forms.ts';
import type { FormModel } from '../../model/form-model.ts';
import { questionsOf } from '../../model/questions.ts';
import type { FileWords } from '../../submissions/read-file-words.ts';
import { MOST_BYTES } from '../../submissions/receive.ts';
import { refuseTooMany } from '../refuse-too-many.ts';
import { actAt, expiryOf, type StoredUpload, sealWords } from '../upload-row.ts';
import '../../tables.ts';

interface NewUpload {
  length: number;
  words: FileWords;
  /** The pseudonym of the network that it comes from. */
  network: string;
}

/** Makes room for a file that is about to come, and answers the token under which it does. */
export async function beginUpload(
  { db, vault, clock }: { db: Database; vault: Vault; clock: Clock },
  form: PublicForm,
  { length, words, network }: NewUpload,
): Promise<{ token: string; upload: StoredUpload }> {
  const { customerId, id: formId } = form;
  const keys = await vault.of(customerId);
  const id = timeOrderedId(clock);
  const token = newSecret();
  const expiresAt = expiryOf(clock);
  await db.tenant([customerId], async (tx) => {
    await refuseTooMany(tx, clock, form, network);
    await tx
      .insertInto('form_uploads')
      .values({
        id,
        customer_id: customerId,
        form_id: formId,
        token_hash: hashSecret(token) as Buffer,
        sealed: sealWords(keys, id, words),
        length,
        received: 0,
        network,
        created_at: clock.now(),
        expires_at: expiresAt,
      })
      .execute();
    await recordAct(tx, clock, actAt(form, 'upload.begun'), { target: id, details: { form: formId } });
  });
  return { token, upload: { id, customerId, formId, length, received: 0, blobId: null, words, expiresAt } };
}

/** Refuses a file that the form would not take anyway, before any of it comes. */
export function refuseUnfit(model: FormModel, length: number, { field }: FileWords): void {
  if (!model.takesFiles) throw invalidField('attachments', 'are not taken by this form');
  const most = Math.min(MOST_BYTES, (field === null ? null : mostBytesAt(model, field)) ?? MOST_BYTES);
  if (length > most) throw new AppError('payload_too_large', `The file may have at most ${most} bytes`);
}

/** The limit of the question at a path such as `photo` or `medications.0.photo`; null where it sets none. */
function mostBytesAt(model: FormModel, path: string): number | null {
  const [name, , inner] = path.split('.');
  const outer = questionsOf(model).find((each) => each.name === path || (inner !== undefined && each.name === name));
  const question = outer?.kind === 'group' ? outer.items.find((each) => 'name' in each && each.name === inner) : outer;
  return question?.kind === 'file' ? question.mostBytes : null;
}
