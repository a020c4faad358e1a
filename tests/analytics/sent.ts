import { randomUUID } from 'node:crypto';
import { sealTarget } from '../../src/marketing/tracking/link-target.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { timeOrderedId } from '../../src/platform/ids.ts';
import type { Reply, TestApp, TestCustomer } from '../support/app.ts';
import { asOwner } from '../support/owner.ts';

/** What became of one mail, and what its reader did. */
export interface Mail {
  person: string;
  state: string;
  rule?: string;
  code?: number;
  settled?: string;
  due?: string;
  opened?: string;
  machineOpens?: number;
  clicked?: string;
  left?: string;
  optedOut?: boolean;
  /** How often each link was followed. */
  clicks?: Record<number, number>;
}

export interface Sent {
  mailingId: number;
  sendId: number;
  /** The ids of the links, in their order. */
  linkIds: number[];
}

/** Somebody known to a customer. */
export async function addSubscriber(
  app: TestApp,
  { key }: TestCustomer,
  subscriber: { email: string; first_name?: string; last_name?: string },
): Promise<string> {
  return (await app.request('POST', '/v1/marketing/subscribers', { key, body: { subscriber } })).body.data.id;
}

/** A mailing of which nothing was sent yet. */
export async function addMailing(app: TestApp, { id }: TestCustomer, subject: string = randomUUID()): Promise<number> {
  return asOwner(app, async (client) => {
    const { rows } = await client.query(
      `insert into campaign_mailings (customer_id, subject, template_type, version, created_at, updated_at)
       values ($1, $2, 'html', 1, now(), now()) returning id::int`,
      [id, subject],
    );
    return rows[0].id;
  });
}

interface SendParts {
  mailingId?: number;
  state?: string;
  listId?: number;
  startedAt?: string;
  targets?: string[];
}

/** A send as the engine leaves it: its ledger, what people did, and the counts of both. */
export async function addSend(
  app: TestApp,
  customer: TestCustomer,
  mails: Mail[],
  { mailingId, state = 'finished', listId, startedAt, targets = [] }: SendParts = {},
): Promise<Sent> {
  const mailing = mailingId ?? (await addMailing(app, customer));
  const keys = await app.installation.vault.of(customer.id);
  return asOwner(app, async (client) => {
    const send = await client.query(
      `insert into campaign_mailing_sends (jid, customer_id, mailing_id, version, state, mode, subscription_list_id,
         sender_email, send_at, created_at, updated_at, started_at)
       values (gen_random_uuid(), $1, $2, 1, $3, 'live', $4, 'clinic@example.org', now(), '2026-01-01', now(), $5)
       returning id::int`,
      [customer.id, mailing, state, listId ?? null, startedAt ?? null],
    );
    const sendId = send.rows[0].id as number;
    for (const mail of mails) {
      const row = [timeOrderedId(systemClock), customer.id, sendId, mailing, mail.person];
      await client.query(
        `insert into mailing_recipients (id, customer_id, send_id, mailing_id, subscriber_id, domain, state, rule,
           smtp_code, settled_at, due_at, attempts)
         values ($1, $2, $3, $4, $5, 'example.com', $6, $7, $8, $9, $10, 1)`,
        [...row, mail.state, mail.rule ?? null, mail.code ?? null, mail.settled ?? null, mail.due ?? null],
      );
      const clicks = Object.entries(mail.clicks ?? {});
      const did = [mail.opened ?? null, mail.machineOpens ?? 0, mail.clicked ?? null, mail.left ?? null];
      if (did.some((each) => each !== null && each !== 0)) {
        await client.query(
          `insert into mailing_engagement (id, customer_id, send_id, mailing_id, subscriber_id, first_opened_at,
             machine_opens, first_clicked_at, unsubscribed_at, opted_out, opens)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, case when $6::timestamptz is null then 0 else 1 end)`,
          [...row, ...did, mail.optedOut ?? false],
        );
      }
      for (const [link, times] of clicks) {
        await client.query(
          `insert into mailing_link_clicks (id, link, customer_id, send_id, subscriber_id, clicks, first_at)
           values ($1, $2, $3, $4, $5, $6, $7)`,
          [row[0], Number(link), customer.id, sendId, mail.person, times, mail.clicked],
        );
      }
    }
    const linkIds: number[] = [];
    for (const [number, target] of targets.entries()) {
      const { rows } = await client.query(
        `insert into tracking_links (customer_id, send_id, number, sealed, created_at)
         values ($1, $2, $3, $4, '2026-01-01') returning id::int`,
        [customer.id, sendId, number, sealTarget(keys, { sendId, number }, target)],
      );
      linkIds.push(rows[0].id);
    }
    const count = (fits: (mail: Mail) => boolean) => mails.filter(fits).length;
    const counts: Record<string, number> = {
      people: mails.length,
      sent: count((mail) => mail.state === 'sent'),
      delivered: count((mail) => mail.state === 'delivered'),
      soft_bounced: count((mail) => mail.rule === 'soft_bounce'),
      hard_bounced: count((mail) => mail.rule === 'hard_bounce' && mail.state === 'bounced'),
      suppressed: count((mail) => mail.state === 'suppressed'),
      excluded: count((mail) => mail.state === 'excluded'),
      uncertain: count((mail) => mail.state === 'uncertain'),
      cancelled: count((mail) => mail.state === 'cancelled'),
      opened: count((mail) => mail.opened !== undefined),
      machine_opened: count((mail) => mail.machineOpens !== undefined),
      clicked: count((mail) => mail.clicked !== undefined),
      unsubscribed: count((mail) => mail.left !== undefined && mail.optedOut !== true),
      opted_out: count((mail) => mail.optedOut === true),
    };
    const names = Object.keys(counts);
    await client.query(
      `insert into send_counts (send_id, customer_id, ${names.join(', ')})
       values ($1, $2, ${names.map((_, at) => `$${at + 3}`).join(', ')})`,
      [sendId, customer.id, ...Object.values(counts)],
    );
    return { mailingId: mailing, sendId, linkIds };
  });
}

/** Asks for something of the Marketing area. */
export function ask(app: TestApp, { key }: TestCustomer, path: string, query: object = {}): Promise<Reply> {
  const pairs = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
  return app.request('GET', `/v1/marketing/${path}?${new URLSearchParams(pairs).toString()}`, { key });
}

/** The actions in a customer's audit log, the oldest first, with what they were done to. */
export async function acts(app: TestApp, { id }: TestCustomer): Promise<[string, string | null][]> {
  return asOwner(app, async (client) => {
    const { rows } = await client.query(
      `select action, target from audit_log where customer_id = $1 and action ~ 'report|deliveries' order by id`,
      [id],
    );
    return rows.map(({ action, target }) => [action, target]);
  });
}
