import { createHash } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { createGroupCommit } from '../../platform/db/group-commit.ts';
import { canonicalUuid, isUuid } from '../../platform/ids.ts';
import { compileForm } from '../model/compile.ts';
import type { FormModel } from '../model/form-model.ts';
import type { Definition } from './form.ts';
import { findVersion } from './versions.ts';

/** A form that anybody may fill in, as far as a submission needs it. */
export interface PublicForm {
  id: string;
  customerId: number;
  version: number;
  recipient: string | null;
  type: string | null;
  subscriptionListId: number | null;
}

/** One version of a form, compiled. */
export interface FormVersion extends Definition {
  version: number;
  model: FormModel;
  /** SHA-256 of the definition, by which a signature names what was signed. */
  hash: string;
}

export interface PublicForms {
  /** The form of an id; null where it is not public, for whatever reason. */
  find(id: string): Promise<PublicForm | null>;
  /** A version of a form, or null. */
  version(form: { id: string; customerId: number }, version: number): Promise<FormVersion | null>;
}

interface Row {
  id: string;
  customer_id: number;
  version: number;
  recipient: string | null;
  type: string | null;
  subscription_list_id: number | null;
}

const FIND = 'select * from find_public_forms($1::uuid[], $2::date)';
const MOST_COMPILED = 500;

/**
 * Looks forms up for those who have nothing but an id. A form that is closed is closed with the next request, so
 * nothing is cached; those who ask at the same time share a query. Versions never change and are kept.
 */
export function createPublicForms({ db, clock }: { db: Database; clock: Clock }): PublicForms {
  const lookUp = createGroupCommit<string, PublicForm | null>({
    commit: async (ids) => {
      const today = clock.now().toISOString().slice(0, 10);
      const rows = await db.call<Row>({ name: 'find-public-forms', text: FIND, values: [[...new Set(ids)], today] });
      const found = new Map(rows.map((row) => [row.id, row]));
      return ids.map((id) => describe(found.get(id)));
    },
    sizeOf: () => 1,
  });
  const compiled = new Map<string, FormVersion>();

  return {
    find: async (id) => (isUuid(id) ? lookUp(canonicalUuid(id)) : null),
    async version({ id, customerId }, version) {
      const name = `${id}/${version}`;
      const known = compiled.get(name);
      if (known !== undefined) return known;
      const row = await db.tenant([customerId], (tx) => findVersion(tx, customerId, id, version));
      if (row === undefined) return null;
      const made = compileVersion(row);
      const [oldest] = compiled.keys();
      if (compiled.size >= MOST_COMPILED && oldest !== undefined) compiled.delete(oldest);
      compiled.set(name, made);
      return made;
    },
  };
}

/** A version with its model and its fingerprint. */
export function compileVersion(row: Definition & { version: number }): FormVersion {
  const { form_json: json, form_html: html, form_css: css, signable, signature_confirmation_label: label } = row;
  const hash = createHash('sha256')
    .update(JSON.stringify([json, html, css, signable, label]))
    .digest('hex');
  return { ...row, model: compileForm(json), hash };
}

function describe(row: Row | undefined): PublicForm | null {
  if (row === undefined) return null;
  const { id, version, recipient, type } = row;
  return { id, customerId: row.customer_id, version, recipient, type, subscriptionListId: row.subscription_list_id };
}
