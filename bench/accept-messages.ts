// Durable accepts per second of POST /messages (5 KB, 64 connections) as a ratio to the bare route.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withConnection } from '../src/platform/db/pool.ts';
import type { Load } from './driver.ts';
import { type Measured, measure, startScript } from './measure.ts';

const CONNECTIONS = 64;
const BODY_BYTES = 5 * 1024;
const LEAST_RATIO = 0.5;
const POOLS = ['4', '8', '16', '32'];

function words(bytes: number): string {
  const some =
    'appointment result clinic patient please bring insurance card and arrive ten minutes early thank you'.split(' ');
  let seed = 7;
  let text = '';
  while (text.length < bytes) {
    seed = (seed * 1103515245 + 12345) % 2 ** 31;
    text += `${some[seed % some.length]}${seed % 97} `;
  }
  return text.slice(0, bytes);
}

function bodyWith(text: string): string {
  return JSON.stringify({
    data: {
      message: {
        recipients: ['Ann Patient <ann@example.com>'],
        headers: { from: 'Clinic <clinic@example.org>', subject: 'Your appointment' },
        content: { 'text/plain': 'See below.', 'text/html': `<p>${text}</p>` },
      },
    },
  });
}

function report(name: string, { perSecond, p50, p99, nodeMicros, postgresMicros, cpuMicros, refused }: Measured): void {
  const cpu = `CPU µs per request: node ${nodeMicros.toFixed(0)}, PostgreSQL ${postgresMicros.toFixed(0)}, driver ${cpuMicros.toFixed(0)}`;
  process.stdout.write(
    `${name.padEnd(28)} ${perSecond.toFixed(0).padStart(6)}/s  p50 ${p50.toFixed(1)} ms  p99 ${p99.toFixed(1)} ms  ${cpu}${refused > 0 ? `  REFUSED ${refused}` : ''}\n`,
  );
}

async function assertDurable(url: string): Promise<void> {
  const names = ['fsync', 'synchronous_commit', 'full_page_writes'];
  const { rows } = await withConnection(url, (client) =>
    client.query('select name, setting from pg_settings where name = any($1)', [names]),
  );
  const off = rows.filter((row: { setting: string }) => row.setting !== 'on');
  if (rows.length !== names.length || off.length > 0) throw new Error('the database is not durable');
}

const body = bodyWith(words(BODY_BYTES - bodyWith('').length));
const folder = mkdtempSync(join(tmpdir(), 'carepost-bench-'));
const dataDir = join(folder, 'data');

function startProduct(roles: string) {
  const env = {
    CAREPOST_DATA_DIR: dataDir,
    CAREPOST_HTTP_PORT: '18080',
    CAREPOST_ROLES: roles,
    CAREPOST_LOG_LEVEL: 'warn',
  };
  return startScript('../src/main.ts', ['serve'], env, /Dashboard.*\n\n|curl .*\n/s);
}

function loadFor(port: number, key: string | null, seconds: number): Load {
  const headers: Record<string, string> = key === null ? {} : { Authorization: `Bearer ${key}` };
  const path = key === null ? '/messages' : '/v1/email/messages';
  return {
    port,
    path,
    headers,
    body,
    connections: CONNECTIONS,
    warmupSeconds: 3,
    seconds,
  };
}

function postmaster(): number {
  return Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
}

function ownerUrl(database: string): string {
  const { socketFolder, password } = JSON.parse(readFileSync(join(dataDir, 'postgres.json'), 'utf8'));
  return `postgres://carepost_owner:${password}@${encodeURIComponent(socketFolder)}/${database}`;
}

async function measureBare(): Promise<Measured> {
  let best: Measured | undefined;
  for (const pool of POOLS) {
    await withConnection(ownerUrl('bare'), (client) => client.query('truncate bare; checkpoint'));
    const server = await startScript('baseline.ts', [ownerUrl('bare'), pool], {}, /listening \d+/);
    const port = Number(/listening (\d+)/.exec(server.output())?.[1]);
    const measured = await measure(loadFor(port, null, 6), server.child.pid as number, postmaster());
    report(`bare route, pool ${pool}`, measured);
    await server.stop();
    if (best === undefined || measured.perSecond > best.perSecond) best = measured;
  }
  return best as Measured;
}

try {
  let product = await startProduct('http');
  const key = /cp_live_\w+/.exec(product.output())?.[0] as string;
  await assertDurable(ownerUrl('carepost'));
  await withConnection(ownerUrl('postgres'), (client) => client.query('create database bare'));
  await withConnection(ownerUrl('bare'), (client) =>
    client.query('create table bare (id bigint generated always as identity primary key, body text not null)'),
  );
  const measureProduct = async (name: string) => {
    await withConnection(ownerUrl('carepost'), (client) => client.query('checkpoint'));
    const measured = await measure(loadFor(18080, key, 10), product.child.pid as number, postmaster());
    report(name, measured);
    return measured;
  };
  const first = await measureProduct('accept, no delivery');
  const bare = await measureBare();
  const second = await measureProduct('accept, no delivery');
  const ratio = (first.perSecond + second.perSecond) / 2 / bare.perSecond;
  await product.stop();
  product = await startProduct('http,worker');
  const busy = await measureProduct('accept, delivery on');
  await product.stop();
  process.stdout.write(
    `\nratio to the bare route: ${ratio.toFixed(2)} (at least ${LEAST_RATIO}), with delivery on: ${(busy.perSecond / bare.perSecond).toFixed(2)}\n`,
  );
  process.exitCode = ratio >= LEAST_RATIO ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
