// The bare loop that POST /bulk_messages is compared with: each connection commits the rows of 50 messages again and again,
// the same rows as the product's in copies of its tables, by one prepared statement for each table. Runs as a process of
// its own; reads a BulkLoad, prints what it counted, commits as requests.
import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { timeOrderedId } from '../src/platform/ids.ts';
import { Count, readLoad } from './count.ts';

export interface BulkLoad {
  url: string;
  batch: number;
  envelopeBytes: number;
  contentBytes: number;
  connections: number;
  warmupSeconds: number;
  seconds: number;
}

const load = await readLoad<BulkLoad>();
const count = new Count();
const clock = { now: () => new Date() };
const [envelope, content] = [randomBytes(load.envelopeBytes), randomBytes(load.contentBytes)];
const keyId = randomUUID();

/** An insert of so many rows of so many values. */
function insert(table: string, columns: string, rows: unknown[][]) {
  const width = rows[0]?.length ?? 0;
  const places = rows.map((row, at) => `(${row.map((_, index) => `$${at * width + index + 1}`).join(', ')})`);
  return { name: table, text: `insert into ${table} (${columns}) values ${places.join(', ')}`, values: rows.flat() };
}

function inserts() {
  const now = new Date();
  const ids = Array.from({ length: load.batch }, () => timeOrderedId(clock));
  return [
    insert(
      'messages',
      'id, customer_id, content_id, key_id, mode, from_address, envelope, created_at',
      ids.map((id) => [id, 1, id, keyId, 'live', 'clinic@example.org', envelope, now]),
    ),
    insert(
      'message_contents',
      'id, customer_id, sealed',
      ids.map((id) => [id, 1, content]),
    ),
    insert(
      'message_recipients',
      'message_id, ordinal, customer_id, address_index, domain, state, due_at',
      ids.map((id) => [id, 0, 1, envelope.subarray(0, 16), 'example.com', 'queued', now]),
    ),
    insert('audit_log', 'id, customer_id, at, actor_kind, actor_id, action, request_id', [
      [timeOrderedId(clock), 1, now, 'key', keyId, 'message.accepted', keyId],
    ]),
  ];
}

async function loop(): Promise<void> {
  const client = new pg.Client({ connectionString: load.url });
  await client.connect();
  while (count.running) {
    const startedAt = performance.now();
    await client.query('begin');
    for (const query of inserts()) await client.query(query);
    await client.query('commit');
    count.note(performance.now() - startedAt, true);
  }
  await client.end();
}

const loops = Array.from({ length: load.connections }, loop);
await Promise.all([count.during(load), ...loops]);
count.print();
