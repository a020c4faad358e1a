import { recordAct } from '../../accounts/index.ts';
import { timeOrderedId } from '../../platform/ids.ts';
import { hashSecret, newSecret } from '../../platform/secret.ts';
import type { PublicForm } from '../definition/public-forms.ts';
import type { PageState } from '../page/state.ts';
import { actOn, type Draft, type DraftDeps, findHeld, onceIndex, sealDraft } from './draft.ts';
import { keepFilesUntil } from './keep-files.ts';
import '../tables.ts';

const DAY_MS = 24 * 3600_000;
/** A draft that nobody has a way back to is kept as long as a page may stay open. */
const DAYS_WITHOUT_ADDRESS = 1;
export const DRAFT_DAYS = 30;

interface ToSave {
  state: PageState;
  /** The token of the single-use link that the form was opened by. */
  link: string | null;
  /** The name of the submission to be. */
  once: string;
  /** What the page carries of the draft that it was taken up from. */
  held: string | null;
}

/** Keeps what was answered so far, in the draft that the page has open or else in a new one. */
export async function saveDraft(
  deps: DraftDeps,
  form: PublicForm,
  { state, link, held, once }: ToSave,
  requestId: string,
): Promise<{ draft: Draft; held: string }> {
  const known = held === null ? null : await findHeld(deps, form, held);
  const secret = known === null || held === null ? newSecret() : held;
  const address = known?.address ?? null;
  const draft: Draft = {
    id: known?.id ?? timeOrderedId(deps.clock),
    customerId: form.customerId,
    formId: form.id,
    state,
    once,
    link,
    address,
    expiresAt: draftExpiry(deps, address),
  };
  await write(deps, draft, secret, requestId);
  return { draft, held: secret };
}

/** Until when a draft is kept that is written now. */
export function draftExpiry({ clock }: Pick<DraftDeps, 'clock'>, address: string | null): Date {
  return new Date(clock.now().getTime() + (address === null ? DAYS_WITHOUT_ADDRESS : DRAFT_DAYS) * DAY_MS);
}

async function write({ db, vault, clock }: DraftDeps, draft: Draft, held: string, requestId: string): Promise<void> {
  const { id, customerId, formId, expiresAt } = draft;
  const keys = await vault.of(customerId);
  const sealed = sealDraft(keys, id, draft);
  const changes = { sealed, once_index: onceIndex(keys, draft.once), updated_at: clock.now(), expires_at: expiresAt };
  await db.tenant([customerId], async (tx) => {
    await tx
      .insertInto('form_drafts')
      .values({
        id,
        customer_id: customerId,
        form_id: formId,
        held_hash: hashSecret(held) as Buffer,
        created_at: clock.now(),
        ...changes,
      })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(changes))
      .execute();
    await keepFilesUntil(tx, clock, draft);
    await recordAct(tx, clock, actOn(draft, 'public', 'draft.saved', requestId), {
      target: id,
      details: { form: formId },
    });
  });
}
