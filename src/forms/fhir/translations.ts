import type { FormModel } from '../model/form-model.ts';
import { languagesOf, translateForm } from '../model/translate.ts';
import { STANDARD } from './extensions.ts';
import { fhirText } from './fhir-text.ts';
import type { Extension, QuestionnaireItem, Translated } from './resources.ts';

/** What is told of a form in all its languages. */
interface Told {
  title: string;
  description: string | null;
  label: string | null;
  model: FormModel;
}

/** A form in each of its languages but its own, by the tag of the language. */
export function translationsOf(told: Told, formJson: unknown): Map<string, Told> {
  const [, ...others] = languagesOf(formJson);
  return new Map(others.map((language) => [language, translateForm(told, formJson, language)]));
}

/** The element beside a text that holds what it is in other languages; none where it is the same in all. */
export function translated(own: string | null | undefined, others: ReadonlyMap<string, string | null | undefined>) {
  const extension = [...others].flatMap(([language, other]): Extension[] => {
    const content = fhirText(other);
    if (content === undefined || content === fhirText(own)) return [];
    const parts = [
      { url: 'lang', valueCode: language },
      { url: 'content', valueString: content },
    ];
    return [{ url: STANDARD.translation, extension: parts }];
  });
  return extension.length === 0 ? null : ({ extension } satisfies Translated);
}

/**
 * Items with their texts in other languages: the same items, written from a form in each of these under the same linkIds,
 * so that each stands in the same place.
 */
export function withTranslations(
  items: readonly QuestionnaireItem[],
  others: ReadonlyMap<string, readonly QuestionnaireItem[]>,
): QuestionnaireItem[] {
  return items.map((item, at) => {
    const same = new Map([...others].map(([language, list]) => [language, list[at]]));
    const text = translated(
      item.text,
      each(same, (other) => other?.text),
    );
    const inside = withTranslations(
      item.item ?? [],
      each(same, (other) => other?.item ?? []),
    );
    const options = item.answerOption?.map((option, i) => {
      const labels = each(same, (other) => other?.answerOption?.[i]?.valueCoding.display);
      const display = translated(option.valueCoding.display, labels);
      return display === null ? option : { ...option, valueCoding: { ...option.valueCoding, _display: display } };
    });
    return {
      ...item,
      ...(text === null ? {} : { _text: text }),
      ...(options === undefined ? {} : { answerOption: options }),
      ...(inside.length === 0 ? {} : { item: inside }),
    };
  });
}

function each<T, R>(map: ReadonlyMap<string, T>, make: (value: T) => R): Map<string, R> {
  return new Map([...map].map(([key, value]) => [key, make(value)]));
}
