// GET /api/forms for a customer with 100,000 forms in a table of a million, beside one with 100; and the database time
// of searches.
import { measure } from './measure.ts';
import { HTTP_PORT, Installation, report } from './product.ts';

const FORMS = 1_000_000;
const LARGE = 100_000;
const SMALL = 100;
const OTHERS = 100;
const MOST_P99_RATIO = 3;
const SEARCHES = [
  { text: 'zebra', most: 60 },
  { text: 'form 77', most: 60 },
  { text: 'int', most: 60 },
  { text: 'ze', most: 300 },
  { text: 'a', most: 300 },
];

await using product = new Installation();
await product.start('http');
await product.sql('carepost', "alter system set shared_preload_libraries = 'pg_stat_statements'");
await product.start('http');
await product.sql('carepost', 'create extension pg_stat_statements');

/**
 * The customer of the key has a hundred, a second one a hundred thousand, and others the rest between them. What triggers
 * keep is written at once: a million changes of one row in one transaction are no load that the product ever sees.
 */
async function fill(): Promise<void> {
  await product.sql(
    'carepost',
    `insert into customers (id, name, username, created_at) overriding system value
       select n, 'bench ' || n, 'bench-' || n, now() from generate_series(2, ${OTHERS + 2}) n;
     create temporary table made as select gen_random_uuid() as id, n,
       case when n <= ${SMALL} then 1 when n <= ${SMALL + LARGE} then 2 else 3 + n % ${OTHERS} end as customer_id
       from (select n from generate_series(1, ${FORMS}) n order by random()) shuffled;
     alter table forms disable trigger user;
     insert into forms (id, customer_id, title, description, form_json, active, created_at, updated_at)
       select id, customer_id, case when n % 5000 = 0 then 'Zebra ' else 'Intake form ' end || n,
         'Questions before a visit, number ' || n, '{"fields":[{"name":"a","type":"text"}]}', n % 3 > 0,
         now() - n * interval '1 second', now() - n * interval '1 second' from made;
     alter table forms enable trigger user;
     insert into form_texts select id, customer_id, text_of_form(title, description) from forms;
     insert into form_tallies select customer_id, active, archived, count(*) from forms group by 1, 2, 3;
     insert into form_counts (form_id, customer_id, submission_count) select id, customer_id, n % 1000 from made`,
  );
  for (const table of ['forms', 'form_counts', 'form_texts', 'form_tallies']) {
    await product.sql('carepost', `vacuum analyze ${table}`);
  }
  await product.sql('carepost', 'checkpoint');
}

async function p99Of(name: string, customerId: number, query = ''): Promise<number> {
  await product.sql('carepost', `update api_keys set customer_id = ${customerId}`);
  await new Promise((resolve) => setTimeout(resolve, 4_000)); // until the key is known to be that customer's
  const load = {
    port: HTTP_PORT,
    method: 'GET',
    path: `/v1/forms/api/forms?customer_id=${customerId}${query}`,
    headers: { Authorization: `Bearer ${product.key}` },
    body: '',
    connections: 4,
    warmupSeconds: 2,
    seconds: 6,
  };
  const measured = await measure(load, product.pid, product.postmaster);
  report(name, measured);
  if (measured.refused > 0) throw new Error('refused');
  return measured.p99;
}

/** What a search takes within the database: the sum of its statements, as the application makes them. */
async function searchMillis(text: string): Promise<number> {
  await product.sql('carepost', 'select pg_stat_statements_reset()');
  await product.call('GET', `/v1/forms/api/forms?customer_id=2&search=${encodeURIComponent(text)}`);
  const [row] = await product.sql<{ ms: number }>(
    'carepost',
    `select sum(total_exec_time + total_plan_time) as ms from pg_stat_statements
     where toplevel and query ~ 'form' and query !~ 'pg_stat_statements'`,
  );
  return Number(row?.ms);
}

await fill();
const small = await p99Of(`${SMALL} forms`, 1);
const large = await p99Of(`${LARGE} forms`, 2);
for (const order of ['title', 'updated_at', 'submission_count']) {
  await p99Of(`${LARGE} forms by ${order}`, 2, `&order_by=${order}`);
}
await p99Of(`${LARGE} forms, page 500`, 2, '&page=500&items=100');
let good = large / small <= MOST_P99_RATIO;
process.stdout.write(`\np99 of ${LARGE} to ${SMALL}: ${(large / small).toFixed(2)} (at most ${MOST_P99_RATIO})\n`);
for (const { text, most } of SEARCHES) {
  await searchMillis(text);
  const millis = await searchMillis(text);
  good &&= millis <= most;
  process.stdout.write(`search "${text}": ${millis.toFixed(1)} ms of database time (at most ${most})\n`);
}
process.exitCode = good ? 0 : 1;
