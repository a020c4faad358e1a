// The bare loop that POST /bulk_messages is compared with: each connection commits a batch of rows again and again, by
// one prepared statement. Runs as a process of its own; reads a BulkLoad, prints what it counted, commits as requests.
import pg from 'pg';
import { Count, readLoad } from './count.ts';

export interface BulkLoad {
  url: string;
  body: string;
  batch: number;
  connections: number;
  warmupSeconds: number;
  seconds: number;
}

const load = await readLoad<BulkLoad>();
const count = new Count();
const places = Array.from({ length: load.batch }, (_, index) => `($${index + 1})`).join(', ');
const text = `
  with message as (insert into bulk_messages (body) values ${places} returning id)
  insert into bulk_recipients (message_id, address) select id, $${load.batch + 1} from message`;
const values = [...Array.from({ length: load.batch }, () => load.body), 'ann@example.com'];

async function loop(): Promise<void> {
  const client = new pg.Client({ connectionString: load.url });
  await client.connect();
  while (count.running) {
    const startedAt = performance.now();
    await client.query({ name: 'insert', text, values });
    count.note(performance.now() - startedAt, true);
  }
  await client.end();
}

const loops = Array.from({ length: load.connections }, loop);
await Promise.all([count.during(load), ...loops]);
count.print();
