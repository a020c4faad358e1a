import { systemClock } from '../../src/platform/clock.ts';
import { withConnection } from '../../src/platform/db/pool.ts';
import { timeOrderedId } from '../../src/platform/ids.ts';
import type { TestApp } from './app.ts';

interface Dripping {
  id: number;
  key: string;
  mark: string;
}

/** A drip that rests, with somebody in it and a send that it made, and one to be taken away. */
export async function addDrips(
  app: TestApp,
  { id: customerId, key, mark }: Dripping,
  { mailingId, subscriberId, sendId }: { mailingId: string; subscriberId: string; sendId: string },
): Promise<{ dripIds: [string, string]; enrolmentId: string }> {
  const create = async (name: string) => {
    const steps = [{ id: 'hello', type: 'email', campaign_mailing_id: mailingId, subject: mark }];
    const drip_campaign = { name, steps, from_name: mark };
    return (await app.request('POST', '/v1/marketing/drip_campaigns', { key, body: { drip_campaign } })).body.data.id;
  };
  const dripIds: [string, string] = [await create(mark), await create(`${mark} leaving`)];
  const [dripId] = dripIds;
  for (const move of ['start', 'pause']) {
    await app.request('POST', `/v1/marketing/drip_campaigns/${dripId}/${move}`, { key });
  }
  const enrolmentId = timeOrderedId(systemClock);
  await withConnection(app.installation.ownerUrl, async (client) => {
    const sent = `update campaign_mailing_sends set drip_id = $1, drip_version = 1, drip_step = 'sent' where id = $2`;
    await client.query(sent, [dripId, sendId]);
    await client.query(
      `insert into drip_enrolments (id, customer_id, drip_id, version, subscriber_id, rotation, state, step, entered_at,
         arrived_at) values ($1, $2, $3, 1, $4, 1, 'active', 'hello', now(), now())`,
      [enrolmentId, customerId, dripId, subscriberId],
    );
    const visit = `insert into drip_visits (enrolment_id, step, visit, customer_id, at) values ($1, 'hello', 1, $2, now())`;
    await client.query(visit, [enrolmentId, customerId]);
  });
  return { dripIds, enrolmentId };
}

/** Something that the drips of a customer have yet to be told. */
export async function addDripFact(app: TestApp, { id, mark }: Dripping): Promise<void> {
  await withConnection(app.installation.ownerUrl, (client) =>
    client.query(`insert into drip_facts (customer_id, kind, subject, at) values ($1, 'custom', $2, now())`, [
      id,
      mark,
    ]),
  );
}
