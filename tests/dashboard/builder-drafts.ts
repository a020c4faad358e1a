import assert from 'node:assert/strict';
import type { Draft } from '../../web/forms/builder/draft/draft.ts';
import { readDraft } from '../../web/forms/builder/draft/read-draft.ts';
import { allElements } from '../../web/forms/builder/draft/tree.ts';
import { writeDraft } from '../../web/forms/builder/draft/write-draft.ts';

/** What a form is written as. */
export type Json = Record<string, unknown>;

/** A form of this JSON, opened for changes. */
export const draftOf = (json: Json): Draft =>
  readDraft({
    title: 'Intake',
    description: null,
    recipient: null,
    subscription_list_id: null,
    signable: false,
    signature_confirmation_label: null,
    form_html: null,
    form_css: null,
    form_json: json,
  });
/** What a draft is written as. */
export const jsonOf = (draft: Draft) => writeDraft(draft).json;
/** The key of the question of a name. */
export const keyOf = (draft: Draft, name: string) => {
  const found = allElements(draft).find(({ element }) => (element.raw as Json)['name'] === name);
  return found?.element.key ?? assert.fail(`no ${name}`);
};
