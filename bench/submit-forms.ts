// Durable submissions per second of a form with five questions (64 connections) as a ratio to the bare route.
import { createEndpoint, createForm, NO_LIMITS, submissionLoad } from './form.ts';
import { type Measured, measure } from './measure.ts';
import { Installation, report } from './product.ts';
import { undisturbed } from './undisturbed.ts';

const CONNECTIONS = 64;
const LEAST_RATIO = 0.4;
const POOLS = ['8', '16', '32'];
const WARM_UP = 10;

await using product = new Installation();

async function measureForm(name: string, formId: string): Promise<Measured> {
  await product.sql('carepost', 'checkpoint');
  const load = { ...submissionLoad({ formId }, CONNECTIONS, 10), warmupSeconds: WARM_UP };
  const measured = await undisturbed(() => measure(load, product.pid, product.postmaster));
  report(name, measured);
  return measured;
}

async function measureBare(): Promise<Measured> {
  let best: Measured | undefined;
  for (const pool of POOLS) {
    const bare = await product.startBare(pool);
    const load = { ...submissionLoad({ barePort: bare.port }, CONNECTIONS, 6), warmupSeconds: WARM_UP };
    const measured = await undisturbed(() => measure(load, bare.pid, product.postmaster));
    report(`bare route, pool ${pool}`, measured);
    await bare.stop();
    if (best === undefined || measured.perSecond > best.perSecond) best = measured;
  }
  return best as Measured;
}

await product.start('http', NO_LIMITS);
await product.createBare();
const kept = await createForm(product, 'kept');
const notified = await createForm(product, 'notified');
const marketing = await createForm(product, 'marketing');
const storedOnly = await measureForm('stored, counted, audited', kept);
await createEndpoint(product);
const first = await measureForm('and mail and event', notified);
const bare = await measureBare();
const second = await measureForm('and mail and event', notified);
const joined = await measureForm('and a list', marketing);
const ratioOf = (...runs: Measured[]) =>
  runs.reduce((sum, run) => sum + run.perSecond, 0) / runs.length / bare.perSecond;
const ratio = ratioOf(first, second);
process.stdout.write(
  `\nratio to the bare route: ${ratio.toFixed(2)} (at least ${LEAST_RATIO}), with a list ${ratioOf(joined).toFixed(2)}, stored only ${ratioOf(storedOnly).toFixed(2)}\n`,
);
const refused = [first, second, storedOnly, joined, bare].reduce((sum, run) => sum + run.refused, 0);
process.exitCode = ratio >= LEAST_RATIO && refused === 0 ? 0 : 1;
