// Submissions of 250 MB: memory above idle for one and for eight at once, time beside hashing and writing the same bytes,
// and the latency of small ones while four large ones come at 20 MB/s each.
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createForm, NO_LIMITS, submissionLoad } from './form.ts';
import { measure } from './measure.ts';
import { HTTP_PORT, Installation, report } from './product.ts';

const TOTAL = 262_144_000;
const PIECE = 64 * 1024;
const MB = 2 ** 20;
const MOST_FOR_ONE = 150;
const MOST_FOR_EIGHT = 400;
const MOST_TIME_RATIO = 4;
const MOST_P99_RATIO = 4;

const HEAD = Buffer.from(
  '{"form_data":{"first_name":"Ann","email":"a@example.com","born":"1980-01-01"},"attachments":[{"content":"',
);
const TAIL = Buffer.from('","name":"scan.bin"}]}');
const CONTENT = TOTAL - HEAD.length - TAIL.length - ((TOTAL - HEAD.length - TAIL.length) % 4);
const TEXT = Buffer.alloc(PIECE, 'Q2FyZXBvc3QgYmVuY2htYXJrIGJ5dGVz');

await using product = new Installation();
await product.start('http', NO_LIMITS);
const formId = await createForm(product, 'notified');

/** Sends one body of 250 MB over a connection of its own, at a rate where one is given; answers with the status. */
async function send(bytesPerSecond: number | null = null): Promise<number> {
  const socket = connect({ host: '127.0.0.1', port: HTTP_PORT, noDelay: true });
  let reply = '';
  socket.on('data', (chunk) => (reply += chunk));
  const ended = new Promise<void>((resolve, reject) => {
    socket.once('close', () => resolve()).once('error', reject);
  });
  const write = (bytes: Buffer) =>
    socket.write(bytes) ? undefined : new Promise<void>((resolve) => void socket.once('drain', resolve));
  const length = HEAD.length + CONTENT + TAIL.length;
  const head = `POST /v1/forms/api/forms/${formId}/submissions HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
  await write(Buffer.from(head));
  await write(HEAD);
  const startedAt = performance.now();
  for (let sent = 0; sent < CONTENT; sent += PIECE) {
    await write(TEXT.subarray(0, Math.min(PIECE, CONTENT - sent)));
    if (bytesPerSecond !== null)
      await sleep(Math.max(0, (sent / bytesPerSecond) * 1000 - (performance.now() - startedAt)));
  }
  await write(TAIL);
  await ended;
  return Number(/^HTTP\/1.1 (\d+)/.exec(reply)?.[1]);
}

function residentMb(line: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${product.pid}/status`, 'utf8');
  return Number(new RegExp(`${line}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
}

/** The most memory that the server had above what it had before. */
async function peakMb(count: number): Promise<number> {
  await sleep(3_000);
  const idle = residentMb('VmRSS');
  writeFileSync(`/proc/${product.pid}/clear_refs`, '5'); // forgets the peak so far
  const statuses = await Promise.all(Array.from({ length: count }, () => send()));
  if (statuses.some((status) => status !== 201)) throw new Error(`answered ${statuses.join(' ')}`);
  const above = residentMb('VmHWM') - idle;
  process.stdout.write(`${count} at once: ${above.toFixed(0)} MB above ${idle.toFixed(0)} MB\n`);
  return above;
}

/** How long hashing and writing the same bytes takes, durably, and nothing else. */
async function hashAndWrite(): Promise<number> {
  const path = join(tmpdir(), `carepost-bench-${process.pid}`);
  const startedAt = performance.now();
  const hash = createHash('sha256');
  await using file = await open(path, 'wx');
  for (let written = 0; written < TOTAL; written += PIECE) {
    hash.update(TEXT);
    await file.write(TEXT);
  }
  await file.sync();
  hash.digest();
  rmSync(path);
  return performance.now() - startedAt;
}

async function timeRatio(): Promise<number> {
  const ratios: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const baseline = await hashAndWrite();
    const startedAt = performance.now();
    await send();
    const took = performance.now() - startedAt;
    process.stdout.write(`one: ${(took / 1000).toFixed(2)} s, hash and write: ${(baseline / 1000).toFixed(2)} s\n`);
    ratios.push(took / baseline);
  }
  return ratios.toSorted((one, other) => one - other)[1] as number;
}

async function smallBeside(name: string): Promise<number> {
  const load = { ...submissionLoad({ formId }, 4, 8), warmupSeconds: 1 };
  const measured = await measure(load, product.pid, product.postmaster);
  report(name, measured);
  return measured.p99;
}

await smallBeside('small ones, warm-up');
const forOne = await peakMb(1);
const forEight = await peakMb(8);
const time = await timeRatio();
const alone = await smallBeside('small ones, alone');
const large = Promise.all(Array.from({ length: 4 }, () => send(20 * MB)));
const beside = await smallBeside('small ones beside four large');
await large;
process.stdout.write(
  `\nmemory for one ${forOne.toFixed(0)} MB (at most ${MOST_FOR_ONE}), for eight ${forEight.toFixed(0)} MB (at most ${MOST_FOR_EIGHT}), ` +
    `time ${time.toFixed(2)} (at most ${MOST_TIME_RATIO}), p99 of small ones ${(beside / alone).toFixed(2)} (at most ${MOST_P99_RATIO})\n`,
);
const good =
  forOne <= MOST_FOR_ONE && forEight <= MOST_FOR_EIGHT && time <= MOST_TIME_RATIO && beside / alone <= MOST_P99_RATIO;
process.exitCode = good ? 0 : 1;
