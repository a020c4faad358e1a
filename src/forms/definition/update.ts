import { recordAct } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors.ts';
import type { Form, FormSettings } from './form.ts';
import { naming } from './vanity-url.ts';
import { addVersion, isSameDefinition } from './versions.ts';
import '../tables.ts';

interface Change {
  settings: Partial<FormSettings>;
  /** The version that the change was made on; any where it is null. */
  onVersion: number | null;
}

/** Changes a form; another definition is another version. */
export async function updateForm(
  tx: Tx,
  { clock, act }: { clock: Clock; act: Act },
  before: Form,
  { settings, onVersion }: Change,
): Promise<void> {
  if (onVersion !== null && onVersion !== before.version) {
    throw new AppError('conflict', 'version: the form has been changed since', {
      fields: { version: ['the form has been changed since'] },
    });
  }
  const { customerId } = act;
  const after = { ...before, ...settings };
  const now = clock.now();
  const version = isSameDefinition(before, after) ? before.version : before.version + 1;
  const { form_json: formJson, ...columns } = settings;
  await naming(() =>
    tx
      .updateTable('forms')
      .set({
        ...columns,
        ...(formJson === undefined ? {} : { form_json: formJson === null ? null : JSON.stringify(formJson) }),
        version,
        updated_at: now,
      })
      .where('customer_id', '=', customerId)
      .where('id', '=', before.id)
      .execute(),
  );
  if (version !== before.version) await addVersion(tx, { formId: before.id, customerId, version, at: now }, after);
  await recordAct(tx, clock, act, { target: before.id, details: { version, changed: Object.keys(settings) } });
}

/** Sets flags of a form, in whatever state the others are. */
export async function setFlags(
  tx: Tx,
  { clock, act }: { clock: Clock; act: Act },
  id: string,
  flags: { active?: boolean; archived?: boolean; deleted?: boolean },
): Promise<void> {
  await tx
    .updateTable('forms')
    .set({ ...flags, updated_at: clock.now() })
    .where('customer_id', '=', act.customerId)
    .where('id', '=', id)
    .execute();
  await recordAct(tx, clock, act, { target: id });
}
