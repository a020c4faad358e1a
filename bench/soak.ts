// An hour at half of what one process accepts and delivers, with forms filled in and lists read beside it: memory and open
// files must stay where they are, nothing may be refused or fail, and the end must be as quick as the beginning.
// `--minutes N` for less.
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createForm, NO_LIMITS, SUBMISSION } from './form.ts';
import { type Measured, measure, measureWith } from './measure.ts';
import type { OpenCounted } from './open-driver.ts';
import { HTTP_PORT, Installation, messageLoad } from './product.ts';

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '60' } } });
const MINUTES = Number(values.minutes);
const WINDOWS = 6;
const PEAK_SECONDS = 20;
const SERVER = `http://127.0.0.1:${HTTP_PORT}`;
const JSON_POST = { method: 'POST', headers: { 'content-type': 'application/json' } };
const CONNECTIONS = 64;
const SAMPLE_MS = 20_000;
const BESIDE_MS = 250;
const MOST_SLOPE = 1;
const MOST_MORE_FILES = 10;
const P99_SHARE = 0.2;

interface Sample {
  minute: number;
  megabytes: number;
  files: number;
}

await using product = new Installation();
await product.start('http,worker', NO_LIMITS);
const formId = await createForm(product, 'notified');
const rate = Math.floor((await throughput()) / 2);
process.stdout.write(`${rate} messages a second, half of what is accepted and delivered\n`);
const { pid } = product;
const samples: Sample[] = [];
const over = new AbortController();
let beside = 0;
let refused = 0;
const sampling = sample();
const visiting = visit();
const windows: (OpenCounted & Measured)[] = [];
for (let window = 0; window < WINDOWS; window += 1) {
  const load = { ...messageLoad(HTTP_PORT, product.key, CONNECTIONS, (MINUTES * 60) / WINDOWS), rate };
  const measured = (await measureWith('open-driver.ts', load, pid, product.postmaster)) as OpenCounted & Measured;
  windows.push(measured);
  refused += measured.refused + measured.unanswered;
  const { megabytes, files } = samples.at(-1) as Sample;
  process.stdout.write(
    `window ${window + 1}: p50 ${measured.p50.toFixed(1)} ms, p99 ${measured.p99.toFixed(1)} ms, ${megabytes.toFixed(0)} MB, ${files} files, ${await waiting()} wait\n`,
  );
}
over.abort();
await Promise.all([sampling, visiting]);
process.exitCode = judge() ? 0 : 1;

/** Messages a second, from the first that is accepted to the last that is delivered. */
async function throughput(): Promise<number> {
  const startedAt = performance.now();
  const { total } = await measure(
    messageLoad(HTTP_PORT, product.key, CONNECTIONS, PEAK_SECONDS),
    product.pid,
    product.postmaster,
  );
  while ((await waiting()) > 0) await sleep(250);
  return total / ((performance.now() - startedAt) / 1_000);
}

async function waiting(): Promise<number> {
  const counting = `select count(*)::int as waiting from message_recipients where due_at is not null`;
  return (await product.sql<{ waiting: number }>('carepost', counting))[0]?.waiting ?? 0;
}

async function sample(): Promise<void> {
  const startedAt = performance.now();
  while (!over.signal.aborted) {
    const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
    const files = readdirSync(`/proc/${pid}/fd`).length;
    samples.push({ minute: (performance.now() - startedAt) / 60_000, megabytes: kilobytes / 1024, files });
    await sleep(SAMPLE_MS);
  }
}

/** Somebody fills in a form and somebody looks at lists, all the while. */
async function visit(): Promise<void> {
  while (!over.signal.aborted) {
    const page = await fetch(`${SERVER}/f/${formId}`);
    await page.arrayBuffer();
    const body = SUBMISSION.replace('########', String(beside));
    const submission = await fetch(`${SERVER}/v1/forms/api/forms/${formId}/submissions`, { ...JSON_POST, body });
    await submission.arrayBuffer();
    refused += [page, submission].filter(({ ok }) => !ok).length;
    await product.call('GET', '/v1/email/message_log?limit=50');
    await product.call('GET', `/v1/forms/api/forms?customer_id=1`);
    beside += 1;
    await sleep(BESIDE_MS);
  }
}

/** How many megabytes a minute the line through the samples climbs, once a sixth of the time is over. */
function slope(): number {
  const settled = samples.filter(({ minute }) => minute > MINUTES / WINDOWS);
  const mean = (of: (each: Sample) => number) => settled.reduce((sum, each) => sum + of(each), 0) / settled.length;
  const [middle, level] = [mean(({ minute }) => minute), mean(({ megabytes }) => megabytes)];
  const along = mean(({ minute, megabytes }) => (minute - middle) * (megabytes - level));
  return along / mean(({ minute }) => (minute - middle) ** 2);
}

/** The driver opens its connections anew for each window. */
function mostFiles(part: Sample[]): number {
  return Math.max(...part.map(({ files }) => files));
}

function judge(): boolean {
  const half = samples.length / 2;
  const moreFiles = mostFiles(samples.slice(half)) - mostFiles(samples.slice(0, half));
  const [first, last] = [windows[0], windows.at(-1)].map((window) => window?.p99 ?? 0) as [number, number];
  const change = last / first - 1;
  const accepted = windows.reduce((sum, { total }) => sum + total, 0);
  process.stdout.write(
    `${MINUTES} minutes, ${accepted} messages, ${beside} visits beside them, ${refused} refused (none)\n` +
      `memory climbs by ${slope().toFixed(2)} MB a minute (less than ${MOST_SLOPE}), at most ${moreFiles} more files were open in the second half (${MOST_MORE_FILES}),` +
      ` p99 changed by ${(change * 100).toFixed(0)} % (at most ${P99_SHARE * 100})\n`,
  );
  return refused === 0 && slope() < MOST_SLOPE && moreFiles <= MOST_MORE_FILES && Math.abs(change) <= P99_SHARE;
}
