import { recordAct } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { invalidField } from '../../platform/errors.ts';
import { unguessableId } from '../../platform/ids.ts';
import '../tables.ts';

export interface NewForm {
  title: string;
  description: string | null;
  formJson: Record<string, unknown>;
  active: boolean;
}

/** Makes a form and returns its id. */
export async function createForm(
  { db, clock }: { db: Database; clock: Clock },
  act: Act,
  wanted: NewForm,
): Promise<string> {
  if (wanted.title.trim() === '') throw invalidField('title', 'must not be empty');
  const id = unguessableId();
  const now = clock.now();
  await db.tenant([act.customerId], async (tx) => {
    await tx
      .insertInto('forms')
      .values({
        id,
        customer_id: act.customerId,
        title: wanted.title,
        description: wanted.description,
        form_json: JSON.stringify(wanted.formJson),
        version: 1,
        active: wanted.active,
        signable: false,
        deleted: false,
        archived: false,
        created_at: now,
        updated_at: now,
      })
      .execute();
    await tx
      .insertInto('form_counts')
      .values({ form_id: id, customer_id: act.customerId, submission_count: 0 })
      .execute();
    await recordAct(tx, clock, act, { target: id });
  });
  return id;
}
