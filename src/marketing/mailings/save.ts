import { isDeepStrictEqual } from 'node:util';
import { recordAct } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import { violatedConstraint } from '../../platform/db/failure.ts';
import { AppError } from '../../platform/errors.ts';
import { listFieldTypes } from '../fields/field-types.ts';
import { BLANK, type Mailing, type MailingContent, subjectLine, type TemplateType } from './mailing.ts';
import { prepareMailing } from './prepare.ts';
import type { MailingChange } from './read-mailing.ts';
import '../tables.ts';

interface Deps {
  clock: Clock;
  act: Act;
}

/** Makes a mailing with its first version and answers its id. */
export async function createMailing(
  tx: Tx,
  { clock, act }: Deps,
  { subject, templateType = 'html', content }: MailingChange & { subject: string },
): Promise<number> {
  const now = clock.now();
  const { id } = await tx
    .insertInto('campaign_mailings')
    .values({
      customer_id: act.customerId,
      subject,
      template_type: templateType,
      version: 1,
      created_at: now,
      updated_at: now,
      deleted_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
    .catch(refuseTaken);
  await addVersion(tx, { clock, act }, { id, version: 1, subject, templateType, content: { ...BLANK, ...content } });
  await recordAct(tx, clock, act, { target: String(id), details: { version: 1 } });
  return id;
}

/**
 * Changes a mailing and answers when it was changed last; other content is another version, and a send that is under way
 * keeps to its own.
 */
export async function changeMailing(
  tx: Tx,
  { clock, act }: Deps,
  before: Mailing,
  { subject = before.subject, templateType = before.template_type, content }: MailingChange,
): Promise<Date> {
  const was = contentOf(before);
  const after = { ...was, ...content };
  const isSame = subject === before.subject && templateType === before.template_type && isDeepStrictEqual(after, was);
  if (isSame) return before.updated_at;
  const version = before.version + 1;
  const updatedAt = clock.now();
  await tx
    .updateTable('campaign_mailings')
    .set({ subject, template_type: templateType, version, updated_at: updatedAt })
    .where('customer_id', '=', act.customerId)
    .where('id', '=', before.id)
    .execute()
    .catch(refuseTaken);
  await addVersion(tx, { clock, act }, { id: before.id, version, subject, templateType, content: after });
  await recordAct(tx, clock, act, { target: String(before.id), details: { version } });
  return updatedAt;
}

interface NewVersion {
  id: number;
  version: number;
  subject: string;
  templateType: TemplateType;
  content: MailingContent;
}

async function addVersion(tx: Tx, { clock, act }: Deps, { id, version, subject, templateType, content }: NewVersion) {
  const { customerId } = act;
  const line = subjectLine({ subject, default_subject: content.default_subject });
  const prepared = prepareMailing(templateType, content, line, await listFieldTypes(tx, customerId));
  await tx
    .insertInto('mailing_versions')
    .values({
      ...content,
      mailing_id: id,
      version,
      customer_id: customerId,
      blocks: json(content.blocks),
      form_data: json(content.form_data),
      prepared: json(prepared),
      created_at: clock.now(),
    })
    .execute();
}

function json(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}

function contentOf(mailing: Mailing): MailingContent {
  return Object.fromEntries(
    Object.keys(BLANK).map((name) => [name, mailing[name as keyof MailingContent]]),
  ) as unknown as MailingContent;
}

function refuseTaken(error: unknown): never {
  if (violatedConstraint(error) === null) throw error;
  throw new AppError('unprocessable', 'campaign_mailing.subject is taken', {
    fields: { 'campaign_mailing.subject': ['is taken'] },
  });
}
