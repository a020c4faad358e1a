import { isPlain } from '../model/compile/settings.ts';
import type { Choice } from '../model/form-model.ts';
import { ownText, ownUrl, ownValue, STANDARD, valueOf } from './extensions.ts';
import { fhirCode, fhirText } from './fhir-text.ts';
import type { Coding, Extension, QuestionnaireItem } from './resources.ts';

/** A choice as FHIR names it; where its value is no code, the value itself stands beside. */
export function codingOf({ value, label }: Pick<Choice, 'value' | 'label'>): Coding {
  const code = fhirCode(value);
  const display = fhirText(label);
  return {
    ...(code === value ? {} : { extension: ownText('value', value) }),
    code,
    ...(display === undefined ? {} : { display }),
  };
}

/** The choices of a question; what one counts is its ordinal value. */
export function answerOptions(choices: readonly Choice[]): Pick<QuestionnaireItem, 'answerOption'> {
  if (choices.length === 0) return {};
  return {
    answerOption: choices.map((choice) => {
      const extension = extensionsOfChoice(choice);
      return { ...(extension.length === 0 ? {} : { extension }), valueCoding: codingOf(choice) };
    }),
  };
}

function extensionsOfChoice({ score, constant }: Choice): Extension[] {
  const extensions: Extension[] = [];
  if (score !== null) extensions.push({ url: STANDARD.ordinalValue, valueDecimal: score });
  if (typeof constant === 'number') extensions.push({ url: ownUrl('constant'), valueDecimal: constant });
  if (typeof constant === 'boolean') extensions.push({ url: ownUrl('constant'), valueBoolean: constant });
  return extensions;
}

/** The choice that a coding of any JSON names; null where it names none. */
export function choiceIn(coding: unknown): { value: string; label: string } | null {
  if (!isPlain(coding)) return null;
  const value = [ownValue(coding, 'value'), coding['code'], coding['display']].find(isText);
  if (value === undefined) return null;
  return { value, label: isText(coding['display']) ? coding['display'] : value };
}

/** What a choice counts, where one of the places that say so does. */
export function scoreIn(option: unknown, coding: unknown): number | null {
  const scores = [option, coding].flatMap((part) => [
    valueOf(part, STANDARD.ordinalValue),
    valueOf(part, STANDARD.itemWeight),
  ]);
  return scores.find((score) => typeof score === 'number') ?? null;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
