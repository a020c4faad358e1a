import type { Tx } from '../../platform/db/database.ts';
import type { Definition } from './form.ts';
import '../tables.ts';

const PARTS = ['form_html', 'form_json', 'form_css', 'signable', 'signature_confirmation_label'] as const;

/** Whether two definitions say the same, to the letter and order of their keys. */
export function isSameDefinition(one: Definition, other: Definition): boolean {
  return PARTS.every((part) => JSON.stringify(one[part]) === JSON.stringify(other[part]));
}

/** Writes a version of a form, which nothing changes afterwards. */
export async function addVersion(
  tx: Tx,
  of: { formId: string; customerId: number; version: number; at: Date },
  definition: Definition,
): Promise<void> {
  await tx
    .insertInto('form_versions')
    .values({
      form_id: of.formId,
      version: of.version,
      customer_id: of.customerId,
      form_html: definition.form_html,
      form_json: definition.form_json === null ? null : JSON.stringify(definition.form_json),
      form_css: definition.form_css,
      signable: definition.signable,
      signature_confirmation_label: definition.signature_confirmation_label,
      created_at: of.at,
    })
    .execute();
}

/** One version of a form, or undefined. */
export async function readVersion(tx: Tx, customerId: number, formId: string, version: number) {
  return tx
    .selectFrom('form_versions')
    .select(['version', ...PARTS])
    .where('customer_id', '=', customerId)
    .where('form_id', '=', formId)
    .where('version', '=', version)
    .executeTakeFirst();
}

/** The numbers of a form's versions, the newest first. */
export async function listVersionNumbers(tx: Tx, customerId: number, formId: string): Promise<number[]> {
  const rows = await tx
    .selectFrom('form_versions')
    .select('version')
    .where('customer_id', '=', customerId)
    .where('form_id', '=', formId)
    .orderBy('version', 'desc')
    .execute();
  return rows.map(({ version }) => version);
}
