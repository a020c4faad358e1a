import { AppError } from '../../platform/errors.ts';
import type { FieldType } from '../fields/field-type.ts';
import { ContentMistake } from './content/mistake.ts';
import { type BodySource, checkPrepared, type PreparedContent, prepareContent } from './content/prepare-content.ts';
import { classesOf } from './field-classes.ts';
import type { Mailing, MailingContent, TemplateType } from './mailing.ts';

/** What the parts of a mailing are called where they are sent to us. */
const SENT_AS: Record<string, string> = { html: 'html_part', mjml: 'mjml_part', text: 'text_part' };
const SUBJECT = 'campaign_mailing.default_subject';

/** Makes what a mailing says ready to be sent, or refuses it naming the place; null where it says nothing yet. */
export function prepareMailing(
  templateType: TemplateType,
  content: MailingContent,
  subject: string,
  types: readonly FieldType[],
  subjectField = SUBJECT,
): PreparedContent | null {
  const body = bodyOf(templateType, content);
  if (body === null) return null;
  const source = { body, subject, preheader: content.preheader, text: content.text_part };
  const { html, text, preheader } = refusing(() => prepareContent(source, classesOf(types)), subjectField);
  return { subject, preheader, html, text };
}

/** What was made ready before, once it is known that it may still be sent, under a subject of its own or another. */
export function requireStillSendable(
  { prepared, mjml_part: mjml }: Pick<Mailing, 'prepared' | 'mjml_part'>,
  subject: string | undefined,
  types: readonly FieldType[],
): PreparedContent | null {
  if (prepared === null) return null;
  const content = { ...prepared, subject: subject ?? prepared.subject };
  refusing(() => checkPrepared(content, mjml, classesOf(types)));
  return content;
}

/**
 * The fields that a send may write: none about health where one of them would stand in a place for none, as one does that was
 * made under a name that the subject already had.
 */
export function fieldsToTell(
  content: PreparedContent,
  mjml: string | null,
  types: readonly FieldType[],
): readonly FieldType[] {
  try {
    checkPrepared(content, mjml, classesOf(types));
    return types;
  } catch (error) {
    if (!(error instanceof ContentMistake)) throw error;
    return types.filter((type) => type.class !== 'phi');
  }
}

function refusing<T>(work: () => T, subjectField = SUBJECT): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ContentMistake)) throw error;
    const field = error.part === 'subject' ? subjectField : `campaign_mailing.${SENT_AS[error.part] ?? error.part}`;
    throw new AppError('unprocessable', error.message, { fields: { [field]: [error.told] } });
  }
}

/** What a mailing says, in the language that it is written in; null where it says nothing yet. */
export function bodyOf(
  templateType: TemplateType,
  { html_part: html, mjml_part: mjml, blocks, text_part: text }: MailingContent,
): BodySource | null {
  if (templateType === 'mjml') return mjml === null ? null : { mjml };
  if (templateType === 'blocks') return blocks === null ? null : { blocks };
  if (html !== null) return { html };
  return text === null ? null : { html: asHtml(text) };
}

/** A text as the HTML beside it. */
function asHtml(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<!doctype html><html><body><div style="white-space:pre-wrap">${escaped}</div></body></html>`;
}
