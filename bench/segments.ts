// Segments of a million people: the database time of the first page of three of them, and what counting them takes.
import { sql } from 'kysely';
import { compileFilters } from '../src/marketing/segments/compile.ts';
import { COUNT_SEGMENT, countSegment } from '../src/marketing/segments/count-job.ts';
import type { Filters } from '../src/marketing/segments/filters/filters.ts';
import { readRule } from '../src/marketing/segments/filters/read-filters.ts';
import { systemClock } from '../src/platform/clock.ts';
import { openDatabase } from '../src/platform/db/database.ts';
import { requireOwn } from '../src/platform/http/ownership.ts';
import { createLog } from '../src/platform/log.ts';
import { Installation } from './product.ts';

const PEOPLE = 1_000_000;
const CUSTOMER = 1;
const ITEMS = 50;
const ROUNDS = 20;
const MOST_PAGE_MS = 10;
const MOST_COUNT_MS = 10_000;
const RULES = {
  'two attributes': 'city is "City 3" and plan is "plan 2"',
  'on a list, opened none of 3': 'on list 2 and not opened mailings (1, 2, 3)',
  'email domain': 'email_domain is "d7.example"',
};

await using product = new Installation();
await product.start('http');

/** One in 7 by city and one in 4 by plan, one in 30 by domain; half are on a list, each of whose mailings three in ten opened. */
async function fill(): Promise<void> {
  const first = { email: 'first@example.org', custom_fields: [{ city: 'x' }, { plan: 'x' }] };
  await product.call('POST', '/v1/marketing/subscribers', { subscriber: first });
  await product.sql(
    'carepost',
    `insert into subscription_lists (customer_id, name, created_at, updated_at) values (${CUSTOMER}, 'News', now(), now());
     insert into campaign_mailings (customer_id, subject, template_type, version, created_at, updated_at)
       select ${CUSTOMER}, 'Mailing ' || n, 'html', 1, now(), now() from generate_series(1, 3) n;
     create temporary table made as select n, time_ordered_id(now() - (${PEOPLE} - n) * interval '1 second') as id
       from generate_series(1, ${PEOPLE}) n;
     alter table subscribers disable trigger user;
     alter table subscriptions disable trigger user;
     insert into subscribers (id, customer_id, email, first_name, last_name, fields, created_at, updated_at)
       select id, ${CUSTOMER}, 'p' || n || '@d' || n % 30 || '.example', 'First ' || n % 1000, 'Last ' || n,
         jsonb_build_object('1', 'City ' || floor(random() * 7), '2', 'Plan ' || floor(random() * 4)),
         now() - (${PEOPLE} - n) * interval '1 second', now() from made;
     insert into subscriptions (id, customer_id, subscription_list_id, subscriber_id, created_at, active)
       select gen_random_uuid(), ${CUSTOMER}, 2, id, now(), true from made where n % 2 = 0;
     alter table subscribers enable trigger user;
     alter table subscriptions enable trigger user;
     insert into people_counts values (${CUSTOMER}, 99, ${PEOPLE}, 0);
     insert into mailing_engagement (id, customer_id, send_id, mailing_id, subscriber_id, opens, first_opened_at)
       select time_ordered_id(now()), ${CUSTOMER}, m, m, id, 1, now() from made, generate_series(1, 3) m
       where n % 2 = 0 and random() < 0.3`,
  );
  for (const table of ['subscribers', 'subscriptions', 'mailing_engagement']) {
    await product.sql('carepost', `vacuum analyze ${table}`);
  }
  await product.sql('carepost', 'checkpoint');
}

interface Plan {
  'QUERY PLAN': [{ 'Planning Time': number; 'Execution Time': number; Plan: { 'Actual Rows': number } }];
}

const log = createLog('silent');
const ownerUrl = product.url('carepost');
await fill();
const app = openDatabase({ ownerUrl, log }, 'app', 1);
const worker = openDatabase({ ownerUrl, log }, 'worker', 1);

async function filtersOf(rule: string): Promise<Filters> {
  const asker = { customerId: CUSTOMER, requireOwn };
  return (await app.tenant([CUSTOMER], (tx) => readRule(tx, asker, rule))) as Filters;
}

/** The milliseconds that the database takes for a first page: the first time, and the middle of many. */
async function pageMillis(filters: Filters): Promise<{ first: number; p50: number }> {
  const occasion = { customerId: CUSTOMER, at: systemClock.now() };
  const page = sql<Plan>`explain (analyze, format json) select s.id, s.email from subscribers s
    where s.customer_id = ${CUSTOMER} and ${compileFilters(filters, occasion)} order by s.id desc limit ${ITEMS}`;
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const { rows } = await app.tenant([CUSTOMER], (tx) => page.execute(tx));
    const [plan] = (rows[0] as Plan)['QUERY PLAN'];
    if (plan.Plan['Actual Rows'] !== ITEMS) throw new Error('the page is not full');
    times.push(plan['Planning Time'] + plan['Execution Time']);
  }
  return { first: times[0] as number, p50: times.toSorted((one, other) => one - other)[ROUNDS / 2] as number };
}

async function countMillis(rule: string): Promise<{ millis: number; people: number }> {
  const made = (await product.call('POST', '/v1/marketing/dynamic_lists', { name: rule, rule })) as {
    data: { id: string };
  };
  const startedAt = performance.now();
  await countSegment({ db: worker, clock: systemClock }, { customerId: CUSTOMER, segmentId: made.data.id });
  const millis = performance.now() - startedAt;
  const path = `/v1/marketing/dynamic_lists/${made.data.id}`;
  const { data } = (await product.call('GET', path)) as { data: { attributes: { subscriber_count: number } } };
  return { millis, people: data.attributes.subscriber_count };
}

let good = true;
for (const [name, rule] of Object.entries(RULES)) {
  const page = await pageMillis(await filtersOf(rule));
  const count = await countMillis(rule);
  good &&= page.p50 <= MOST_PAGE_MS && count.millis <= MOST_COUNT_MS;
  process.stdout.write(
    `${name.padEnd(30)} first page ${page.p50.toFixed(1)} ms of database time, ${page.first.toFixed(1)} ms at first` +
      ` (at most ${MOST_PAGE_MS}); ${COUNT_SEGMENT} ${count.people} in ${count.millis.toFixed(0)} ms (at most ${MOST_COUNT_MS})\n`,
  );
}
await app.close();
await worker.close();
process.exitCode = good ? 0 : 1;
