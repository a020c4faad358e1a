import { randomUUID } from 'node:crypto';
import { INSTALLATION } from '../../src/accounts/index.ts';
import { createLinkTokens, type LinkKind } from '../../src/email/index.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { timeOrderedId } from '../../src/platform/ids.ts';
import type { TestApp, TestCustomer } from '../support/app.ts';
import { asOwner } from '../support/owner.ts';

const BROWSER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };

/** The address of a link as it stands in a mail. */
export async function linkTo(app: TestApp, kind: LinkKind, id: string, number = 0): Promise<string> {
  const tokens = createLinkTokens(await app.installation.vault.of(INSTALLATION));
  return `${app.url}/t/${tokens.make({ kind, id, number })}`;
}

/** Follows a link as a browser does, and goes nowhere from there. */
export function visit(url: string, headers: Record<string, string> = BROWSER, method = 'GET'): Promise<Response> {
  return fetch(url, { method, headers, redirect: 'manual' });
}

/** Posts a form to a link; an array stands for a field that comes several times. */
export function post(url: string, form: Record<string, string | string[]> = {}): Promise<Response> {
  const fields = Object.entries(form).flatMap(([name, value]) =>
    [value].flat().map((each): [string, string] => [name, each]),
  );
  return fetch(url, { method: 'POST', headers: BROWSER, body: new URLSearchParams(fields), redirect: 'manual' });
}

/** What a mail program sends that unsubscribes in one click. */
export function oneClick(url: string): Promise<Response> {
  return post(url, { 'List-Unsubscribe': 'One-Click' });
}

/** A list of a customer. */
export async function addList(
  app: TestApp,
  { id }: TestCustomer,
  { name = 'News', doubleOptIn = false }: { name?: string; doubleOptIn?: boolean } = {},
): Promise<number> {
  const now = new Date();
  const { id: listId } = await app.installation.db.tenant([id], (tx) =>
    tx
      .insertInto('subscription_lists')
      .values({
        customer_id: id,
        name,
        is_default: false,
        double_opt_in: doubleOptIn,
        created_at: now,
        updated_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );
  return listId;
}

/** Somebody who joined a list through the API. */
export async function addPerson(
  app: TestApp,
  { key }: TestCustomer,
  email: string,
  listId: number | null = null,
): Promise<string> {
  const body = { subscriber: { email }, subscription_list_id: listId };
  return (await app.request('POST', '/v1/marketing/subscribers', { key, body })).body.data.id;
}

export interface Audience {
  subscription_list_id?: number;
  segment_id?: string;
  subscriber_ids?: string[];
}

/** A mailing that was sent to somebody, as the ledger has it: the ids of the send and of the mail. */
export async function addMail(
  app: TestApp,
  { id: customerId }: TestCustomer,
  subscriberId: string,
  audience: Audience,
): Promise<{ sendId: number; mailingId: number; mailId: string }> {
  return asOwner(app, async (client) => {
    const mailing = await client.query(
      `insert into campaign_mailings (customer_id, subject, template_type, version, created_at, updated_at)
       values ($1, $2, 'html', 1, now(), now()) returning id::int`,
      [customerId, randomUUID()],
    );
    const mailingId = mailing.rows[0].id as number;
    const send = await client.query(
      `insert into campaign_mailing_sends (jid, customer_id, mailing_id, version, state, mode, subscription_list_id,
         segment_id, subscriber_ids, sender_email, send_at, created_at, updated_at)
       values (gen_random_uuid(), $1, $2, 1, 'sent', 'live', $3, $4, $5, 'clinic@example.org', now(), now(), now())
       returning id::int`,
      [
        customerId,
        mailingId,
        audience.subscription_list_id ?? null,
        audience.segment_id ?? null,
        audience.subscriber_ids ?? null,
      ],
    );
    const sendId = send.rows[0].id as number;
    await client.query('insert into send_counts (send_id, customer_id, people, sent) values ($1, $2, 1, 1)', [
      sendId,
      customerId,
    ]);
    const mailId = timeOrderedId(systemClock);
    await client.query(
      `insert into mailing_recipients (id, customer_id, send_id, mailing_id, subscriber_id, domain, state)
       values ($1, $2, $3, $4, $5, 'example.com', 'delivered')`,
      [mailId, customerId, sendId, mailingId, subscriberId],
    );
    return { sendId, mailingId, mailId };
  });
}

type Row = Record<string, unknown>;

/** The rows of a customer in a table, as the owner of the database sees them. */
export async function rowsOf(app: TestApp, { id }: TestCustomer, query: string): Promise<Row[]> {
  return asOwner(app, async (client) => (await client.query(query, [id])).rows as Row[]);
}

/** How somebody stands on a list: on it, left, pending or not at all. */
export async function standing(app: TestApp, customer: TestCustomer, personId: string, listId: number) {
  const rows = await rowsOf(
    app,
    customer,
    `select active, pending, unsubscribed_at is not null as left from subscriptions
     where customer_id = $1 and subscriber_id = '${personId}' and subscription_list_id = ${listId}`,
  );
  const [row] = rows;
  if (row === undefined) return 'nowhere';
  if (row.left) return 'left';
  if (row.pending) return 'pending';
  return row.active ? 'on' : 'quiet';
}

interface Change {
  change: string;
  source: string;
  list: number | null;
  evidence: Record<string, unknown>;
}

/** What a customer's consent changes say, the oldest first. */
export async function changesOf(app: TestApp, customer: TestCustomer): Promise<Change[]> {
  const rows = await rowsOf(
    app,
    customer,
    `select change, source, subscription_list_id::int as list, evidence from consent_changes
     where customer_id = $1 order by at, id`,
  );
  return rows as unknown as Change[];
}

/** The addresses that a customer has suppressed, through the API. */
export async function suppressionsOf(app: TestApp, { key }: TestCustomer): Promise<Row[]> {
  return (await app.request('GET', '/v1/email/suppressions', { key })).body.data;
}
