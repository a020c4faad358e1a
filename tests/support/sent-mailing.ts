import { sealTarget } from '../../src/marketing/tracking/link-target.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { withConnection } from '../../src/platform/db/pool.ts';
import { timeOrderedId } from '../../src/platform/ids.ts';
import type { TestApp } from './app.ts';

interface Sender {
  id: number;
  mark: string;
}

/** A mailing that went to somebody, who opened it and followed its only link. */
export async function addSentMailing(
  app: TestApp,
  { id: customerId, mark }: Sender,
  { mailingId, subscriberId }: { mailingId: string; subscriberId: string },
): Promise<{ sendId: string; mailId: string; trackingLinkId: string }> {
  const keys = await app.installation.vault.of(customerId);
  return withConnection(app.installation.ownerUrl, async (client) => {
    const send = await client.query(
      `insert into campaign_mailing_sends (jid, customer_id, mailing_id, version, state, mode, sender_email, send_at,
         created_at, updated_at) values (gen_random_uuid(), $1, $2, 1, 'finished', 'live', $3, now(), now(), now())
       returning id::text`,
      [customerId, mailingId, `${mark}@example.com`],
    );
    const sendId = send.rows[0].id as string;
    const mailId = timeOrderedId(systemClock);
    const mail = [mailId, customerId, sendId, mailingId, subscriberId];
    await client.query('insert into send_counts (send_id, customer_id, people, delivered) values ($1, $2, 1, 1)', [
      sendId,
      customerId,
    ]);
    await client.query(
      `insert into mailing_recipients (id, customer_id, send_id, mailing_id, subscriber_id, domain, state)
       values ($1, $2, $3, $4, $5, $6, 'delivered')`,
      [...mail, `${mark}.example.com`],
    );
    await client.query(
      `insert into mailing_engagement (id, customer_id, send_id, mailing_id, subscriber_id, opens, first_opened_at)
       values ($1, $2, $3, $4, $5, 1, now())`,
      mail,
    );
    await client.query(
      `insert into mailing_link_clicks (id, link, customer_id, send_id, subscriber_id, clicks, first_at)
       values ($1, 0, $2, $3, $4, 1, now())`,
      [mailId, customerId, sendId, subscriberId],
    );
    const sealed = sealTarget(keys, { sendId: Number(sendId), number: 0 }, `https://example.com/${mark}`);
    const link = await client.query(
      `insert into tracking_links (customer_id, send_id, number, sealed, created_at) values ($1, $2, 0, $3, now())
       returning id::text`,
      [customerId, sendId, sealed],
    );
    return { sendId, mailId, trackingLinkId: link.rows[0].id };
  });
}
