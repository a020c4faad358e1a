// Drips: 100,000 people due at once with three steps each, two of them mails; and a million who wait for something that
// is not due. `--people N` for fewer.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { cpuMicros, treeOf } from './measure.ts';
import { fillPeople } from './people.ts';
import { Installation } from './product.ts';

const { values } = parseArgs({ options: { people: { type: 'string', default: '100000' } } });
const people = Number(values.people);
const LEAST_STEPS = 2_000;
const WAITING = 1_000_000;
const IDLE_SECONDS = 60;
const BASE = '/v1/marketing';

await using product = new Installation();
await product.start('http,worker');
await fillPeople(product, people);
const advanced = await measureSteps();
await measureIdle();
process.exitCode = advanced ? 0 : 1;

async function makeDrip(): Promise<string> {
  const mailing = async (subject: string) => {
    const campaign_mailing = {
      subject,
      from: 'clinic@example.org',
      html_part: '<html><body>Hello {{first_name}}</body></html>',
    };
    return ((await product.call('POST', `${BASE}/campaign_mailings`, { campaign_mailing })).data as { id: string }).id;
  };
  const steps = [
    { type: 'email', campaign_mailing_id: await mailing('One') },
    { type: 'branch', if: { field: 'first_name', op: 'starts_with', terms: ['First'] }, then: [], else: [] },
    { type: 'email', campaign_mailing_id: await mailing('Two') },
  ];
  const drip_campaign = { name: 'Bench', start_trigger: 'manual', steps };
  const { data } = (await product.call('POST', `${BASE}/drip_campaigns`, { drip_campaign })) as {
    data: { id: string };
  };
  return data.id;
}

/** Everybody is put before the first step while the drip rests; from when it goes on, all of them are due. */
async function measureSteps(): Promise<boolean> {
  const id = await makeDrip();
  await product.call('POST', `${BASE}/drip_campaigns/${id}/start`);
  await product.call('POST', `${BASE}/drip_campaigns/${id}/pause`);
  await enrolAll(id, `now()`);
  const cpu = () => [cpuMicros([product.pid]), cpuMicros(treeOf(product.postmaster))];
  const before = cpu();
  const startedAt = performance.now();
  await product.call('POST', `${BASE}/drip_campaigns/${id}/resume`);
  for (;;) {
    await sleep(250);
    const [row] = await product.sql<{ active: number }>(
      'carepost',
      `select count(*)::int as active from drip_enrolments where drip_id = ${id} and state = 'active'`,
    );
    if (row?.active === 0) break;
    if (performance.now() - startedAt > 300_000) throw new Error('too slow');
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  const [node = 0, postgres = 0] = cpu().map((after, index) => (after - (before[index] as number)) / 1_000_000);
  const [found] = await product.sql<Record<string, number>>(
    'carepost',
    `select count(*)::int as visits, count(message_id)::int as meant,
       (select count(*)::int from mailing_recipients) as mails,
       (select count(*)::int from (select subscriber_id, send_id from mailing_recipients group by 1, 2 having count(*) > 1) d) as doubled,
       (select percentile_cont(0.5) within group (order by extract(epoch from ended_at - d.updated_at)) from drip_enrolments e, drip_campaigns d where d.id = e.drip_id) as p50,
       (select percentile_cont(0.99) within group (order by extract(epoch from ended_at - d.updated_at)) from drip_enrolments e, drip_campaigns d where d.id = e.drip_id) as p99
     from drip_visits`,
  );
  const rate = (found?.visits as number) / seconds;
  const good = rate >= LEAST_STEPS && found?.doubled === 0 && found.visits === 3 * people && found.mails === 2 * people;
  process.stdout.write(
    `${found?.visits} steps in ${seconds.toFixed(1)} s: ${rate.toFixed(0)} a second (at least ${LEAST_STEPS}), mails going out` +
      ` meanwhile; ${found?.mails} mails meant, ${found?.doubled} doubled; late by ${found?.p50?.toFixed(1)} s at p50,` +
      ` ${found?.p99?.toFixed(1)} s at p99; CPU ${node.toFixed(1)} s of node, ${postgres.toFixed(1)} s of PostgreSQL\n`,
  );
  return good;
}

async function enrolAll(id: string, dueAt: string): Promise<void> {
  await product.sql(
    'carepost',
    `insert into drip_enrolments (id, customer_id, drip_id, version, subscriber_id, rotation, state, step, due_at, entered_at, arrived_at)
     select time_ordered_id(now()), s.customer_id, ${id}, d.live_version, s.id, 1, 'active', v.graph->>'first', ${dueAt}, now(), now()
     from subscribers s, drip_campaigns d join drip_versions v on v.drip_id = d.id and v.version = d.live_version
     where d.id = ${id};
     analyze drip_enrolments`,
  );
}

/** A drip with a million people who wait, in the place of the first; the mails of the first are dropped. */
async function measureIdle(): Promise<void> {
  await product.stop();
  await product.start('http,worker');
  await product.sql('carepost', `truncate drip_enrolments, drip_visits; delete from mailing_recipients`);
  await product.sql(
    'carepost',
    `insert into drip_enrolments (id, customer_id, drip_id, version, subscriber_id, rotation, state, step, inside, due_at, entered_at, arrived_at)
     select time_ordered_id(now()), d.customer_id, d.id, d.live_version, gen_random_uuid(), 1, 'active', 's1', true,
       now() + interval '30 days' + n * interval '1 second', now(), now()
     from generate_series(1, ${WAITING}) n, drip_campaigns d`,
  );
  for (const statement of ['vacuum analyze drip_enrolments', 'checkpoint']) await product.sql('carepost', statement);
  await sleep(35_000); // until what the inserts left to do is done
  const cpu = () => [cpuMicros([product.pid]), cpuMicros(treeOf(product.postmaster))];
  const before = cpu();
  await sleep(IDLE_SECONDS * 1_000);
  const [node = 0, postgres = 0] = cpu().map((after, index) => (after - (before[index] as number)) / 1_000);
  process.stdout.write(
    `${WAITING} waiting, none due: ${node.toFixed(0)} ms of CPU by node and ${postgres.toFixed(0)} ms by PostgreSQL` +
      ` in ${IDLE_SECONDS} s, for all that the product does while idle\n`,
  );
}
