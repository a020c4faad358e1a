import { isPlain } from '../model/compile/settings.ts';
import { fhirText } from './fhir-text.ts';
import type { Extension } from './resources.ts';

const CORE = 'http://hl7.org/fhir/StructureDefinition';

/** The extensions of FHIR that are written and read. */
export const STANDARD = {
  minLength: `${CORE}/minLength`,
  regex: `${CORE}/regex`,
  minValue: `${CORE}/minValue`,
  maxValue: `${CORE}/maxValue`,
  maxSize: `${CORE}/maxSize`,
  mimeType: `${CORE}/mimeType`,
  ordinalValue: `${CORE}/ordinalValue`,
  itemWeight: `${CORE}/itemWeight`,
  itemControl: `${CORE}/questionnaire-itemControl`,
  minOccurs: `${CORE}/questionnaire-minOccurs`,
  maxOccurs: `${CORE}/questionnaire-maxOccurs`,
  hidden: `${CORE}/questionnaire-hidden`,
  translation: `${CORE}/translation`,
  unit: `${CORE}/questionnaire-unit`,
  signatureRequired: `${CORE}/questionnaire-signatureRequired`,
  signature: `${CORE}/questionnaireresponse-signature`,
  cqfExpression: `${CORE}/cqf-expression`,
  calculated: 'http://hl7.org/fhir/uv/sdc/StructureDefinition/sdc-questionnaire-calculatedExpression',
} as const;

/** Our own extensions: what a form says and FHIR has no word for. */
export type OwnName =
  | 'kind'
  | 'id'
  | 'name'
  | 'value'
  | 'constant'
  | 'score'
  | 'column'
  | 'show-when'
  | 'require-when'
  | 'formula'
  | 'prefill'
  | 'deidentify'
  | 'accept'
  | 'unique'
  | 'format'
  | 'multiple-of'
  | 'only'
  | 'takes-files'
  | 'any-answers'
  | 'signature-label'
  | 'signer'
  | 'signer-role'
  | 'answer'
  | 'attachment'
  | 'sha256'
  | 'signature-method'
  | 'consent-text'
  | 'form-hash'
  | 'answers-hash'
  | 'proof';

const OWN = 'urn:carepost:fhir:';

/** The address of an extension of ours. */
export function ownUrl(name: OwnName): string {
  return OWN + name;
}

/** An extension of ours with a text; none where there is nothing to say. */
export function ownText(name: OwnName, text: string | null): Extension[] {
  const valueString = fhirText(text);
  return valueString === undefined ? [] : [{ url: ownUrl(name), valueString }];
}

/** How an item is shown, by the codes of FHIR. */
export function itemControl(code: string): Extension {
  const coding = [{ system: 'http://hl7.org/fhir/questionnaire-item-control', code }];
  return { url: STANDARD.itemControl, valueCodeableConcept: { coding } };
}

/** The type of every signature: that of whoever answered. */
export const AUTHOR_SIGNATURE = {
  system: 'urn:iso-astm:E1762-95:2013',
  code: '1.2.840.10065.1.12.1.1',
  display: "Author's Signature",
};

/** The extensions with an address that a part of any JSON has. */
export function extensionsOf(part: unknown, url: string): Record<string, unknown>[] {
  const list = isPlain(part) ? part['extension'] : undefined;
  return Array.isArray(list) ? list.filter(isPlain).filter((each) => each['url'] === url) : [];
}

/** The value that the first of them has, whatever its type. */
export function valueOf(part: unknown, url: string): unknown {
  const [first] = extensionsOf(part, url);
  return Object.entries(first ?? {}).find(([key]) => key.startsWith('value'))?.[1];
}

/** The text, number or yes and no of an extension of ours. */
export function ownValue(part: unknown, name: OwnName): unknown {
  return valueOf(part, ownUrl(name));
}
