// Durable accepts per second by SMTP submission (STARTTLS, AUTH once per connection, 5 KB) beside Debian's Postfix with
// the same door and the same driver, while neither delivers: Postfix holds the mail, the product runs without a worker.
// For information also while both deliver over TLS.
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuMicros, drive, startScript, treeOf } from './measure.ts';
import { ACCOUNT, canRunPostfix, INSTALL, type Onward, Postfix } from './postfix.ts';
import { Installation, MIME, SMTP_PORT } from './product.ts';
import type { SmtpLoad } from './smtp-driver.ts';
import { canCountSyncs, countSyncs } from './syncs.ts';
import { undisturbed } from './undisturbed.ts';

const CONNECTIONS = 20;
const LEAST_RATIO = 2;
const POSTFIX_PORT = 18588;
const ROUNDS = 2;
const WARM_UP = 8;

interface Peer {
  name: string;
  pid: number;
  /** Whose CPU time is counted. */
  parts(): Record<string, number[]>;
  port: number;
  user: string;
  password: string;
  /** How many messages it has in store, where it delivers none. */
  stored(): Promise<number>;
  /** Resolves once nothing is left to deliver. */
  settled(): Promise<void>;
}

function loadFor({ port, user, password }: Peer, warmupSeconds: number, seconds: number): SmtpLoad {
  const mail = { from: 'clinic@example.org', to: 'ann@example.com', message: MIME };
  return { port, user, password, ...mail, connections: CONNECTIONS, warmupSeconds, seconds };
}

function ms(micros: number): string {
  return (micros / 1000).toFixed(2);
}

async function measurePeer(peer: Peer, delivering: boolean): Promise<number> {
  return undisturbed(() => measureOnce(peer, delivering));
}

async function measureOnce(peer: Peer, delivering: boolean): Promise<number> {
  const before = delivering ? 0 : await peer.stored();
  const clocks = () => Object.values(peer.parts()).map(cpuMicros);
  const { counted, spent } = await drive('smtp-driver.ts', loadFor(peer, WARM_UP, 10), clocks);
  if (counted.refused > 0) throw new Error(`${peer.name} refused ${counted.refused} messages`);
  if (delivering) await peer.settled();
  else if ((await peer.stored()) - before !== counted.total) throw new Error(`${peer.name} keeps another number`);
  const { perSecond, p50, p99, cpuMicros: driver } = counted;
  const times = `p50 ${p50.toFixed(1)} ms  p99 ${p99.toFixed(1)} ms`;
  const parts = Object.keys(peer.parts()).map((part, index) => `${part} ${ms(spent[index] as number)}`);
  const cpu = `CPU ms per message: ${ms(spent.reduce((sum, part) => sum + part, 0))} (${parts.join(', ')}), driver ${ms(driver)}`;
  process.stdout.write(`${peer.name.padEnd(20)} ${perSecond.toFixed(0).padStart(6)}/s  ${times}  ${cpu}\n`);
  return perSecond;
}

/** In a run of its own, since tracing slows every system call down. */
async function syncsPerMessage(peer: Peer): Promise<string> {
  if (!canCountSyncs()) return 'not counted, strace is absent';
  let total = 0;
  const syncs = await countSyncs(treeOf(peer.pid), async () => {
    const { counted } = await drive('smtp-driver.ts', loadFor(peer, 1, 4), () => []);
    total = counted.total;
  });
  return `${(syncs / total).toFixed(2)} (${syncs} for ${total} messages under strace)`;
}

function carepost(product: Installation): Peer {
  const count = async (from: string) => {
    const [row] = await product.sql<{ count: string }>('carepost', `checkpoint; select count(*) from ${from}`);
    return Number(row?.count);
  };
  return {
    name: 'Carepost',
    pid: product.pid,
    parts: () => ({ node: [product.pid], PostgreSQL: treeOf(product.postmaster) }),
    port: SMTP_PORT,
    user: 'apikey',
    password: product.key,
    stored: () => count('messages'),
    async settled() {
      while ((await count('message_recipients where due_at is not null')) > 0) await sleep(500);
    },
  };
}

function postfixPeer(postfix: Postfix): Peer {
  const waiting = () =>
    (['incoming', 'active', 'deferred'] as const).reduce((sum, part) => sum + postfix.queued(part), 0);
  return {
    name: `Postfix ${postfix.version}`,
    pid: postfix.pid,
    parts: () => ({ 'all processes': treeOf(postfix.pid) }),
    port: POSTFIX_PORT,
    ...ACCOUNT,
    stored: async () => postfix.queued('hold'),
    async settled() {
      while (waiting() > 0) await sleep(500);
    },
  };
}

async function compare(roles: string, onward: Onward): Promise<number> {
  await using product = new Installation();
  using postfix = new Postfix();
  await product.start(roles);
  await postfix.start(POSTFIX_PORT, onward);
  const [ours, theirs] = [carepost(product), postfixPeer(postfix)];
  const rates = { ours: 0, theirs: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    rates.theirs += await measurePeer(theirs, onward !== 'hold');
    rates.ours += await measurePeer(ours, onward !== 'hold');
  }
  if (onward === 'hold') {
    for (const peer of [theirs, ours])
      process.stdout.write(`${peer.name}: fsync and fdatasync per message ${await syncsPerMessage(peer)}\n`);
  }
  return rates.ours / rates.theirs;
}

if (!canRunPostfix()) {
  process.stderr.write(`Needs Debian's Postfix, and root to start it in a folder of its own:\n  ${INSTALL}\n`);
  process.exit(2);
}
const sink = await startScript('tls-sink.ts', [], {}, /listening \d+/);
process.stdout.write('accepting alone\n');
const alone = await compare('http,smtp', 'hold');
process.stdout.write('accepting while delivering\n');
const delivering = await compare('http,smtp,worker', Number(/listening (\d+)/.exec(sink.output())?.[1]));
await sink.stop();
process.stdout.write(
  `\nratio to Postfix: ${alone.toFixed(2)} (at least ${LEAST_RATIO}); while both deliver: ${delivering.toFixed(2)}\n`,
);
process.exitCode = alone >= LEAST_RATIO ? 0 : 1;
