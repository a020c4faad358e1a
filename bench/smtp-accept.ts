// Durable accepts per second by SMTP submission (STARTTLS, AUTH once per connection, 5 KB) beside Debian's Postfix with
// the same door and the same driver. Neither delivers: Postfix holds the mail, the product runs without a worker.
import { cpuMicros, drive, treeOf } from './measure.ts';
import { ACCOUNT, canRunPostfix, INSTALL, Postfix } from './postfix.ts';
import { Installation, MIME, SMTP_PORT } from './product.ts';
import type { SmtpLoad } from './smtp-driver.ts';
import { canCountSyncs, countSyncs } from './syncs.ts';

const CONNECTIONS = 20;
const LEAST_RATIO = 2;
const POSTFIX_PORT = 18588;

interface Peer {
  name: string;
  pid: number;
  /** Whose CPU time is counted. */
  parts(): Record<string, number[]>;
  port: number;
  user: string;
  password: string;
  /** How many messages it has in store. */
  stored(): Promise<number>;
}

function loadFor({ port, user, password }: Peer, warmupSeconds: number, seconds: number): SmtpLoad {
  const mail = { from: 'clinic@example.org', to: 'ann@example.com', message: MIME };
  return { port, user, password, ...mail, connections: CONNECTIONS, warmupSeconds, seconds };
}

function ms(micros: number): string {
  return (micros / 1000).toFixed(2);
}

async function measurePeer(peer: Peer): Promise<number> {
  const before = await peer.stored();
  const clocks = () => Object.values(peer.parts()).map(cpuMicros);
  const { counted, spent } = await drive('smtp-driver.ts', loadFor(peer, 3, 10), clocks);
  const stored = (await peer.stored()) - before;
  if (counted.refused > 0) throw new Error(`${peer.name} refused ${counted.refused} messages`);
  if (stored !== counted.total) throw new Error(`${peer.name} accepted ${counted.total} messages and keeps ${stored}`);
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

if (!canRunPostfix()) {
  process.stderr.write(`Needs Debian's Postfix, and root to start it in a folder of its own:\n  ${INSTALL}\n`);
  process.exit(2);
}
await using product = new Installation();
using postfix = new Postfix();
await product.start('http,smtp');
await postfix.start(POSTFIX_PORT);
const carepostPeer: Peer = {
  name: 'Carepost',
  pid: product.pid,
  parts: () => ({ node: [product.pid], PostgreSQL: treeOf(product.postmaster) }),
  port: SMTP_PORT,
  user: 'apikey',
  password: product.key,
  async stored() {
    const [row] = await product.sql<{ count: string }>('carepost', 'checkpoint; select count(*) from messages');
    return Number(row?.count);
  },
};
const postfixPeer: Peer = {
  name: `Postfix ${postfix.version}`,
  pid: postfix.pid,
  parts: () => ({ 'all processes': treeOf(postfix.pid) }),
  port: POSTFIX_PORT,
  ...ACCOUNT,
  stored: async () => postfix.held(),
};

const rates = { carepost: 0, postfix: 0 };
for (let round = 0; round < 2; round += 1) {
  rates.postfix += (await measurePeer(postfixPeer)) / 2;
  rates.carepost += (await measurePeer(carepostPeer)) / 2;
}
for (const peer of [postfixPeer, carepostPeer]) {
  process.stdout.write(`${peer.name}: fsync and fdatasync per message ${await syncsPerMessage(peer)}\n`);
}
const ratio = rates.carepost / rates.postfix;
process.stdout.write(`\nratio to Postfix: ${ratio.toFixed(2)} (at least ${LEAST_RATIO})\n`);
process.exitCode = ratio >= LEAST_RATIO ? 0 : 1;
