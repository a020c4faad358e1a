import type { Tx } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { listFieldTypes } from '../../fields/field-types.ts';
import { fieldNamed } from '../../segments/filters/fields.ts';
import type { Asker } from '../../segments/filters/read-filters.ts';
import type { DateTrigger } from '../timing/occasions.ts';
import type { StartTrigger, TriggerSettings } from './drip.ts';
import { requireOwnForm } from './own-form.ts';

/** What is said of a trigger beside its name. */
export interface WishedTrigger {
  formId: string | null;
  date: DateTrigger | null;
}

/** What a trigger goes by, once it is known that it is there and may be used. A draft may leave it open until it is started. */
export async function bindTrigger(
  tx: Tx,
  asker: Asker,
  trigger: StartTrigger,
  { formId, date }: WishedTrigger,
): Promise<TriggerSettings> {
  if (formId !== null && trigger !== 'form_submitted') throw unfit('form_id', 'goes with start_trigger form_submitted');
  if (date !== null && trigger !== 'date_field') throw unfit('date', 'goes with start_trigger date_field');
  if (formId !== null) {
    await requireOwnForm(tx, asker, formId, 'drip_campaign.form_id');
    return { form_id: formId };
  }
  if (date === null) return {};
  return { date: { ...date, number: await numberOfDate(tx, asker, date.field) } };
}

/** The number of the field that holds a date; null for the day on which somebody came to be known. */
async function numberOfDate(tx: Tx, { customerId }: Asker, field: string): Promise<number | null> {
  const named = fieldNamed(field);
  if ('builtIn' in named && named.builtIn === 'created_at') return null;
  const types = 'custom' in named ? await listFieldTypes(tx, customerId) : [];
  const type = types.find(({ name }) => 'custom' in named && name === named.custom);
  if (type === undefined) throw unfit('date.field', 'takes created_at or a custom field');
  if (type.class === 'phi') throw unfit('date.field', 'is health data, which is sealed and cannot start a drip');
  if (type.kind !== 'date') throw unfit('date.field', 'takes a field of kind date');
  return type.number;
}

function unfit(name: string, rule: string): AppError {
  const field = `drip_campaign.${name}`;
  return new AppError('unprocessable', `${field} ${rule}`, { fields: { [field]: [rule] } });
}
