import { type Static, Type } from 'typebox';
import { parseAddress } from '../../email/index.ts';
import { AppError, invalidField } from '../../platform/errors.ts';
import { type MailingContent, TEMPLATE_TYPES, type TemplateType } from './mailing.ts';

const LONGEST_SUBJECT = 500;
const LONGEST_PART = 512 * 1024;
const Text = Type.Union([Type.String(), Type.Null()]);

const Fields = Type.Object({
  subject: Type.Optional(Type.Union([Type.String({ description: 'What the mailing is called; unique' }), Type.Null()])),
  default_subject: Type.Optional(Type.Union([Type.String({ description: 'The subject line' }), Type.Null()])),
  preheader: Type.Optional(Text),
  from: Type.Optional(Text),
  reply_to: Type.Optional(Text),
  html_part: Type.Optional(Text),
  text_part: Type.Optional(Text),
  mjml_part: Type.Optional(Text),
  blocks: Type.Optional(Type.Unknown({ description: 'Blocks, where template_type is blocks' })),
  form_data: Type.Optional(Type.Unknown({ description: 'What an editor keeps; given back as it was' })),
  template_type: Type.Optional(Type.Union([Type.String({ description: TEMPLATE_TYPES.join(', ') }), Type.Null()])),
});

export const MailingBody = Type.Object({ campaign_mailing: Fields });

/** What is said of a mailing: only what was sent. */
export interface MailingChange {
  subject?: string;
  templateType?: TemplateType;
  content: Partial<MailingContent>;
}

/** Reads a mailing from its wire form, or throws naming the field that is wrong. */
export function readMailingChange({ campaign_mailing: wire }: Static<typeof MailingBody>): MailingChange {
  const text = (name: 'default_subject' | 'preheader' | 'html_part' | 'text_part' | 'mjml_part', longest: number) =>
    wire[name] === undefined ? {} : { [name]: textOf(name, wire[name], longest) };
  return {
    ...(wire.subject === undefined ? {} : { subject: readSubject(wire.subject) }),
    ...(wire.template_type === undefined || wire.template_type === null
      ? {}
      : { templateType: readType(wire.template_type) }),
    content: {
      ...text('default_subject', LONGEST_SUBJECT),
      ...text('preheader', LONGEST_SUBJECT),
      ...text('html_part', LONGEST_PART),
      ...text('text_part', LONGEST_PART),
      ...text('mjml_part', LONGEST_PART),
      ...(wire.from === undefined ? {} : { from_address: readMailbox('from', wire.from) }),
      ...(wire.reply_to === undefined ? {} : { reply_to: readMailbox('reply_to', wire.reply_to) }),
      ...(wire.blocks === undefined ? {} : { blocks: wire.blocks }),
      ...(wire.form_data === undefined ? {} : { form_data: wire.form_data }),
    },
  };
}

/** Reads a mailing to be made, which needs a subject. */
export function readNewMailing(body: Static<typeof MailingBody>): MailingChange & { subject: string } {
  const change = readMailingChange(body);
  return { ...change, subject: change.subject ?? readSubject(null) };
}

function readSubject(given: string | null): string {
  const subject = given?.trim() ?? '';
  const rule =
    subject === ''
      ? 'must not be empty'
      : subject.length > LONGEST_SUBJECT
        ? `takes at most ${LONGEST_SUBJECT} characters`
        : null;
  if (rule !== null || /[\r\n]/.test(subject)) throw unfit('subject', rule ?? 'takes one line');
  return subject;
}

function readType(text: string): TemplateType {
  const type = TEMPLATE_TYPES.find((each) => each === text);
  if (type === undefined) throw unfit('template_type', `takes ${TEMPLATE_TYPES.join(', ')}`);
  return type;
}

/** A mailbox as it will stand in a header. */
function readMailbox(field: string, given: string | null): string | null {
  const text = given?.trim() ?? '';
  if (text === '') return null;
  const parsed = parseAddress(text);
  if (parsed === null) throw unfit(field, 'is not a valid address');
  return parsed.name === null ? parsed.address : `${parsed.name} <${parsed.address}>`;
}

function textOf(field: string, given: string | null | undefined, longest: number): string | null {
  if ((given?.length ?? 0) > longest)
    throw invalidField(`campaign_mailing.${field}`, `takes at most ${longest} characters`);
  return given === undefined || given === null || given.trim() === '' ? null : given;
}

function unfit(name: string, rule: string): AppError {
  const field = `campaign_mailing.${name}`;
  return new AppError('unprocessable', `${field} ${rule}`, { fields: { [field]: [rule] } });
}
