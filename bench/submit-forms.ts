// Durable submissions per second of a form with five questions (64 connections) as a ratio to the bare route.
import { createForm, NO_LIMITS, submissionLoad } from './form.ts';
import { type Measured, measure } from './measure.ts';
import { Installation, report } from './product.ts';

const CONNECTIONS = 64;
const LEAST_RATIO = 0.4;
const POOLS = ['8', '16', '32'];

await using product = new Installation();

async function measureForm(name: string, formId: string): Promise<Measured> {
  await product.sql('carepost', 'checkpoint');
  const measured = await measure(submissionLoad({ formId }, CONNECTIONS, 10), product.pid, product.postmaster);
  report(name, measured);
  return measured;
}

async function measureBare(): Promise<Measured> {
  let best: Measured | undefined;
  for (const pool of POOLS) {
    const bare = await product.startBare(pool);
    const load = submissionLoad({ barePort: bare.port }, CONNECTIONS, 6);
    const measured = await measure(load, bare.pid, product.postmaster);
    report(`bare route, pool ${pool}`, measured);
    await bare.stop();
    if (best === undefined || measured.perSecond > best.perSecond) best = measured;
  }
  return best as Measured;
}

await product.start('http', NO_LIMITS);
await product.createBare();
const plain = await createForm(product, false);
const full = await createForm(product, true);
const first = await measureForm('submit, all effects', full);
const bare = await measureBare();
const second = await measureForm('submit, all effects', full);
const storedOnly = await measureForm('submit, stored only', plain);
const ratio = (first.perSecond + second.perSecond) / 2 / bare.perSecond;
process.stdout.write(
  `\nratio to the bare route: ${ratio.toFixed(2)} (at least ${LEAST_RATIO}), stored only: ${(storedOnly.perSecond / bare.perSecond).toFixed(2)}\n`,
);
const refused = first.refused + second.refused + storedOnly.refused + bare.refused;
process.exitCode = ratio >= LEAST_RATIO && refused === 0 ? 0 : 1;
