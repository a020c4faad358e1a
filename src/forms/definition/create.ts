import { recordAct } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import { unguessableId } from '../../platform/ids.ts';
import type { FormSettings } from './form.ts';
import { defaultRetention } from './retention.ts';
import { naming } from './vanity-url.ts';
import { addVersion } from './versions.ts';
import '../tables.ts';

export interface NewForm extends FormSettings {
  version: number;
  /** The number that it had in a system it was brought over from. */
  old_form_id: number | null;
  /** `default` is what the customer has chosen for new forms. */
  retention_days: number | null | 'default';
}

/** A form as it is where nothing is said: empty, and not public. */
export const BLANK_FORM: Omit<NewForm, 'title'> = {
  description: null,
  form_html: null,
  form_json: null,
  form_css: null,
  vanity_url: null,
  version: 1,
  active: false,
  old_form_id: null,
  recipient: null,
  signable: false,
  signature_confirmation_label: null,
  type: null,
  subscription_list_id: null,
  retention_days: 'default',
};

/** Makes a form with its first version and returns its id. */
export async function createForm(tx: Tx, { clock, act }: { clock: Clock; act: Act }, wanted: NewForm): Promise<string> {
  const id = unguessableId();
  const { customerId } = act;
  const now = clock.now();
  const { form_json: formJson, retention_days: days, ...columns } = wanted;
  const retentionDays = days === 'default' ? await defaultRetention(tx, customerId) : days;
  await naming(() =>
    tx
      .insertInto('forms')
      .values({
        ...columns,
        retention_days: retentionDays,
        id,
        customer_id: customerId,
        form_json: formJson === null ? null : JSON.stringify(formJson),
        deleted: false,
        archived: false,
        created_at: now,
        updated_at: now,
      })
      .execute(),
  );
  await addVersion(tx, { formId: id, customerId, version: wanted.version, at: now }, wanted);
  await tx.insertInto('form_counts').values({ form_id: id, customer_id: customerId, submission_count: 0 }).execute();
  await recordAct(tx, clock, act, { target: id, details: { version: wanted.version } });
  return id;
}
