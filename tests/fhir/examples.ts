import { compileVersion, type FormVersion } from '../../src/forms/definition/compiled-versions.ts';
import { toQuestionnaire } from '../../src/forms/fhir/questionnaire.ts';
import type { QuestionnaireItem } from '../../src/forms/fhir/resources.ts';

export const PUBLIC_URL = 'https://clinic.example';

const FORM = {
  id: '0f8fad5b-d9cb-469f-a165-70867728950e',
  title: 'Intake',
  description: 'Before your visit',
  active: true,
  archived: false,
};

/** A version of a form that is signed as a whole. */
export function versionOf(formJson: Record<string, unknown>): FormVersion & { created_at: Date } {
  const definition = { form_json: formJson, form_html: null, form_css: null };
  const signed = { signable: true, signature_confirmation_label: 'All true.' };
  return { ...compileVersion({ version: 3, ...definition, ...signed }), created_at: new Date('2026-01-02T03:04:05Z') };
}

export function questionnaireOf(formJson: Record<string, unknown>) {
  return toQuestionnaire(FORM, versionOf(formJson), PUBLIC_URL);
}

/** Every item of a Questionnaire, those inside others too. */
export function everyItem({ item = [] }: { item?: QuestionnaireItem[] }): QuestionnaireItem[] {
  return item.flatMap((each) => [each, ...everyItem(each)]);
}
