import type { FormVersion } from '../definition/compiled-versions.ts';
import type { Heading } from '../definition/heading.ts';
import { languagesOf, translateForm } from '../model/translate.ts';
import type { Submission } from './submission.ts';

/** How a form was headed when it was filled in, and in which language. The version of a form has neither. */
export interface ShownForm extends Heading {
  language: string;
}

/** How a form is shown in a language; in its own where none was chosen. */
export function shownForm(version: FormVersion, heading: Heading, chosen: string | null): ShownForm {
  const [own = 'en'] = languagesOf(version.form_json);
  const language = chosen ?? own;
  const told = { ...heading, label: null, model: version.model };
  const { title, description } = translateForm(told, version.form_json, language);
  return { title, description, language };
}

/**
 * The form of a submission as it was shown, its questions in the language in which they were asked. Older submissions
 * did not keep that: the form is headed as it is now then.
 */
export function asShown(
  { shown }: Pick<Submission, 'shown'>,
  version: FormVersion,
  now: Heading,
): ShownForm & Pick<FormVersion, 'model'> {
  const { title, description, language } = shown ?? shownForm(version, now, null);
  const told = { title, description, label: null, model: version.model };
  return { title, description, language, model: translateForm(told, version.form_json, language).model };
}
