import type { FormVersion } from '../definition/compiled-versions.ts';
import type { Form } from '../definition/form.ts';
import type { FormModel } from '../model/form-model.ts';
import { languagesOf } from '../model/translate.ts';
import { ownUrl } from './extensions.ts';
import { fhirText } from './fhir-text.ts';
import { itemsOf } from './items.ts';
import { LinkIds } from './link-ids.ts';
import type { Extension, Questionnaire } from './resources.ts';
import { signingExtensions } from './signing-extensions.ts';
import { translated, translationsOf, withTranslations } from './translations.ts';

/** What of a form is told beside its version. */
export type AboutForm = Pick<Form, 'id' | 'title' | 'description' | 'active' | 'archived'>;

/** Where the Questionnaire of a form is: its canonical name, the same for all its versions and titles. */
export function canonicalUrl(publicUrl: string, formId: string): string {
  return `${publicUrl}/v1/forms/api/forms/${formId}/fhir/Questionnaire`;
}

/** A version of a form as a Questionnaire of FHIR R4, from which `fromQuestionnaire` makes the same form again. */
export function toQuestionnaire(
  form: AboutForm,
  version: FormVersion & { created_at: Date },
  publicUrl: string,
): Questionnaire {
  const description = fhirText(form.description);
  const { model, signature_confirmation_label: label } = version;
  const others = translationsOf({ ...form, label, model }, version.form_json);
  const links = new LinkIds(
    model,
    [...others.values()].map((other) => other.model),
  );
  const items = withTranslations(
    itemsOf(model, links),
    mapped(others, (other) => itemsOf(other.model, links)),
  );
  const [title, describing] = [
    translated(
      form.title,
      mapped(others, (other) => other.title),
    ),
    translated(
      form.description,
      mapped(others, (other) => other.description),
    ),
  ];
  const labels = mapped(others, (other) => other.label);
  const extension = [...signingExtensions(version, labels), ...ofWhole(model)];
  return {
    resourceType: 'Questionnaire',
    id: form.id,
    language: languagesOf(version.form_json)[0] ?? 'en',
    ...(extension.length === 0 ? {} : { extension }),
    url: canonicalUrl(publicUrl, form.id),
    version: String(version.version),
    title: fhirText(form.title) ?? 'Form',
    ...(title === null ? {} : { _title: title }),
    status: form.archived ? 'retired' : form.active ? 'active' : 'draft',
    date: version.created_at.toISOString(),
    ...(description === undefined ? {} : { description }),
    ...(describing === null ? {} : { _description: describing }),
    ...(items.length === 0 ? {} : { item: items }),
  };
}

function mapped<T, R>(map: ReadonlyMap<string, T>, make: (value: T) => R): Map<string, R> {
  return new Map([...map].map(([key, value]) => [key, make(value)]));
}

function ofWhole({ shape, takesFiles }: FormModel): Extension[] {
  return [
    ...(takesFiles ? [] : [{ url: ownUrl('takes-files'), valueBoolean: false }]),
    ...(shape === 'unknown' ? [{ url: ownUrl('any-answers'), valueBoolean: true }] : []),
  ];
}
