// Durable accepts per second of POST /messages (5 KB, 64 connections) as a ratio to the bare route.
import { type Measured, measure } from './measure.ts';
import { HTTP_PORT, Installation, messageLoad, report } from './product.ts';
import { undisturbed } from './undisturbed.ts';

const CONNECTIONS = 64;
const LEAST_RATIO = 0.5;
const POOLS = ['4', '8', '16', '32'];

await using product = new Installation();

async function measureProduct(name: string): Promise<Measured> {
  await product.sql('carepost', 'checkpoint');
  const load = messageLoad(HTTP_PORT, product.key, CONNECTIONS, 10);
  const measured = await undisturbed(() => measure(load, product.pid, product.postmaster));
  report(name, measured);
  return measured;
}

async function measureBare(): Promise<Measured> {
  let best: Measured | undefined;
  for (const pool of POOLS) {
    const bare = await product.startBare(pool);
    const load = messageLoad(bare.port, null, CONNECTIONS, 6);
    const measured = await undisturbed(() => measure(load, bare.pid, product.postmaster));
    report(`bare route, pool ${pool}`, measured);
    await bare.stop();
    if (best === undefined || measured.perSecond > best.perSecond) best = measured;
  }
  return best as Measured;
}

await product.start('http');
await product.createBare();
const first = await measureProduct('accept, no delivery');
const bare = await measureBare();
const second = await measureProduct('accept, no delivery');
const ratio = (first.perSecond + second.perSecond) / 2 / bare.perSecond;
await product.start('http,worker');
const busy = await measureProduct('accept, delivery on');
process.stdout.write(
  `\nratio to the bare route: ${ratio.toFixed(2)} (at least ${LEAST_RATIO}), with delivery on: ${(busy.perSecond / bare.perSecond).toFixed(2)}\n`,
);
const refused = first.refused + second.refused + bare.refused;
process.exitCode = ratio >= LEAST_RATIO && refused === 0 ? 0 : 1;
