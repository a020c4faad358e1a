import { recordAct } from '../../accounts/index.ts';
import type { PublicForm } from '../definition/public-forms.ts';
import { actOn, type DraftDeps, onceIndex } from './draft.ts';
import '../tables.ts';

/** Destroys all drafts of a submission, once it was sent. */
export async function destroyDrafts(deps: DraftDeps, form: PublicForm, once: string, requestId: string): Promise<void> {
  const { customerId, id: formId } = form;
  const index = onceIndex(await deps.vault.of(customerId), once);
  await deps.db.tenant([customerId], async (tx) => {
    const gone = await tx
      .deleteFrom('form_drafts')
      .where('customer_id', '=', customerId)
      .where('form_id', '=', formId)
      .where('once_index', '=', index)
      .returning('id')
      .execute();
    for (const { id } of gone) {
      const act = actOn({ customerId, id }, 'public', 'draft.destroyed', requestId);
      await recordAct(tx, deps.clock, act, { target: id, details: { form: formId } });
    }
  });
}
