import { createHash } from 'node:crypto';
import type { Database } from '../../platform/db/database.ts';
import { compileForm } from '../model/compile.ts';
import type { FormModel, Item } from '../model/form-model.ts';
import { readVersion } from './versions.ts';

/** What one version of a form asks. */
export interface VersionModel {
  version: number;
  model: FormModel;
}

/**
 * What versions of a form ask. They are read one by one, so that others have their turn, and what is asked in the same words in
 * many of them is kept once: a form that was changed a thousand times is hardly larger than one that never was.
 */
export async function readModels(
  db: Database,
  { customerId, formId }: { customerId: number; formId: string },
  versions: readonly number[],
): Promise<VersionModel[]> {
  const models: VersionModel[] = [];
  const known = new Map<string, Item>();
  for (const version of versions) {
    const row = await db.tenant([customerId], (tx) => readVersion(tx, customerId, formId, version));
    if (row !== undefined) models.push({ version, model: shareItems(compileForm(row.form_json), known) });
  }
  return models;
}

function shareItems(model: FormModel, known: Map<string, Item>): FormModel {
  function share(item: Item): Item {
    if (item.kind === 'section') return { ...item, items: item.items.map(share) };
    const print = createHash('sha256').update(JSON.stringify(item)).digest('base64');
    const same = known.get(print) ?? item;
    known.set(print, same);
    return same;
  }
  return { ...model, pages: model.pages.map((page) => ({ ...page, items: page.items.map(share) })) };
}
