// Messages per second from submission by SMTP (STARTTLS, AUTH once per connection, 5 KB) to delivery over verified TLS 1.3
// to one mail server on this machine, beside Debian's Postfix doing the same in the same run: each message is signed by DKIM,
// there by Debian's OpenDKIM. The product also seals each message and keeps evidence of its delivery. For information beside
// a Postfix and a Haraka that do not sign.
// `--messages N` and `--rounds N` for other counts.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Haraka } from './haraka.ts';
import { startMailWorld } from './mail-world.ts';
import { cpuMicros, treeOf } from './measure.ts';
import { OpenDkim } from './opendkim.ts';
import { ACCOUNT, canRunPostfix, INSTALL, Postfix } from './postfix.ts';
import { Installation, MIME, SMTP_PORT } from './product.ts';
import type { Account } from './smtp-client.ts';
import { submit } from './submit.ts';

const { values } = parseArgs({
  options: { messages: { type: 'string', default: '4000' }, rounds: { type: 'string', default: '3' } },
});
const MESSAGES = Number(values.messages);
const ROUNDS = Number(values.rounds);
/** What node compiles on the way is compiled by then. */
const WARM_UP = 6_000;
const CONNECTIONS = 20;
const POSTFIX_PORT = 18588;
const HARAKA_PORT = 18589;
const UNSIGNED_PORT = 18590;
const SIGNER_PORT = 18591;
const LONGEST_MS = 300_000;
const LEAST_RATIO = 2;
const MOST_CPU = 1;
const [SENDER, RECEIVER] = ['example.org', 'example.com'];

interface Peer extends Account {
  name: string;
  /** Whose CPU time is counted. */
  parts(): Record<string, number[]>;
  /** How often it signs a message. */
  signatures: number;
  /** How many messages it has yet to deliver. */
  waiting(): number | Promise<number>;
  runs: { perSecond: number; cpuMs: number }[];
}

if (!canRunPostfix()) {
  process.stderr.write(`Needs Debian's Postfix, and root to start it in a folder of its own:\n  ${INSTALL}\n`);
  process.exit(2);
}
await using ending = new AsyncDisposableStack();
const world = await startMailWorld([RECEIVER]);
ending.defer(() => world.stop());
const [sink] = world.sinks as [(typeof world.sinks)[number]];
const hop = { port: sink.port, name: sink.name, authorityFile: world.authorityFile };
const product = ending.use(new Installation());
await product.start('http,smtp,worker', world.env);
await world.verifySender((...request) => product.call(...request), SENDER);
const signer = ending.use(new OpenDkim());
await signer.start(SIGNER_PORT, SENDER);
const postfix = ending.use(new Postfix());
await postfix.start(POSTFIX_PORT, hop, SIGNER_PORT);
const unsigned = ending.use(new Postfix());
await unsigned.start(UNSIGNED_PORT, hop);
const haraka = ending.use(new Haraka());
const whyNot = await haraka.start(HARAKA_PORT, hop, ACCOUNT);
if (whyNot !== null) process.stdout.write(`Haraka is not there: ${whyNot}\n`);

const ours: Peer = {
  name: 'Carepost',
  signatures: 2,
  port: SMTP_PORT,
  user: 'apikey',
  password: product.key,
  parts: () => ({ node: [product.pid], PostgreSQL: treeOf(product.postmaster) }),
  async waiting() {
    const query = `select count(*)::int as count from message_recipients where state = 'queued'`;
    return (await product.sql<{ count: number }>('carepost', query))[0]?.count ?? 0;
  },
  runs: [],
};
const theirs: Peer = {
  name: 'Postfix, OpenDKIM',
  signatures: 1,
  port: POSTFIX_PORT,
  ...ACCOUNT,
  parts: () => ({ Postfix: treeOf(postfix.pid), OpenDKIM: [signer.pid] }),
  waiting: () => waitingIn(postfix),
  runs: [],
};
const unsigneds: Peer = {
  name: 'Postfix, unsigned',
  signatures: 0,
  port: UNSIGNED_PORT,
  ...ACCOUNT,
  parts: () => ({ Postfix: treeOf(unsigned.pid) }),
  waiting: () => waitingIn(unsigned),
  runs: [],
};
const harakas: Peer = {
  name: 'Haraka, unsigned',
  signatures: 0,
  port: HARAKA_PORT,
  ...ACCOUNT,
  parts: () => ({ 'all processes': treeOf(haraka.pid) }),
  waiting: () => haraka.queued(),
  runs: [],
};
const peers = [theirs, ours, unsigneds, ...(whyNot === null ? [harakas] : [])];
process.stdout.write(`Postfix ${postfix.version}, Haraka ${haraka.version}\n`);
let handedIn = 0;

for (const peer of peers) await deliver(peer, WARM_UP);
for (let round = 0; round < ROUNDS; round += 1) {
  for (const peer of round % 2 === 0 ? peers : peers.toReversed()) report(peer, await deliver(peer, MESSAGES));
}
const { received } = await sink.read();
const doubled = received.length - new Set(received.map(({ recipient }) => recipient)).size;
process.stdout.write(`${handedIn} handed in, ${handedIn + doubled - received.length} missing, ${doubled} doubled\n\n`);
const good = verdict();
process.exitCode = good && doubled === 0 && received.length === handedIn ? 0 : 1;

function waitingIn(queues: Postfix): number {
  return (['incoming', 'active', 'deferred'] as const).reduce((sum, part) => sum + queues.queued(part), 0);
}

/** Has a peer take and deliver so many messages, and answers once it has nothing left to do. */
async function deliver(peer: Peer, messages: number) {
  const before = await sink.read();
  const clocks = () => Object.values(peer.parts()).map(cpuMicros);
  const cpuBefore = clocks();
  const { port, user, password } = peer;
  const submitted = await submit({
    port,
    user,
    password,
    messages,
    from: `clinic@${SENDER}`,
    domain: RECEIVER,
    first: handedIn,
    message: MIME,
    connections: CONNECTIONS,
  });
  if (submitted.refused > 0) throw new Error(`${peer.name} refused ${submitted.refused} messages`);
  handedIn += messages;
  const giveUpAt = Date.now() + LONGEST_MS;
  while ((await peer.waiting()) > 0) {
    if (Date.now() > giveUpAt) throw new Error(`${peer.name} has ${await peer.waiting()} messages left`);
    await sleep(100);
  }
  const spent = clocks().map((clock, index) => (clock - (cpuBefore[index] as number)) / messages / 1000);
  const after = await sink.read();
  const own = after.received.slice(before.received.length);
  const signatures = after.last.match(/^dkim-signature:/gim)?.length ?? 0;
  if (signatures !== peer.signatures) throw new Error(`${peer.name} signs a message ${signatures} times`);
  return { submitted, spent, own, handshakes: after.handshakes - before.handshakes, messages };
}

function report(
  peer: Peer,
  { submitted, spent, own, handshakes, messages }: Awaited<ReturnType<typeof deliver>>,
): void {
  const lastAt = Math.max(...own.map(({ at }) => at));
  const perSecond = (own.length * 1000) / (lastAt - submitted.startedAt);
  const accepted = (messages * 1000) / (submitted.endedAt - submitted.startedAt);
  const cpuMs = spent.reduce((sum, part) => sum + part, 0);
  const parts = Object.keys(peer.parts()).map((part, index) => `${part} ${spent[index]?.toFixed(2)}`);
  const driver = (submitted.cpuMicros / messages / 1000).toFixed(2);
  process.stdout.write(
    `${peer.name.padEnd(20)} ${perSecond.toFixed(0).padStart(5)}/s delivered (${accepted.toFixed(0)}/s accepted)  ` +
      `CPU ms per message: ${cpuMs.toFixed(2)} (${parts.join(', ')}), driver ${driver}  ` +
      `${own.length} messages on ${handshakes} new connections\n`,
  );
  peer.runs.push({ perSecond, cpuMs });
}

function median(numbers: number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] as number;
}

function rateOf({ runs }: Peer): number {
  return median(runs.map(({ perSecond }) => perSecond));
}

function cpuOf({ runs }: Peer): number {
  return median(runs.map(({ cpuMs }) => cpuMs));
}

/** Prints the medians beside each peer's, and answers whether they are what they shall be beside the Postfix that signs. */
function verdict(): boolean {
  for (const peer of peers.filter((each) => each !== ours)) {
    const [rate, cpu] = [rateOf(ours) / rateOf(peer), cpuOf(ours) / cpuOf(peer)];
    process.stdout.write(
      `ratio of medians to ${peer.name}: ${rate.toFixed(2)} in messages per second, ${cpu.toFixed(2)} in CPU per message\n`,
    );
  }
  process.stdout.write(`bars, beside ${theirs.name}: at least ${LEAST_RATIO}, and at most ${MOST_CPU}\n`);
  return rateOf(ours) / rateOf(theirs) >= LEAST_RATIO && cpuOf(ours) / cpuOf(theirs) <= MOST_CPU;
}
