// A million people imported from a CSV file of some 95 MB, fresh and again: rows per second, the memory of the process that
// imports and of the server.
// Then half as many others, while messages come in: p99 of POST /messages without an import and during one. `--rows N`
// for fewer.
import { createReadStream, createWriteStream, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { NO_LIMITS } from './form.ts';
import { cpuMicros, type Measured, measureWith, treeOf } from './measure.ts';
import type { OpenLoad } from './open-driver.ts';
import { HTTP_PORT, Installation, messageLoad } from './product.ts';

const { values } = parseArgs({ options: { rows: { type: 'string', default: '1000000' } } });
const ROWS = Number(values.rows);
const MOST_SECONDS = (150 * ROWS) / 1_000_000;
const MOST_MEMORY_MB = 200;
const MOST_P99_RATIO = 3;
const RATE = 100;
const CONNECTIONS = 32;
const QUIET_SECONDS = 15;
const BASE = '/v1/marketing/imports';

interface Attributes {
  state: string;
  created: number;
  unchanged: number;
  failure: string | null;
}

function* lines(first: number, count: number): Generator<string> {
  yield 'email,first_name,last_name,phone,Ward,Member since\n';
  const end = first + count;
  for (let from = first; from < end; from += 1_000) {
    let text = '';
    for (let row = from; row < Math.min(from + 1_000, end); row += 1) {
      const mixed = (row * 7_919) % 9_999_991;
      text += `person.${mixed}.${row}@clinic-${row % 5_000}.example.com,First${mixed % 4_001},Last-name${mixed % 20_011},+1415${String(row).padStart(7, '0')},Ward ${mixed % 97},20${String(10 + (row % 15))}-0${1 + (row % 9)}-1${row % 10}\n`;
    }
    yield text;
  }
}

/** Sends the file as a client would and answers with the id of the import. */
async function post(product: Installation, file: string): Promise<string> {
  const text = await new Promise<string>((resolve, reject) => {
    const headers = { authorization: `Bearer ${product.key}`, 'content-type': 'text/csv' };
    const sent = request({ port: HTTP_PORT, path: BASE, method: 'POST', headers }, (reply) => {
      Readable.from(reply)
        .toArray()
        .then((parts) => resolve(Buffer.concat(parts).toString()), reject);
    });
    pipeline(createReadStream(file), sent).catch(reject);
  });
  return (JSON.parse(text) as { data: { id: string } }).data.id;
}

function memoryMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

/** The process that works on the import, while there is one. */
function importProcess(product: Installation): number | undefined {
  const others = new Set([product.pid, ...treeOf(product.postmaster)]);
  return treeOf(product.pid).find((pid) => !others.has(pid));
}

interface Imported {
  seconds: number;
  /** Of the process that works on it. */
  peakMb: number;
  attributes: Attributes;
}

async function importOnce(product: Installation, name: string, file: string, rows: number): Promise<Imported> {
  const startedAt = performance.now();
  let worker: number | undefined;
  const cpu = () => [
    cpuMicros(worker === undefined ? [product.pid] : [product.pid, worker]),
    cpuMicros(treeOf(product.postmaster)),
  ];
  const before = cpu();
  const id = await post(product, file);
  const uploaded = (performance.now() - startedAt) / 1_000;
  let peakMb = 0;
  let serverMb = 0;
  for (;;) {
    const { data } = (await product.call('GET', `${BASE}/${id}`)) as { data: { attributes: Attributes } };
    worker ??= importProcess(product);
    if (worker !== undefined) peakMb = Math.max(peakMb, memoryMb(worker));
    serverMb = Math.max(serverMb, memoryMb(product.pid));
    if (['waiting', 'running'].includes(data.attributes.state)) {
      await sleep(250);
      continue;
    }
    const seconds = (performance.now() - startedAt) / 1_000;
    const [node = 0, postgres = 0] = cpu().map((after, index) => (after - (before[index] as number)) / 1_000_000);
    const { state, created, unchanged, failure } = data.attributes;
    process.stdout.write(
      `${name.padEnd(24)} ${seconds.toFixed(1)} s (${uploaded.toFixed(1)} s to send), ${(rows / seconds).toFixed(0)} rows/s, peak ${peakMb.toFixed(0)} MB, the server ${serverMb.toFixed(0)} MB, CPU s: node ${node.toFixed(1)}, PostgreSQL ${postgres.toFixed(1)}; ${failure ?? state}, created ${created}, unchanged ${unchanged}\n`,
    );
    return { seconds, peakMb, attributes: data.attributes };
  }
}

function accept(product: Installation, seconds: number): Promise<Measured> {
  const load: OpenLoad = { ...messageLoad(HTTP_PORT, product.key, CONNECTIONS, seconds), rate: RATE };
  return measureWith('open-driver.ts', load, product.pid, product.postmaster);
}

function tell(name: string, { p50, p99, refused }: Measured): void {
  process.stdout.write(`${name.padEnd(24)} p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, refused ${refused}\n`);
}

async function write(name: string, first: number, count: number): Promise<string> {
  const file = join(product.dataDir, name);
  await pipeline(Readable.from(lines(first, count)), createWriteStream(file));
  return file;
}

await using product = new Installation();
await product.start('http,worker', NO_LIMITS);
const file = await write('people.csv', 0, ROWS);
const others = await write('others.csv', ROWS, ROWS / 2);
process.stdout.write(`server alone             ${memoryMb(product.pid).toFixed(0)} MB\n`);
const fresh = await importOnce(product, 'fresh', file, ROWS);
const again = await importOnce(product, 'again', file, ROWS);
const quiet = await accept(product, QUIET_SECONDS);
tell('messages, no import', quiet);
const [busy] = await Promise.all([
  sleep(1_000).then(() => accept(product, Math.max(5, Math.min(30, fresh.seconds / 2 - 5)))),
  importOnce(product, 'half, with messages', others, ROWS / 2),
]);
tell('messages, while importing', busy);
const ratio = busy.p99 / quiet.p99;
const slowest = Math.max(fresh.seconds, again.seconds);
const peak = Math.max(fresh.peakMb, again.peakMb);
process.stdout.write(
  `\nslowest ${slowest.toFixed(1)} s (at most ${MOST_SECONDS}), peak ${peak.toFixed(0)} MB (at most ${MOST_MEMORY_MB}), p99 of messages ${ratio.toFixed(2)} times that without (at most ${MOST_P99_RATIO})\n`,
);
const isWhole = fresh.attributes.created === ROWS && again.attributes.unchanged === ROWS;
process.exitCode =
  isWhole && slowest <= MOST_SECONDS && peak <= MOST_MEMORY_MB && ratio <= MOST_P99_RATIO && busy.refused === 0 ? 0 : 1;
