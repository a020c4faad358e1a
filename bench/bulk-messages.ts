// Messages per second of POST /bulk_messages (50 of 5 KB each) as a ratio to a bare loop that inserts rows of the same
// size, 50 per commit.
import type { BulkLoad } from './bulk-loop.ts';
import type { Load } from './driver.ts';
import { type Measured, measure, measureWith } from './measure.ts';
import { HTTP_PORT, Installation, MESSAGE, report } from './product.ts';

const BATCH = 50;
const CONNECTIONS = 8;
const LEAST_RATIO = 0.3;
const LOOPS = [1, 2, 4, 8];

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

async function createBareTables(): Promise<void> {
  await product.sql('postgres', 'create database bare');
  await product.sql(
    'bare',
    `create table bulk_messages (id bigint generated always as identity primary key, body text not null);
     create table bulk_recipients (message_id bigint not null, address text not null)`,
  );
}

/** The loop at its best number of connections. */
async function measureBare(storage: string): Promise<Measured> {
  let best: Measured | undefined;
  await product.sql('bare', `alter table bulk_messages alter column body set storage ${storage}`);
  for (const connections of LOOPS) {
    await product.sql('bare', 'truncate bulk_messages, bulk_recipients; checkpoint');
    const url = product.url('bare');
    const load: BulkLoad = { url, body: MESSAGE, batch: BATCH, connections, warmupSeconds: 2, seconds: 5 };
    const measured = await measureWith('bulk-loop.ts', load, product.pid, product.postmaster);
    report(`bare loop, ${connections}, ${storage}`, measured, BATCH);
    if (best === undefined || measured.perSecond > best.perSecond) best = measured;
  }
  return best as Measured;
}

await product.start('http');
await createBareTables();
const first = await measureProduct();
const compressed = await measureBare('extended');
// What the product writes is sealed and cannot be compressed: rows that stay as long as they are do as much writing.
const whole = await measureBare('external');
const second = await measureProduct();
const perSecond = (first.perSecond + second.perSecond) / 2;
const toCompressed = perSecond / compressed.perSecond;
const ratio = Math.min(toCompressed, perSecond / whole.perSecond);
process.stdout.write(
  `\nratio to the best bare loop: ${ratio.toFixed(2)} (at least ${LEAST_RATIO}), to the one whose rows PostgreSQL compresses: ${toCompressed.toFixed(2)}\n`,
);
process.exitCode = ratio >= LEAST_RATIO && first.refused + second.refused === 0 ? 0 : 1;
