// Messages per second of POST /bulk_messages (50 of 5 KB each) as a ratio to a bare loop that inserts the same rows,
// 50 messages per commit.
import type { BulkLoad } from './bulk-loop.ts';
import type { Load } from './driver.ts';
import { type Measured, measure, measureWith } from './measure.ts';
import { HTTP_PORT, Installation, MESSAGE, report } from './product.ts';

const BATCH = 50;
const CONNECTIONS = 8;
const LEAST_RATIO = 0.3;
const LOOPS = [1, 2, 4, 8];
const TABLES = ['messages', 'message_contents', 'message_recipients', 'audit_log'];

await using product = new Installation();

async function measureProduct(): Promise<Measured> {
  await product.sql('carepost', 'checkpoint');
  const load: Load = {
    port: HTTP_PORT,
    path: '/v1/email/bulk_messages',
    headers: { Authorization: `Bearer ${product.key}` },
    body: `{"data":{"messages":[${Array.from({ length: BATCH }, () => MESSAGE).join(',')}]}}`,
    connections: CONNECTIONS,
    warmupSeconds: 3,
    seconds: 10,
  };
  const measured = await measure(load, product.pid, product.postmaster);
  report(`bulk_messages, ${CONNECTIONS} connections`, measured, BATCH);
  return measured;
}

/** Copies of the product's tables with their columns, storage and indexes, in a schema beside it. */
async function createCopies(): Promise<void> {
  const copies = TABLES.map((table) => `create table bare.${table} (like public.${table} including all)`);
  await product.sql('carepost', `create schema bare; ${copies.join('; ')}`);
}

/** How long the product's own sealed values are. */
async function readSizes(): Promise<{ envelopeBytes: number; contentBytes: number }> {
  const [sizes] = await product.sql<{ envelopeBytes: number; contentBytes: number }>(
    'carepost',
    `select (select max(length(envelope)) from messages) as "envelopeBytes",
       (select max(length(sealed)) from message_contents) as "contentBytes"`,
  );
  return sizes as { envelopeBytes: number; contentBytes: number };
}

/** The loop at its best number of connections. */
async function measureBare(): Promise<Measured> {
  let best: Measured | undefined;
  const sizes = await readSizes();
  for (const connections of LOOPS) {
    await product.sql('carepost', `truncate ${TABLES.map((table) => `bare.${table}`).join(', ')}; checkpoint`);
    const url = `${product.url('carepost')}?options=-csearch_path%3Dbare`;
    const load: BulkLoad = { url, ...sizes, batch: BATCH, connections, warmupSeconds: 2, seconds: 5 };
    const measured = await measureWith('bulk-loop.ts', load, product.pid, product.postmaster);
    report(`bare loop, ${connections} connections`, measured, BATCH);
    if (best === undefined || measured.perSecond > best.perSecond) best = measured;
  }
  return best as Measured;
}

await product.start('http');
await createCopies();
const first = await measureProduct();
const bare = await measureBare();
const second = await measureProduct();
const ratio = (first.perSecond + second.perSecond) / 2 / bare.perSecond;
process.stdout.write(`\nratio to the bare loop: ${ratio.toFixed(2)} (at least ${LEAST_RATIO})\n`);
process.exitCode = ratio >= LEAST_RATIO && first.refused + second.refused === 0 ? 0 : 1;
