import type { QuestionKind } from '../form-model.ts';
import { folded } from './settings.ts';

/** What an element is: a kind of question, or something that holds, parts or decorates questions. */
export type ElementKind = QuestionKind | 'checkbox' | 'slider' | 'heading' | 'section' | 'page' | 'group' | 'ornament';

const WORDS: Record<ElementKind, string> = {
  text: 'text, short text, string, single line, single line text, input, text field, text input, short answer, name, full name, url',
  long_text:
    'long text, textarea, text area, paragraph, multiline, multi line, multi line text, long answer, comment, essay',
  number: 'number, integer, int, decimal, float, numeric, currency',
  email: 'email, email address',
  phone: 'phone, tel, telephone, phone number, mobile',
  date: 'date, date picker, dob, date of birth, birth date, day',
  time: 'time, time picker',
  address: 'address, postal address, street address, mailing address',
  select: 'select, dropdown, drop down list, dropdown list, combobox, picklist, single select',
  radio: 'radio, single choice, radio button, radio buttons, radio group, choice',
  checkboxes:
    'checkboxes, multiple choice, multi choice, checkbox group, multi select, multiple select, select boxes, checklist',
  checkbox: 'checkbox, check box',
  yes_no: 'yes no, boolean, bool, toggle, switch, true false',
  rating:
    'rating, scale, stars, star rating, likert, likert scale, nps, net promoter score, linear scale, opinion scale',
  slider: 'slider',
  matrix: 'matrix, grid, table, single choice grid',
  file: 'file, files, upload, file upload, attachment, attachments, image upload',
  signature: 'signature, e signature, signature pad, sign',
  consent: 'consent, agreement, terms, terms and conditions, acceptance',
  hidden: 'hidden, hidden field, object',
  unknown: 'unknown, anything',
  calculated: 'calculated, calculation, score, formula, computed',
  heading:
    'heading, header, title, subtitle, label text, paragraph text, html, html element, static, static text, content, rich text, label, description, info',
  section: 'section, fieldset, field set, group, panel, container, columns',
  page: 'page, page break, step',
  group: 'repeating group, repeating section, repeater, list, repeat, edit grid, data grid, repeatable group',
  ornament: 'button, submit, reset, captcha, recaptcha, divider, spacer, line, image',
};

const KINDS = new Map(
  Object.entries(WORDS).flatMap(([kind, words]) =>
    words.split(', ').map((word) => [folded(word), kind as ElementKind]),
  ),
);

/** What a type word means, or null where it is not known. */
export function kindOfWord(word: string): ElementKind | null {
  return KINDS.get(folded(word)) ?? null;
}
