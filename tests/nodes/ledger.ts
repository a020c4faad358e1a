import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { type Client, withConnection } from '../../src/platform/db/pool.ts';
import { eventually } from '../support/eventually.ts';
import type { Received } from '../support/webhook-receiver.ts';
import type { Acknowledged } from './mixed-load.ts';

const LONGEST_MS = 120_000;
const QUIET_MS = 2_000;

const OPEN = `
  select (select count(*) from message_recipients where due_at is not null)
    + (select count(*) from mailing_recipients where due_at is not null)
    + (select count(*) from webhook_deliveries where due_at is not null)
    + (select count(*) from drip_facts) + (select count(*) from drip_enrolments where state = 'active') as n`;

/** What a killed node had taken would be taken again when its lease ends, after minutes: it ends now. */
const END_LEASES = `
  update message_recipients set due_at = now() where due_at is not null;
  update webhook_deliveries set due_at = now() where due_at is not null;
  update mailing_recipients set leased_until = now() where state = 'sending'`;

/** Waits until everything that was accepted has come to its end. */
export async function waitForEnd(ownerUrl: string): Promise<void> {
  await withConnection(ownerUrl, async (client) => {
    const open = async () => Number((await client.query(OPEN)).rows[0].n);
    let known = { left: await open(), since: performance.now() };
    await eventually(async () => {
      const left = await open();
      if (left !== known.left) known = { left, since: performance.now() };
      else if (left > 0 && performance.now() - known.since > QUIET_MS) {
        await client.query(END_LEASES);
        known.since = performance.now();
      }
      return left === 0;
    }, LONGEST_MS);
  });
}

/** Compares what was acknowledged with what is there; answers the counts. */
export async function findLosses(
  ownerUrl: string,
  { http, bulk, smtp, submissions, people }: Acknowledged,
  received: readonly Received[],
): Promise<Record<string, number>> {
  return withConnection(ownerUrl, async (client) => {
    const count = counterOver(client);
    const messages = [...http, ...bulk, ...smtp];
    assert.equal(new Set(messages).size, messages.length, 'no two acknowledgements share an id');
    const one = 'select count(*) as n from';
    assert.equal(await count(`${one} messages where id = any($1)`, messages), messages.length, 'no message is missing');
    const from = `${one} messages where from_address = $1`;
    assert.equal(await count(from, 'http@example.org'), http.length, 'no message by HTTP is there twice');
    assert.equal(await count(from, 'bulk@example.org'), bulk.length, 'no message of a batch is there twice');
    const bySmtp = await count(from, 'smtp@example.org');
    const all = await count(`${one} messages where $1`, true);
    const delivered = await count(`${one} message_recipients where state = $1`, 'delivered');
    assert.equal(delivered, all, 'every message is delivered');
    assert.equal(
      await count(
        'select count(distinct message_id) as n from sandbox_messages where message_id in (select id from messages) and $1',
        true,
      ),
      all,
    );
    const events = await count(`${one} message_events where name = $1`, 'api_mail_log_delivered');
    assert.equal(events, all, 'one event for each delivery');
    const twice = `${one} (select from delivery_attempts where outcome = $1 group by message_id having count(*) > 1) d`;
    assert.equal(await count(twice, 'delivered'), 0, 'no attempt follows one that was noted as delivered');

    const ids = submissions.map(({ id }) => id);
    assert.equal(await count(`${one} submissions where id = any($1)`, ids), ids.length, 'no submission is missing');
    assert.equal(await count(`${one} submissions where $1`, true), ids.length, 'no submission is there twice');
    assert.equal(await count(`${one} submission_keys where $1`, true), ids.length);
    assert.equal(all - http.length - bulk.length - bySmtp, ids.length, 'each submission has one mail');

    assert.equal(await count(`${one} subscribers where email = any($1)`, people), people.length);
    assert.equal(await count(`${one} subscribers where $1`, true), people.length, 'nobody is there twice');
    assert.equal(await count(`${one} drip_enrolments where $1`, true), people.length, 'everybody entered once');
    assert.equal(await count(`${one} mailing_recipients where $1`, true), people.length, 'one mail for everybody');
    const ended = `${one} mailing_recipients where state = any($1)`;
    assert.equal(await count(ended, ['delivered', 'uncertain']), people.length);

    const told = new Set(received.map(({ headers }) => headers['webhook-id']));
    const deliveries = await count(`${one} webhook_deliveries where state = $1`, 'delivered');
    assert.equal(deliveries, events);
    assert.equal(told.size, deliveries, 'every event was told');
    return {
      http: http.length,
      bulk: bulk.length,
      smtp: smtp.length,
      smtpUnanswered: bySmtp - smtp.length,
      submissions: ids.length,
      people: people.length,
      cutShort: await count(`${one} delivery_attempts where outcome is null and $1`, true),
      uncertainMails: await count(ended, ['uncertain']),
      events: deliveries,
      toldAgain: received.length - told.size,
      deadlocks: await count(
        'select deadlocks as n from pg_stat_database where datname = current_database() and $1',
        true,
      ),
    };
  });
}

function counterOver(client: Client): (sql: string, value: unknown) => Promise<number> {
  return async (sql, value) => Number((await client.query(sql, [value])).rows[0].n);
}

/** Reads files of submissions back and compares them with what was sent. */
export async function readFilesBack(
  { url, key, formId }: { url: string; key: string; formId: string },
  submissions: Acknowledged['submissions'],
): Promise<void> {
  const headers = { authorization: `Bearer ${key}` };
  for (const { id, sha256 } of submissions) {
    const base = `${url}/api/forms/${formId}/submissions/${id}`;
    const { data } = (await (await fetch(base, { headers })).json()) as { data: { attachments: { id: string }[] } };
    const file = await fetch(`${base}/attachments/${data.attachments[0]?.id}`, { headers });
    const bytes = Buffer.from(await file.arrayBuffer());
    assert.equal(createHash('sha256').update(bytes).digest('hex'), sha256, 'a file is what was sent');
  }
}
