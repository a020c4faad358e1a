import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import { tellDrips } from '../drip/tell-drips.ts';
import type { Recipient } from './recipient.ts';
import '../tables.ts';

/** Counts an opening; the first by a person, and the first by a machine, count for the send. Drips hear of the former. */
export async function recordOpen(tx: Tx, clock: Clock, recipient: Recipient, byMachine: boolean): Promise<void> {
  const { id, customerId, sendId, mailingId, subscriberId } = recipient;
  const [opens, machineOpens] = byMachine ? [0, 1] : [1, 0];
  const { rows } = await sql<{ opens: number; machine_opens: number }>`
    insert into mailing_engagement as e
      (id, customer_id, send_id, mailing_id, subscriber_id, opens, machine_opens, first_opened_at)
    values (${id}, ${customerId}, ${sendId}, ${mailingId}, ${subscriberId}, ${opens}, ${machineOpens},
      ${byMachine ? null : clock.now()})
    on conflict (id) do update set opens = e.opens + excluded.opens,
      machine_opens = e.machine_opens + excluded.machine_opens,
      first_opened_at = coalesce(e.first_opened_at, excluded.first_opened_at)
    returning opens, machine_opens`.execute(tx);
  if (!byMachine && rows[0]?.opens === 1) await noteFirst(tx, clock, recipient, 'opened');
  if (byMachine && rows[0]?.machine_opens === 1) await countOnSend(tx, recipient, 'machine_opened');
}

/** Counts a click on a link; the first by a person counts for the send, and drips hear of it. */
export async function recordClick(
  tx: Tx,
  clock: Clock,
  recipient: Recipient,
  { link, byMachine }: { link: number; byMachine: boolean },
): Promise<void> {
  const { id, customerId, sendId, mailingId, subscriberId } = recipient;
  const now = clock.now();
  const [clicks, machineClicks] = byMachine ? [0, 1] : [1, 0];
  const { rows } = await sql<{ clicks: number }>`
    insert into mailing_engagement as e
      (id, customer_id, send_id, mailing_id, subscriber_id, clicks, machine_clicks, first_clicked_at)
    values (${id}, ${customerId}, ${sendId}, ${mailingId}, ${subscriberId}, ${clicks}, ${machineClicks},
      ${byMachine ? null : now})
    on conflict (id) do update set clicks = e.clicks + excluded.clicks,
      machine_clicks = e.machine_clicks + excluded.machine_clicks,
      first_clicked_at = coalesce(e.first_clicked_at, excluded.first_clicked_at)
    returning clicks`.execute(tx);
  if (byMachine) return;
  await sql`
    insert into mailing_link_clicks as c (id, link, customer_id, send_id, subscriber_id, clicks, first_at)
    values (${id}, ${link}, ${customerId}, ${sendId}, ${subscriberId}, 1, ${now})
    on conflict (id, link) do update set clicks = c.clicks + 1`.execute(tx);
  if (rows[0]?.clicks === 1) await noteFirst(tx, clock, recipient, 'clicked');
}

/** What the first time that a person does something with a mail leads to. */
async function noteFirst(tx: Tx, clock: Clock, recipient: Recipient, kind: 'opened' | 'clicked'): Promise<void> {
  const { customerId, mailingId, subscriberId } = recipient;
  await tellDrips(tx, { customerId, kind, subject: String(mailingId), people: [subscriberId], at: clock.now() });
  await countOnSend(tx, recipient, kind);
}

/** Notes that a mail made somebody leave its list, or everything; for the send they count once, as the more they left. */
export async function recordLeaving(
  tx: Tx,
  clock: Clock,
  recipient: Recipient,
  what: 'list' | 'everything',
): Promise<void> {
  const { id, customerId, sendId, mailingId, subscriberId } = recipient;
  const optedOut = what === 'everything';
  const hadLeft = await holdLeaving(tx, recipient);
  const { rows } = await sql`
    insert into mailing_engagement as e
      (id, customer_id, send_id, mailing_id, subscriber_id, unsubscribed_at, opted_out)
    values (${id}, ${customerId}, ${sendId}, ${mailingId}, ${subscriberId}, ${clock.now()}, ${optedOut})
    on conflict (id) do update set unsubscribed_at = coalesce(e.unsubscribed_at, excluded.unsubscribed_at),
      opted_out = e.opted_out or excluded.opted_out
      where e.unsubscribed_at is null or (excluded.opted_out and not e.opted_out)
    returning id`.execute(tx);
  if (rows.length === 0) return;
  if (optedOut) await countOnSend(tx, recipient, 'opted_out', hadLeft ? 'unsubscribed' : null);
  else await countOnSend(tx, recipient, 'unsubscribed');
}

/** Whether the mail has made somebody leave before, held so that what is counted next goes by it. */
async function holdLeaving(tx: Tx, { id, customerId }: Recipient): Promise<boolean> {
  const row = await tx
    .selectFrom('mailing_engagement')
    .select('unsubscribed_at')
    .where('customer_id', '=', customerId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined && row.unsubscribed_at !== null;
}

type Count = 'opened' | 'machine_opened' | 'clicked' | 'unsubscribed' | 'opted_out';

/** The last statement of its transaction, as everybody who reads the mailing waits for this row. */
async function countOnSend(
  tx: Tx,
  { customerId, sendId }: Recipient,
  count: Count,
  insteadOf: Count | null = null,
): Promise<void> {
  const column = sql.ref(count);
  const former = insteadOf === null ? null : sql.ref(insteadOf);
  await sql`
    insert into send_counts as c (send_id, customer_id, ${column}) values (${sendId}, ${customerId}, 1)
    on conflict (send_id) do update set ${column} = c.${column} + 1
      ${former === null ? sql`` : sql`, ${former} = c.${former} - 1`}`.execute(tx);
}
