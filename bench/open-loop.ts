// Latency of POST /messages (5 KB) under an open loop at half of the peak of the same run, beside the bare route at the
// same rate. `--seconds N` for a shorter run than five minutes.
import { parseArgs } from 'node:util';
import { type Measured, measure, measureWith } from './measure.ts';
import type { OpenCounted, OpenLoad } from './open-driver.ts';
import { HTTP_PORT, Installation, messageLoad, report } from './product.ts';
import { undisturbed } from './undisturbed.ts';

const PEAK_CONNECTIONS = 64;
const CONNECTIONS = 256;
const BARE_POOL = '16';
const SHORT_SECONDS = 60;
const MOST_P50_RATIO = 2;
const P99_RATIO = 3;
const P99_MS = 50;

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '300' } } });
const seconds = Number(values.seconds);
const shortSeconds = Math.min(SHORT_SECONDS, seconds);
type Open = OpenCounted & Measured;

async function measureOpen(name: string, load: OpenLoad, pid: number, postmaster: number): Promise<Open> {
  const measured = (await undisturbed(() => measureWith('open-driver.ts', load, pid, postmaster))) as Open;
  report(`${name}, ${load.seconds} s`, measured);
  const { waited, lateMs, unanswered } = measured;
  process.stdout.write(
    `  every connection busy for ${waited}, unanswered ${unanswered}, driver late by ${lateMs.toFixed(2)} ms on average\n`,
  );
  return measured;
}

async function peakOf(product: Installation): Promise<number> {
  const load = messageLoad(HTTP_PORT, product.key, PEAK_CONNECTIONS, 10);
  const peak = await undisturbed(() => measure(load, product.pid, product.postmaster));
  report('peak, closed loop', peak);
  return peak.perSecond;
}

async function measureBare(product: Installation, rate: number): Promise<Open> {
  await product.createBare();
  const bare = await product.startBare(BARE_POOL);
  const load = { ...messageLoad(bare.port, null, CONNECTIONS, shortSeconds), rate };
  const measured = await measureOpen(`bare route, pool ${BARE_POOL}`, load, bare.pid, product.postmaster);
  await bare.stop();
  return measured;
}

async function measureProduct(product: Installation, name: string, rate: number, forSeconds: number): Promise<Open> {
  const load = { ...messageLoad(HTTP_PORT, product.key, CONNECTIONS, forSeconds), rate };
  return measureOpen(name, load, product.pid, product.postmaster);
}

async function withoutDelivery(): Promise<{ rate: number; product: Open; bare: Open }> {
  await using product = new Installation();
  await product.start('http');
  const rate = Math.floor((await peakOf(product)) / 2);
  process.stdout.write(`\nopen loop at ${rate}/s\n`);
  const bare = await measureBare(product, rate);
  return { rate, product: await measureProduct(product, 'accept, no delivery', rate, seconds), bare };
}

/** In an installation of its own, so that it does not begin with what the other one left undelivered. */
async function withDelivery(rate: number): Promise<void> {
  await using product = new Installation();
  await product.start('http,worker');
  await measureProduct(product, 'accept, delivery on', rate, shortSeconds);
}

const { rate, product, bare } = await withoutDelivery();
await withDelivery(rate);
const p50Ratio = product.p50 / bare.p50;
const mostP99 = Math.max(P99_RATIO * product.p50, P99_MS);
const refused = product.refused + product.unanswered + bare.refused + bare.unanswered;
process.stdout.write(
  `\np50 to the bare route: ${p50Ratio.toFixed(2)} (at most ${MOST_P50_RATIO}), p99 ${product.p99.toFixed(1)} ms (at most ${mostP99.toFixed(1)}), refused ${refused} (none)\n`,
);
process.exitCode = p50Ratio <= MOST_P50_RATIO && product.p99 <= mostP99 && refused === 0 ? 0 : 1;
