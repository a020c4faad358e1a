import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import type { Page } from '../read-page.ts';
import { SEND_COUNTS, SENDS_WITH_COUNTS, type SendCounts } from './counts.ts';
import type { Period } from './read-period.ts';
import { inScope, type Scope } from './scope.ts';
import '../tables.ts';

/** A send with what it was, whom it went to and what has become of it. */
export interface SendRow extends SendCounts {
  id: number;
  mailing_id: number;
  subject: string;
  /** Of the list or segment; null where it went to addresses. */
  list_name: string | null;
  state: string;
  started_at: Date | null;
  finished_at: Date | null;
}

export const SEND_ORDERS = [
  'id',
  'started_at',
  'finished_at',
  'subject',
  'list_name',
  'state',
  'sent',
  'delivered',
  'viewed',
  'clicked',
  'bounced',
  'unsubscribed',
  'campaign_mailing_id',
  'created_at',
  'sent_at',
  'subscription_list_name',
  'marketing_email_id',
] as const;

/** What an order goes by that is not called as its column; the last four are names that clients know from elsewhere. */
const COLUMNS: Partial<Record<SendOrder['orderBy'], keyof SendRow>> = {
  campaign_mailing_id: 'mailing_id',
  created_at: 'id',
  sent_at: 'started_at',
  subscription_list_name: 'list_name',
  marketing_email_id: 'mailing_id',
};

export interface SendChoice {
  scope: Scope;
  /** What the subject has to hold, ignoring case. */
  search: string | null;
  /** Within which a send was under way; those of drips go on for as long as the drip runs. */
  period: Period;
}

export interface SendOrder {
  orderBy: (typeof SEND_ORDERS)[number];
  order: 'asc' | 'desc';
}

/** One page of the sends. */
export async function listSendRows(
  tx: Tx,
  choice: SendChoice,
  { orderBy, order, page, items }: SendOrder & Page,
): Promise<SendRow[]> {
  const direction = sql.raw(order);
  const column = COLUMNS[orderBy] ?? orderBy;
  const { rows } = await sql<SendRow>`
    select * from (${rowsOf(choice)}) n order by n.${sql.ref(column)} ${direction} nulls last, n.id ${direction}
    limit ${items} offset ${(page - 1) * items}`.execute(tx);
  return rows;
}

/** The sends that come before one, newest first; the newest of all where none is named. */
export async function sendRowsBefore(
  tx: Tx,
  choice: SendChoice,
  last: SendRow | null,
  items: number,
): Promise<SendRow[]> {
  const { rows } = await sql<SendRow>`
    select * from (${rowsOf(choice)}) n where ${last?.id ?? null}::bigint is null or n.id < ${last?.id ?? null}
    order by n.id desc limit ${items}`.execute(tx);
  return rows;
}

/** How many sends there are. */
export async function countSendRows(tx: Tx, choice: SendChoice): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from campaign_mailing_sends s
    join campaign_mailings m on m.customer_id = s.customer_id and m.id = s.mailing_id where ${fits(choice)}`.execute(
    tx,
  );
  return rows[0]?.total ?? 0;
}

function rowsOf(choice: SendChoice) {
  return sql`
    select s.id, s.mailing_id, m.subject, coalesce(l.name, g.name) as list_name, s.state, s.started_at, s.finished_at,
      ${SEND_COUNTS}
    from ${SENDS_WITH_COUNTS}
    join campaign_mailings m on m.customer_id = s.customer_id and m.id = s.mailing_id
    left join subscription_lists l on l.customer_id = s.customer_id and l.id = s.subscription_list_id
    left join segments g on g.customer_id = s.customer_id and g.id = s.segment_id
    where ${fits(choice)}`;
}

function fits({ scope, search, period: { start, end } }: SendChoice) {
  const holds = search === null ? sql`true` : sql`strpos(lower(m.subject), lower(${search})) > 0`;
  const begun = end === null ? sql`true` : sql`s.started_at < ${end}`;
  const goesOn = start === null ? sql`true` : sql`(s.finished_at is null or s.finished_at >= ${start})`;
  return sql`${inScope(scope)} and ${holds} and ${begun} and ${goesOn}`;
}
