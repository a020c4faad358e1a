import type { Tx } from '../../platform/db/database.ts';
import { AppError, invalidField } from '../../platform/errors.ts';
import { compileVersion, type FormVersion } from '../definition/compiled-versions.ts';
import '../tables.ts';

/** A version of a form with the time at which it came to be. */
export interface PastVersion extends FormVersion {
  created_at: Date;
}

const LARGEST_VERSION = 2 ** 31 - 1;

/** The number of a version that a caller names. */
export function readVersionNumber(field: string, text: string): number {
  if (!/^[1-9]\d{0,9}$/.test(text) || Number(text) > LARGEST_VERSION) {
    throw invalidField(field, 'takes the number of a version');
  }
  return Number(text);
}

/** One version of a form of the customer. */
export async function findPastVersion(
  tx: Tx,
  customerId: number,
  formId: string,
  version: number,
): Promise<PastVersion> {
  const row = await versionsOf(tx, customerId, formId).where('version', '=', version).executeTakeFirst();
  if (row === undefined) throw new AppError('not_found', 'No such version');
  return { ...row, ...compileVersion(row) };
}

/** A page of the versions of a form, the newest first; the one before the last of them follows where there is one. */
export async function listPastVersions(
  tx: Tx,
  customerId: number,
  formId: string,
  { page, items }: { page: number; items: number },
): Promise<{ versions: PastVersion[]; before: PastVersion | null; total: number }> {
  const rows = await versionsOf(tx, customerId, formId)
    .orderBy('version', 'desc')
    .offset((page - 1) * items)
    .limit(items + 1)
    .execute();
  const { total } = await tx
    .selectFrom('form_versions')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('customer_id', '=', customerId)
    .where('form_id', '=', formId)
    .executeTakeFirstOrThrow();
  const versions = rows.map((row) => ({ ...row, ...compileVersion(row) }));
  return { versions: versions.slice(0, items), before: versions[items] ?? null, total };
}

function versionsOf(tx: Tx, customerId: number, formId: string) {
  return tx
    .selectFrom('form_versions')
    .select(['version', 'form_html', 'form_json', 'form_css', 'signable', 'signature_confirmation_label', 'created_at'])
    .where('customer_id', '=', customerId)
    .where('form_id', '=', formId);
}
