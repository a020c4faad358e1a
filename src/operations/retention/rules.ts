import { type RawBuilder, sql } from 'kysely';
import { type RetentionTimes, WAY_OUT_DAYS } from '../../accounts/index.ts';
import { firstIdAt } from '../../platform/ids.ts';

/** When rows of a table are over, for a class of records whose time ended before a moment. */
export interface Rule {
  table: string;
  keptFor: keyof Omit<RetentionTimes, 'auditYears' | 'contentDays' | 'sandboxDays'> | typeof A_MONTH;
  /** For how many days they are kept even where less was chosen. */
  atLeast?: number;
  over(before: Date, customerId: number): RawBuilder<boolean>;
  /** Where rows are kept that go with each of these, by its id. */
  beside?: { table: string; column: string };
}

/** What is over is kept for a month, so that it can be told. */
const A_MONTH = 30;
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const older = (column: string, before: Date) => sql<boolean>`${sql.ref(column)} < ${firstIdAt(before)}::uuid`;
const ended = (column: string, before: Date) => sql<boolean>`${sql.ref(column)} < ${before}`;
const alone = (rule: RawBuilder<boolean>, others: RawBuilder<unknown>) =>
  sql<boolean>`${rule} and not exists (${others})`;

/** In an order in which what refers to others goes before them. None of it is removed while anything is held. */
export const RULES: Rule[] = [
  {
    table: 'template_versions',
    keptFor: 'logDays',
    over: (before) => sql<boolean>`template_id in (select d.id from dynamic_templates d
      where d.customer_id = template_versions.customer_id and d.deleted_at < ${before})`,
  },
  { table: 'dynamic_templates', keptFor: 'logDays', over: (before) => ended('deleted_at', before) },
  {
    table: 'webhook_attempts',
    keptFor: 'webhookDays',
    over: (before) =>
      alone(
        older('delivery_id', before),
        sql`select from webhook_deliveries d
        where d.id = webhook_attempts.delivery_id and d.due_at is not null`,
      ),
  },
  {
    table: 'webhook_deliveries',
    keptFor: 'webhookDays',
    over: (before) => sql<boolean>`${older('id', before)} and due_at is null`,
  },
  {
    table: 'webhook_endpoints',
    keptFor: 'webhookDays',
    over: (before) =>
      alone(
        ended('deleted_at', before),
        sql`select from webhook_deliveries d
        where d.customer_id = webhook_endpoints.customer_id and d.endpoint_id = webhook_endpoints.id`,
      ),
  },
  {
    table: 'import_changes',
    keptFor: 'workDays',
    over: (before) => ofOldImport('import_changes', before),
  },
  { table: 'import_rejects', keptFor: 'workDays', over: (before) => ofOldImport('import_rejects', before) },
  {
    table: 'imports',
    keptFor: 'workDays',
    over: (before) =>
      alone(
        alone(
          sql<boolean>`${ended('finished_at', before)} and blob_id is null and state in ('done', 'failed', 'undone')`,
          ofImport('import_changes'),
        ),
        ofImport('import_rejects'),
      ),
  },
  {
    table: 'bulk_jobs',
    keptFor: 'workDays',
    over: (before) => sql<boolean>`${ended('finished_at', before)} and blob_id is null`,
  },
  {
    table: 'form_export_jobs',
    keptFor: 'workDays',
    over: (before) => sql<boolean>`${ended('finished_at', before)} and blob_id is null`,
  },
  {
    table: 'mailing_recipients',
    keptFor: 'marketingDays',
    atLeast: WAY_OUT_DAYS,
    over: (before) => sql<boolean>`${older('id', before)} and due_at is null and settled_at < ${before}`,
    beside: { table: 'delivery_attempts', column: 'message_id' },
  },
  {
    table: 'evidence_batches',
    keptFor: 'logDays',
    over: (before, customerId) =>
      // The ledger of a mailing may be kept for longer than the log; a batch proves nothing that came after it.
      alone(
        sql<boolean>`${older('id', before)} and id < coalesce((select r.id from mailing_recipients r
          where r.customer_id = ${customerId} and r.id < ${firstIdAt(before)}::uuid order by r.id limit 1), ${LAST_ID}::uuid)`,
        sql`select from messages m where m.customer_id = ${customerId} and m.id < ${firstIdAt(before)}::uuid`,
      ),
  },
  {
    table: 'mailing_link_clicks',
    keptFor: 'marketingDays',
    over: (before) => withoutRecipient('mailing_link_clicks', before),
  },
  {
    table: 'mailing_engagement',
    keptFor: 'marketingDays',
    over: (before) => withoutRecipient('mailing_engagement', before),
  },
  {
    table: 'drip_visits',
    keptFor: 'marketingDays',
    over: (
      before,
    ) => sql<boolean>`${older('enrolment_id', before)} and enrolment_id in (select e.id from drip_enrolments e
      where e.customer_id = drip_visits.customer_id and ${endedWay('e', before)})`,
  },
  {
    table: 'drip_enrolments',
    keptFor: 'marketingDays',
    over: (before) =>
      alone(
        endedWay('drip_enrolments', before),
        sql`select from drip_visits v
        where v.customer_id = drip_enrolments.customer_id and v.enrolment_id = drip_enrolments.id`,
      ),
  },
  {
    table: 'consent_changes',
    keptFor: 'marketingDays',
    over: (before) =>
      alone(
        alone(
          older('id', before),
          sql`select from subscribers s
          where s.customer_id = consent_changes.customer_id and s.id = consent_changes.subscriber_id`,
        ),
        // The last that is known of somebody is that they were removed: the proof is kept from then on.
        sql`select from consent_changes last where last.customer_id = consent_changes.customer_id
        and last.subscriber_id = consent_changes.subscriber_id and last.id >= ${firstIdAt(before)}::uuid`,
      ),
  },
  { table: 'user_setup_links', keptFor: A_MONTH, over: (before) => ended('expires_at', before) },
];

function ofOldImport(table: string, before: Date): RawBuilder<boolean> {
  return sql<boolean>`import_id in (select i.id from imports i where i.customer_id = ${sql.ref(`${table}.customer_id`)}
    and i.finished_at < ${before} and i.blob_id is null and i.state in ('done', 'failed', 'undone'))`;
}

/** Rows of an import, by which alone they are found. */
function ofImport(table: string): RawBuilder<unknown> {
  return sql`select from ${sql.table(table)} c where c.customer_id = imports.customer_id and c.import_id = imports.id`;
}

/** A way through a drip that has ended. While the drip goes on, it keeps whoever is there from getting a step again. */
function endedWay(way: string, before: Date): RawBuilder<boolean> {
  return alone(
    ended(`${way}.ended_at`, before),
    sql`select from drip_campaigns d join subscribers s on s.customer_id = d.customer_id
    where d.customer_id = ${sql.ref(`${way}.customer_id`)} and d.id = ${sql.ref(`${way}.drip_id`)}
      and d.state <> 'completed' and s.id = ${sql.ref(`${way}.subscriber_id`)}`,
  );
}

function withoutRecipient(table: string, before: Date): RawBuilder<boolean> {
  return alone(
    older('id', before),
    sql`select from mailing_recipients r
    where r.customer_id = ${sql.ref(`${table}.customer_id`)} and r.id = ${sql.ref(`${table}.id`)}`,
  );
}
