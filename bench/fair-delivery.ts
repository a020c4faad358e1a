// How long mail to calm domains takes from its acceptance to the mail server, alone, and beside domains that another customer
// or the same has flooded: 9,000 messages to a server that takes 100 ms for each, 900 to one where nothing listens, and 360
// to one that accepts connections and says nothing. While these wait in the queue the p99 shall be within twice that of the
// calm; what it is while they are handed in as fast as they are taken is told beside it.
// What met a moment in which the host took the machine away is left out, alone and beside the flood.
// `--flood N` for another flood, `--seconds N` for a shorter look.
import { createServer, type Socket } from 'node:net';
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { arrivals, sendCalmly } from './calm-mail.ts';
import { startMailWorld } from './mail-world.ts';
import { Installation, MIME, SMTP_PORT } from './product.ts';
import { StealWatch } from './steal-watch.ts';
import { submit } from './submit.ts';
import { undisturbed } from './undisturbed.ts';

const { values } = parseArgs({
  options: { flood: { type: 'string', default: '9000' }, seconds: { type: 'string', default: '40' } },
});
const FLOOD = Number(values.flood);
const SECONDS = Number(values.seconds);
const WARM_UP_SECONDS = 5;
const PER_SECOND = 20;
const MOST_RATIO = 2;
const CALM_SERVERS = ['calm-1.example', 'calm-2.example', 'calm-3.example', 'calm-4.example'];
const CALM_DOMAINS = Array.from({ length: 20 }, (_, at) => `clinic-${at}.example`);
const SLOW = { domain: 'slow.example', share: 1, connections: 8, delayMs: 100 };
const DEAD = { domain: 'dead.example', share: 0.1, connections: 2, address: '127.0.0.100' };
const SILENT = { domain: 'silent.example', share: 0.04, connections: 2, address: '127.0.0.101' };

type Flooder = 'nobody' | 'another customer' | 'the same customer';

await using ending = new AsyncDisposableStack();
const world = await startMailWorld([...CALM_SERVERS, SLOW.domain], { [SLOW.domain]: SLOW.delayMs });
ending.defer(() => world.stop());
const calmSinks = world.sinks.slice(0, CALM_SERVERS.length);
for (const [at, domain] of CALM_DOMAINS.entries()) {
  world.zone[domain] = { mx: [[10, `mx.${CALM_SERVERS[at % CALM_SERVERS.length]}`]] };
}
for (const { domain, address } of [DEAD, SILENT]) {
  world.zone[domain] = { mx: [[10, `mx.${domain}`]] };
  world.zone[`mx.${domain}`] = { a: [address] };
}
const held = new Set<Socket>();
const silent = createServer((socket) => void held.add(socket.on('error', () => {}).resume()));
silent.listen(Number(world.env.CAREPOST_MX_PORT), SILENT.address);
ending.defer(() => {
  silent.close();
  for (const socket of held) socket.destroy();
});

using watch = new StealWatch();
let rounds = 0;
const alone = await undisturbed(() => measureBeside('nobody'));
const others = await undisturbed(() => measureBeside('another customer'));
const own = await undisturbed(() => measureBeside('the same customer'));
const ratios = [others / alone, own / alone];
process.stdout.write(
  `ratios of p99: ${ratios.map((ratio) => ratio.toFixed(2)).join(' and ')} (at most ${MOST_RATIO})\n`,
);
process.exitCode = ratios.every((ratio) => ratio <= MOST_RATIO) ? 0 : 1;

/** Sends calm mail through a product of its own beside a flood, and answers the p99 of its times. */
async function measureBeside(flooder: Flooder): Promise<number> {
  await using product = new Installation();
  await product.start('http,smtp,worker', world.env);
  rounds += 1;
  const name = `${flooder.replaceAll(' ', '-')}-${rounds}`;
  const from = `clinic@calm-${name}.example`;
  await verify(product, product.key, from);
  const calm = { from, domains: CALM_DOMAINS, perSecond: PER_SECOND };
  await sendCalmly(product, { ...calm, prefix: `warm-up-${name}`, until: inSeconds(WARM_UP_SECONDS) });
  await product.sql('carepost', 'checkpoint');
  if (flooder !== 'nobody') {
    const key = flooder === 'another customer' ? product.createCustomer('flooder') : product.key;
    const floodFrom = `clinic@flood-${name}.example`;
    await verify(product, key, floodFrom);
    const prefix = `meanwhile-${name}`;
    const accepted = await sendCalmly(product, { ...calm, prefix, until: flood(key, floodFrom) });
    await tell(`while ${flooder} hands a flood in`, accepted);
    process.stdout.write(`  in the queue: ${await queuedByDomain(product)}\n`);
  }
  const accepted = await sendCalmly(product, { ...calm, prefix: name, until: inSeconds(SECONDS) });
  const p99 = await tell(flooder === 'nobody' ? 'alone' : `beside the flood of ${flooder}`, accepted);
  if (flooder !== 'nobody') process.stdout.write(`  still in the queue: ${await queuedByDomain(product)}\n`);
  return p99;
}

function inSeconds(seconds: number): Promise<void> {
  return sleep(seconds * 1000);
}

/** Says how long messages took, and answers their p99. */
async function tell(when: string, accepted: Map<string, number>): Promise<number> {
  const all = await arrivals(accepted, calmSinks);
  const times = all.filter(({ acceptedAt }) => !watch.met(acceptedAt)).map(({ ms }) => ms);
  const [p50, p99, worst] = [0.5, 0.99, 1].map((part) => times[Math.ceil(times.length * part) - 1] as number);
  process.stdout.write(
    `${when}: ${times.length} of ${all.length} calm messages, p50 ${p50} ms, p99 ${p99} ms, worst ${worst} ms, load ${loadavg()[0]?.toFixed(2)}\n`,
  );
  return p99 as number;
}

function verify(product: Installation, key: string, from: string): Promise<void> {
  const call = (method: string, path: string, body?: object) => product.call(method, path, body, key);
  return world.verifySender(call, from.slice(from.indexOf('@') + 1));
}

/** Hands the whole flood in as fast as it is taken. */
async function flood(key: string, from: string): Promise<void> {
  const batches = [SLOW, DEAD, SILENT].map(({ domain, share, connections }) =>
    submit({
      port: SMTP_PORT,
      user: 'apikey',
      password: key,
      messages: Math.round(FLOOD * share),
      from,
      domain,
      first: 0,
      message: MIME.replaceAll('clinic@example.org', from),
      connections,
    }),
  );
  const submitted = await Promise.all(batches);
  const refused = submitted.reduce((sum, batch) => sum + batch.refused, 0);
  if (refused > 0) throw new Error(`${refused} messages of the flood were refused`);
}

/** What waits of the flood, so that it is seen to last. */
async function queuedByDomain(product: Installation): Promise<string> {
  const rows = await product.sql<{ domain: string; count: number }>(
    'carepost',
    `select domain, count(*)::int as count from message_recipients
     where state = 'queued' and domain = any('{${[SLOW, DEAD, SILENT].map(({ domain }) => domain).join(',')}}')
     group by domain order by domain`,
  );
  return rows.map(({ domain, count }) => `${count} for ${domain}`).join(', ') || 'nothing';
}
