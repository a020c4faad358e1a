import { invalidField } from '../../platform/errors.ts';
import { TemplateMistake } from './engine/mistake.ts';
import { parseTemplate, type TemplateKind } from './engine/parse.ts';
import type { TemplateText } from './store.ts';

const LONGEST_NAME = 255;
const LONGEST_SUBJECT = 998; // RFC 5322 2.1.1

/** The name of a template. */
export function readName(text: string): string {
  const name = text.trim();
  if (name === '' || name.length > LONGEST_NAME || /\p{Cc}/u.test(name)) {
    throw invalidField('name', `takes 1 to ${LONGEST_NAME} characters on one line`);
  }
  return name;
}

/** Throws, with line and column, unless body and subject can be rendered. */
export function checkText({ subject, body, rawHtml }: TemplateText): void {
  check('body', body, 'html', rawHtml);
  if (subject === null) return;
  if (subject.length > LONGEST_SUBJECT || /[\r\n]/.test(subject)) {
    throw invalidField('subject', `takes one line of at most ${LONGEST_SUBJECT} characters`);
  }
  check('subject', subject, 'header', false);
}

function check(field: string, source: string, kind: TemplateKind, rawHtml: boolean): void {
  try {
    parseTemplate(source, kind, { rawHtml });
  } catch (error) {
    throw error instanceof TemplateMistake ? invalidField(field, error.message) : error;
  }
}
