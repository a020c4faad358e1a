/** The parts of FHIR R4 that forms and submissions are written in. */

export interface Extension {
  url: string;
  extension?: Extension[];
  valueString?: string;
  _valueString?: Translated;
  valueCode?: string;
  valueBoolean?: boolean;
  valueInteger?: number;
  valueDecimal?: number;
  valueDate?: string;
  _valueDate?: { extension: Extension[] };
  valueCoding?: Coding;
  valueCodeableConcept?: { coding: Coding[] };
  valueExpression?: { language: string; expression: string };
  valueAttachment?: Attachment;
  valueSignature?: Signature;
}

/** What stands beside a text: the same in other languages. */
export interface Translated {
  extension: Extension[];
}

export interface Coding {
  extension?: Extension[];
  system?: string;
  code?: string;
  display?: string;
  _display?: Translated;
}

export interface Attachment {
  extension?: Extension[];
  contentType?: string;
  data?: string;
  url?: string;
  size?: number;
  title?: string;
}

export interface Signature {
  extension?: Extension[];
  type: Coding[];
  when: string;
  who: { display: string };
  sigFormat: string;
  data: string;
}

export interface Questionnaire {
  resourceType: 'Questionnaire';
  id: string;
  language?: string;
  extension?: Extension[];
  url: string;
  version: string;
  title: string;
  _title?: Translated;
  status: 'draft' | 'active' | 'retired';
  date: string;
  description?: string;
  _description?: Translated;
  item?: QuestionnaireItem[];
}

export type ItemType =
  | 'group'
  | 'display'
  | 'boolean'
  | 'decimal'
  | 'integer'
  | 'date'
  | 'time'
  | 'string'
  | 'text'
  | 'choice'
  | 'open-choice'
  | 'attachment';

export interface QuestionnaireItem {
  linkId: string;
  extension?: Extension[];
  text?: string;
  _text?: Translated;
  type: ItemType;
  enableWhen?: EnableWhen[];
  enableBehavior?: 'all' | 'any';
  required?: boolean;
  repeats?: boolean;
  readOnly?: boolean;
  maxLength?: number;
  answerOption?: { extension?: Extension[]; valueCoding: Coding }[];
  item?: QuestionnaireItem[];
}

export interface EnableWhen {
  question: string;
  operator: 'exists' | '=' | '!=' | '>' | '<' | '>=' | '<=';
  answerBoolean?: boolean;
  answerDecimal?: number;
  answerInteger?: number;
  answerDate?: string;
  answerString?: string;
  answerCoding?: Coding;
}

export interface QuestionnaireResponse {
  resourceType: 'QuestionnaireResponse';
  id: string;
  extension?: Extension[];
  questionnaire: string;
  status: 'completed' | 'amended';
  authored: string;
  item?: ResponseItem[];
}

export interface ResponseItem {
  linkId: string;
  extension?: Extension[];
  text?: string;
  answer?: ResponseAnswer[];
  item?: ResponseItem[];
}

export interface ResponseAnswer {
  valueBoolean?: boolean;
  valueDecimal?: number;
  valueInteger?: number;
  valueDate?: string;
  valueTime?: string;
  valueString?: string;
  valueCoding?: Coding;
  valueAttachment?: Attachment;
}
