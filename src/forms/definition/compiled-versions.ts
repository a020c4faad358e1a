import { createHash } from 'node:crypto';
import type { Database } from '../../platform/db/database.ts';
import { compileForm } from '../model/compile.ts';
import type { FormModel } from '../model/form-model.ts';
import type { Definition } from './form.ts';
import { readVersion } from './versions.ts';

/** One version of a form, compiled. */
export interface FormVersion extends Definition {
  version: number;
  model: FormModel;
  /** SHA-256 of the definition, by which a signature names what was signed. */
  hash: string;
}

/** Finds a version of a form, compiled; null where there is none. */
export type FindVersion = (form: { id: string; customerId: number }, version: number) => Promise<FormVersion | null>;

/** How long the definitions of all versions that are kept are together: about two thousand forms of everyday size. */
const MOST_CHARACTERS = 16 * 1024 * 1024;

/** Compiles versions when they are asked for first; they never change, and the latest of them are kept. */
export function createFindVersion(db: Database): FindVersion {
  const compiled = new Map<string, { made: FormVersion; length: number }>();
  let characters = 0;
  return async ({ id, customerId }, version) => {
    const name = `${id}/${version}`;
    const known = compiled.get(name);
    if (known !== undefined) return known.made;
    const row = await db.tenant([customerId], (tx) => readVersion(tx, customerId, id, version));
    if (row === undefined) return null;
    const made = compileVersion(row);
    const { length } = JSON.stringify(row);
    // Whoever asked at the same time may have put it there.
    characters += length - (compiled.get(name)?.length ?? 0);
    compiled.set(name, { made, length });
    for (const [oldest, old] of compiled) {
      if (characters <= MOST_CHARACTERS) break;
      compiled.delete(oldest);
      characters -= old.length;
    }
    return made;
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
