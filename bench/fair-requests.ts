// How long a customer who sends 20 messages a second waits for each to be accepted over HTTP: alone, and beside another customer
// who sends as fast as 500 connections can from the same network, far beyond the limit of its key. For information also with no
// limit in its way, when the machine itself is what both share.
import type { Counted } from './count.ts';
import { drive } from './measure.ts';
import type { OpenLoad } from './open-driver.ts';
import { HTTP_PORT, Installation, messageLoad } from './product.ts';
import { undisturbed } from './undisturbed.ts';

const PER_SECOND = 20;
const CALM_CONNECTIONS = 8;
const FLOOD_CONNECTIONS = 500;
const SECONDS = 30;
const MOST_RATIO = 2;
/** Of what a key may send in a minute, a calm one uses two thirds. */
const LIMIT = { CAREPOST_LIMITS: `key=${PER_SECOND * 90}/60s` };
const NO_LIMIT = { CAREPOST_LIMITS: 'key=9000000/60s' };

async function sendCalmly(product: Installation): Promise<Counted> {
  const load: OpenLoad = { ...messageLoad(HTTP_PORT, product.key, CALM_CONNECTIONS, SECONDS), rate: PER_SECOND };
  return (await drive('open-driver.ts', load, () => [])).counted;
}

function tell(when: string, { p50, p99, refused }: Counted): void {
  process.stdout.write(`${when}: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, refused ${refused}\n`);
}

/** The p99 of the calm customer alone, and beside the other, of one installation. */
async function compare(settings: Record<string, string>, name: string): Promise<number> {
  await using product = new Installation();
  await product.start('http', settings);
  const flooder = product.createCustomer('flooder');
  const alone = await undisturbed(() => sendCalmly(product));
  tell('alone', alone);
  const beside = await undisturbed(async () => {
    const load = messageLoad(HTTP_PORT, flooder, FLOOD_CONNECTIONS, SECONDS + 10);
    const [{ counted }, calm] = await Promise.all([drive('driver.ts', load, () => []), sendCalmly(product)]);
    process.stdout.write(`  ${name}: ${counted.perSecond.toFixed(0)} requests a second, ${counted.refused} refused\n`);
    return calm;
  });
  tell(`beside a flood, ${name}`, beside);
  if (beside.refused > 0) throw new Error('messages of the calm customer were refused');
  return beside.p99 / alone.p99;
}

const unlimited = await compare(NO_LIMIT, 'with no limit in its way');
const limited = await compare(LIMIT, 'beyond its limit');
process.stdout.write(
  `\nratio of p99: ${limited.toFixed(2)} (at most ${MOST_RATIO}); with no limit in the way ${unlimited.toFixed(2)}\n`,
);
process.exitCode = limited <= MOST_RATIO ? 0 : 1;
