// Accepts per second, and messages per second from the first accept to the last delivery in the sandbox, of 1, 2 and 3
// nodes over one PostgreSQL in the same run. All of them, PostgreSQL and the drivers share the cores of one machine: what
// it shows is what nodes cost each other, not what more machines would give. `--seconds N` for another time of load.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startEmbedded } from '../src/platform/db/embedded.ts';
import { withConnection } from '../src/platform/db/pool.ts';
import { createLog } from '../src/platform/log.ts';
import { freePort } from '../tests/support/server.ts';
import { cpuMicros, drive, startScript, treeOf } from './measure.ts';
import { FLAGS, messageLoad } from './product.ts';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '8' } } });
const SECONDS = Number(values.seconds);
const CONNECTIONS = 48;
const LONGEST_MS = 300_000;

interface Run {
  nodes: number;
  accepted: number;
  delivered: number;
}

await using ending = new AsyncDisposableStack();
const folder = mkdtempSync(join(tmpdir(), 'carepost-scale-'));
ending.defer(() => rmSync(folder, { recursive: true }));
/** Three nodes with every role have 34 connections each at most. */
const ROOMY = { max_connections: '150' };
const postgres = await startEmbedded({ dataDir: folder, log: createLog('silent'), settings: ROOMY });
ending.defer(() => postgres.stop());
const postmaster = Number(readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
let key = '';

const runs: Run[] = [];
for (const nodes of [1, 2, 3, 1]) runs.push(await measureNodes(nodes));
const [one, two, three, again] = runs as [Run, Run, Run, Run];
const base = { accepted: (one.accepted + again.accepted) / 2, delivered: (one.delivered + again.delivered) / 2 };
for (const { nodes, accepted, delivered } of [two, three]) {
  const ratios = `${(accepted / base.accepted).toFixed(2)} in accepts, ${(delivered / base.delivered).toFixed(2)} in deliveries`;
  process.stdout.write(`${nodes} nodes to one: ${ratios}\n`);
}

async function measureNodes(count: number): Promise<Run> {
  await using running = new AsyncDisposableStack();
  const nodes = [];
  for (let number = 0; number < count; number += 1) {
    const node = await startNode(number);
    running.defer(() => node.stop());
    nodes.push(node);
  }
  await sql('checkpoint');
  const before = await counted();
  const startedAt = performance.now();
  const processes = [nodes.map(({ pid }) => pid), treeOf(postmaster)];
  const clocks = () => processes.map(cpuMicros);
  const cpuBefore = clocks();
  const loads = nodes.map(({ port }) => messageLoad(port, key, Math.ceil(CONNECTIONS / count), SECONDS));
  const driven = await Promise.all(loads.map((load) => drive('driver.ts', load, () => [])));
  const accepted = driven.reduce((sum, { counted: { perSecond } }) => sum + perSecond, 0);
  const refused = driven.reduce((sum, run) => sum + run.counted.refused, 0);
  while ((await counted()).queued > 0) {
    if (performance.now() - startedAt > LONGEST_MS) throw new Error('not everything was delivered in time');
    await sleep(100);
  }
  const after = await counted();
  const messages = after.messages - before.messages;
  const kilobytes = (bytes: number) => (bytes / messages / 1000).toFixed(1);
  const delivered = (messages * 1000) / (performance.now() - startedAt);
  const [node, database] = clocks().map((clock, index) => (clock - (cpuBefore[index] as number)) / messages / 1000);
  process.stdout.write(
    `${count} ${count === 1 ? 'node ' : 'nodes'}  ${accepted.toFixed(0).padStart(5)}/s accepted  ${delivered.toFixed(0).padStart(5)}/s accepted and delivered  ` +
      `CPU ms per message: nodes ${node?.toFixed(2)}, PostgreSQL ${database?.toFixed(2)}  ` +
      `KB per message: WAL ${kilobytes(after.wal - before.wal)}, tables and indexes ${kilobytes(after.bytes - before.bytes)}${refused > 0 ? `  REFUSED ${refused}` : ''}\n`,
  );
  return { nodes: count, accepted, delivered };
}

async function startNode(number: number) {
  const port = await freePort();
  const env = {
    CAREPOST_DATA_DIR: join(folder, `node-${number}`),
    CAREPOST_MASTER_KEY_FILE: join(folder, 'master.key'),
    CAREPOST_BLOB_URL: `file://${join(folder, 'blobs')}`,
    CAREPOST_DATABASE_URL: postgres.url,
    CAREPOST_HTTP_PORT: String(port),
    CAREPOST_ROLES: 'http,worker',
    CAREPOST_LOG_LEVEL: 'warn',
  };
  const node = await startScript('../src/main.ts', ['serve'], env, /Dashboard.*\n\n|curl .*\n/s, FLAGS);
  key ||= /cp_live_\w+/.exec(node.output())?.[0] ?? '';
  return { port, pid: node.child.pid as number, stop: node.stop };
}

async function sql<Row>(text: string): Promise<Row[]> {
  return withConnection(postgres.url, async (client) => (await client.query(text)).rows as Row[]);
}

interface Counts {
  messages: number;
  queued: number;
  /** Bytes of WAL since ever, and of the database now. */
  wal: number;
  bytes: number;
}

async function counted(): Promise<Counts> {
  const [row] = await sql<Counts>(
    `select (select count(*) from messages) as messages,
      (select count(*) from message_recipients where state = 'queued') as queued,
      pg_current_wal_lsn() - '0/0' as wal, pg_database_size(current_database()) as bytes`,
  );
  return { ...(row as Counts), wal: Number(row?.wal) };
}
