import { sql } from 'kysely';
import { recordAct } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { violatedConstraint } from '../../platform/db/failure.ts';
import { AppError } from '../../platform/errors.ts';
import type { OwnershipCheck } from '../../platform/http/ownership.ts';
import '../tables.ts';

/** What one version of a template says. */
export interface TemplateText {
  subject: string | null;
  body: string;
  strict: boolean;
  rawHtml: boolean;
}

export interface StoredTemplate extends TemplateText {
  id: number;
  name: string;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

export interface TemplateDeps {
  db: Database;
  clock: Clock;
  requireOwn: OwnershipCheck;
}

const COLUMNS = ['t.id', 't.name', 'v.version', 'v.subject', 'v.body', 'v.strict', 'v.raw_html'] as const;

/** Makes a template with its first version, in a transaction that is open. */
export async function createTemplate(
  tx: Tx,
  { clock, act }: { clock: Clock; act: Act },
  { name, ...text }: TemplateText & { name: string },
): Promise<number> {
  const now = clock.now();
  const { id } = await naming(() =>
    tx
      .insertInto('dynamic_templates')
      .values({ customer_id: act.customerId, name, version: 1, created_at: now, updated_at: now, deleted_at: null })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );
  await addVersion(tx, { clock, act }, { id, version: 1 }, text);
  await recordAct(tx, clock, act, { target: String(id), details: { version: 1 } });
  return id;
}

/** Changes a template: another text is another version, another name is not. */
export async function updateTemplate(
  tx: Tx,
  { clock, act }: { clock: Clock; act: Act },
  before: StoredTemplate,
  change: Partial<TemplateText & { name: string }>,
): Promise<StoredTemplate> {
  const after = { ...before, ...change };
  const sameText = (['subject', 'body', 'strict', 'rawHtml'] as const).every((part) => after[part] === before[part]);
  const version = sameText ? before.version : before.version + 1;
  const updatedAt = clock.now();
  await naming(() =>
    tx
      .updateTable('dynamic_templates')
      .set({ name: after.name, version, updated_at: updatedAt })
      .where('customer_id', '=', act.customerId)
      .where('id', '=', before.id)
      .execute(),
  );
  if (!sameText) await addVersion(tx, { clock, act }, { id: before.id, version }, after);
  await recordAct(tx, clock, act, { target: String(before.id), details: { version } });
  return { ...after, version, updatedAt };
}

async function addVersion(
  tx: Tx,
  { clock, act }: { clock: Clock; act: Act },
  { id, version }: { id: number; version: number },
  { subject, body, strict, rawHtml }: TemplateText,
): Promise<void> {
  await tx
    .insertInto('template_versions')
    .values({
      template_id: id,
      version,
      customer_id: act.customerId,
      subject,
      body,
      strict,
      raw_html: rawHtml,
      created_at: clock.now(),
    })
    .execute();
}

/** Lets nobody else change a template until the transaction ends. */
export async function lockTemplate(tx: Tx, customerId: number, id: number): Promise<void> {
  await tx
    .selectFrom('dynamic_templates')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('id', '=', id)
    .forUpdate()
    .execute();
}

/** Takes a template away; messages that used it keep what they said. */
export async function deleteTemplate(tx: Tx, { clock, act }: { clock: Clock; act: Act }, id: number): Promise<void> {
  await tx
    .updateTable('dynamic_templates')
    .set({ deleted_at: clock.now() })
    .where('customer_id', '=', act.customerId)
    .where('id', '=', id)
    .execute();
  await recordAct(tx, clock, act, { target: String(id) });
}

/** The template of an id with its newest version: 404 where there is none, 403 where it is another customer's. */
export async function findTemplate(
  tx: Tx,
  requireOwn: OwnershipCheck,
  customerId: number,
  id: number,
): Promise<StoredTemplate> {
  const owner = sql<number | null>`find_template_customer(${id})`;
  await requireOwn(tx, customerId, owner, 'No such template');
  const found = await newest(tx, customerId).where('t.id', '=', id).executeTakeFirst();
  return present(found);
}

/** The template of a name with its newest version. */
export async function findTemplateByName(tx: Tx, customerId: number, name: string): Promise<StoredTemplate> {
  return present(await newest(tx, customerId).where('t.name', '=', name).executeTakeFirst());
}

/** Every template of a customer, by name. */
export async function listTemplates(tx: Tx, customerId: number): Promise<{ id: number; name: string }[]> {
  return tx
    .selectFrom('dynamic_templates')
    .select(['id', 'name'])
    .where('customer_id', '=', customerId)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute();
}

/** Every version of a template, the newest first. */
export async function listVersions(tx: Tx, customerId: number, id: number) {
  return tx
    .selectFrom('template_versions')
    .select(['version', 'subject', 'body', 'strict', 'raw_html', 'created_at'])
    .where('customer_id', '=', customerId)
    .where('template_id', '=', id)
    .orderBy('version', 'desc')
    .execute();
}

function newest(tx: Tx, customerId: number) {
  return tx
    .selectFrom('dynamic_templates as t')
    .innerJoin('template_versions as v', (join) =>
      join
        .onRef('v.template_id', '=', 't.id')
        .onRef('v.version', '=', 't.version')
        .onRef('v.customer_id', '=', 't.customer_id'),
    )
    .select([...COLUMNS, 't.created_at', 't.updated_at'])
    .where('t.customer_id', '=', customerId)
    .where('t.deleted_at', 'is', null);
}

type Row = Awaited<ReturnType<ReturnType<typeof newest>['executeTakeFirstOrThrow']>>;

function present(row: Row | undefined): StoredTemplate {
  if (row === undefined) throw new AppError('not_found', 'No such template');
  const { raw_html: rawHtml, created_at: createdAt, updated_at: updatedAt, ...rest } = row;
  return { ...rest, rawHtml, createdAt, updatedAt };
}

async function naming<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (violatedConstraint(error) !== 'dynamic_templates_name') throw error;
    throw new AppError('unprocessable', 'name: another template has it', {
      fields: { name: ['another template has it'] },
    });
  }
}
