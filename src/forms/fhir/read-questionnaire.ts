import { isPlain, type Plain, textIn } from '../model/compile/settings.ts';
import { explainForm, type Note } from '../model/compile.ts';
import { extensionsOf, ownValue, STANDARD } from './extensions.ts';
import { kindOf } from './kinds-of-items.ts';
import { findingLinkIds, ItemReader, itemsIn } from './read-items.ts';
import { readValueSets } from './read-options.ts';
import { readSigners } from './read-signers.ts';
import { readTranslations } from './read-translations.ts';
import { requireFormSize, requireReadable } from './readable-size.ts';
import { ReadingNotes } from './reading-notes.ts';

/** A form as a Questionnaire describes it. */
export interface ReadForm {
  title: string;
  description: string | null;
  form_json: Record<string, unknown>;
  signable: boolean;
  signature_confirmation_label: string | null;
  /** What could not be carried over, by linkId, or by the place in form_json. */
  notes: Note[];
}

const UNTITLED = 'Untitled form';
const LONGEST_TITLE = 500;
const LONGEST_TEXT = 10_000;

/** Makes a form of a Questionnaire of FHIR R4, ours or another's. It takes any JSON, and refuses only what is too much. */
export function fromQuestionnaire(questionnaire: unknown): ReadForm {
  const root = isPlain(questionnaire) ? questionnaire : {};
  const valueSets = readValueSets(root['contained']);
  requireReadable(root, valueSets);
  const notes = new ReadingNotes(valueSets);
  if (root['resourceType'] !== 'Questionnaire') notes.add({}, 'this is no Questionnaire');
  const form = formJsonOf(root, notes);
  requireFormSize(form);
  const title = textIn(root['title']) ?? textIn(root['name']) ?? UNTITLED;
  const description = textIn(root['description']);
  if (title.length > LONGEST_TITLE) notes.add({}, `the title was cut to ${LONGEST_TITLE} characters`);
  if ((description?.length ?? 0) > LONGEST_TEXT) {
    notes.add({}, `the description was cut to ${LONGEST_TEXT} characters`);
  }
  return {
    title: cut(title, LONGEST_TITLE),
    description: description === null ? null : cut(description, LONGEST_TEXT),
    form_json: form,
    signable: extensionsOf(root, STANDARD.signatureRequired).length > 0,
    signature_confirmation_label: cut(textIn(ownValue(root, 'signature-label')) ?? '', LONGEST_TEXT) || null,
    notes: [...notes.notes, ...(isAnyAnswers(root) ? [] : explainForm(form).notes)],
  };
}

function formJsonOf(root: Plain, notes: ReadingNotes): Record<string, unknown> {
  const translations = readTranslations(root);
  const language = textIn(root['language']);
  const signers = readSigners(root);
  return {
    ...(ownValue(root, 'takes-files') === false ? { attachments: false } : {}),
    ...(language === null || language === 'en' ? {} : { language }),
    ...(translations === undefined ? {} : { translations }),
    ...(signers.length === 0 ? {} : { signers }),
    ...(isAnyAnswers(root) ? {} : { pages: readPages(root, new ItemReader(findingLinkIds(root), notes), notes) }),
  };
}

/** Pages, and one of its own for whatever stands before, between or behind them. */
function readPages(root: Plain, reader: ItemReader, notes: ReadingNotes): Plain[] {
  const pages: Plain[] = [];
  let loose: Plain[] | null = null;
  for (const item of itemsIn(root)) {
    if (kindOf(item, notes) === 'page') {
      pages.push(reader.page(item));
      loose = null;
      continue;
    }
    if (loose === null) {
      loose = [];
      pages.push({ id: `page-${pages.length + 1}`, fields: loose });
    }
    for (const element of reader.all([item], { depth: 1, isInGroup: false })) loose.push(element);
  }
  return pages;
}

function isAnyAnswers(root: Plain): boolean {
  return ownValue(root, 'any-answers') === true;
}

/** The beginning of a text, without half a character at its end. */
function cut(text: string, most: number): string {
  return text.slice(0, most).toWellFormed();
}
