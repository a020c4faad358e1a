// A campaign to 100,000 people: personalised 30 KB HTML and text, six tracked links, open pixel, unsubscribe headers, DKIM,
// over TLS to a sink on this machine, beside a raw sender of the same bytes on as many connections. Then once more with
// `kill -9` at 30 %: nobody may be missing, and nobody doubled, but for those whom the ledger calls uncertain.
// `--people N` for fewer.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { cpuMicros, startScript, treeOf } from './measure.ts';
import { fillPeople, mailingHtml } from './people.ts';
import { Installation } from './product.ts';

const { values } = parseArgs({ options: { people: { type: 'string', default: '100000' } } });
const people = Number(values.people);
const CONNECTIONS = 24;
const LEAST_RATIO = 0.5;
const MOST_MB = 300;
const [recordFile, messageFile] = ['record.txt', 'message.eml'].map((name) =>
  join(tmpdir(), `carepost-${process.pid}-${name}`),
) as [string, string];

type Send = Record<string, number | string>;

await using product = new Installation();
const sink = await startScript('recording-sink.ts', [recordFile, messageFile], {}, /listening .*\n/);
const peer = /listening (.*)\n/.exec(sink.output())?.[1] as string;
await product.start('http,worker');
await fillPeople(product, people);
const mailingId = await writeMailing();
await serve();
const campaign = await measureCampaign();
await product.stop();
const raw = measureRaw('raw sender');
measureRaw('raw sender that signs', 'signing');
const ratio = campaign.rate / raw;
process.stdout.write(`ratio to the raw sender: ${ratio.toFixed(2)} (at least ${LEAST_RATIO})\n`);
await serve();
const survived = await killCampaign();
await sink.stop();
process.exitCode = campaign.good && survived && ratio >= LEAST_RATIO ? 0 : 1;

function serve(): Promise<void> {
  return product.start('http,worker', { BENCH_PEER: peer }, 'serve-to-peer.ts');
}

async function writeMailing(): Promise<string> {
  const campaign_mailing = {
    subject: 'Bench',
    default_subject: 'News for {{first_name}}',
    from: 'clinic@example.org',
    html_part: mailingHtml(30 * 1024),
  };
  const { data } = await product.call('POST', '/v1/marketing/campaign_mailings', { campaign_mailing });
  return (data as { id: string }).id;
}

async function begin(): Promise<string> {
  const lists = (await product.call('GET', '/v1/marketing/subscription_lists')) as { data: { id: string }[] };
  const campaign_mailing_send = { sender_email: 'clinic@example.org', subscription_list_id: lists.data[0]?.id };
  await product.call('POST', '/v1/marketing/campaign_mailing_sends', {
    campaign_mailing_id: mailingId,
    campaign_mailing_send,
  });
  const { data } = (await product.call('GET', '/v1/marketing/campaign_mailing_sends')) as { data: { id: string }[] };
  return data[0]?.id as string;
}

/** Waits until a send is as it shall be. */
async function until(id: string, isSo: (send: Send) => boolean): Promise<Send> {
  for (;;) {
    const { data } = await product.call('GET', `/v1/marketing/campaign_mailing_sends/${id}`);
    const send = (data as { attributes: Send }).attributes;
    if (isSo(send)) return send;
    await sleep(200);
  }
}

function isOver({ state }: Send): boolean {
  return state === 'finished' || state === 'needs_decision';
}

/** Whom the sink has got a message for, from the beginning. */
async function received(): Promise<string[]> {
  const before = sink.output().length;
  sink.child.kill('SIGUSR2');
  while (!/recorded \d+\n/.test(sink.output().slice(before))) await once(sink.child.stdout, 'data');
  return readFileSync(recordFile, 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[0] as string);
}

async function measureCampaign(): Promise<{ rate: number; good: boolean }> {
  const clocks = () => [[product.pid], treeOf(product.postmaster), [sink.child.pid as number]].map(cpuMicros);
  const id = await begin();
  await until(id, ({ state }) => state === 'sending');
  writeFileSync(`/proc/${product.pid}/clear_refs`, '5'); // forgets the peak so far
  const before = clocks();
  const startedAt = performance.now();
  const send = await until(id, isOver);
  const seconds = (performance.now() - startedAt) / 1000;
  const spent = clocks().map((clock, index) => ((clock - (before[index] as number)) / people / 1000).toFixed(2));
  const peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${product.pid}/status`, 'utf8'))?.[1]) / 1024;
  const got = await received();
  process.stdout.write(
    `campaign: ${people} people in ${seconds.toFixed(1)} s, ${(people / seconds).toFixed(0)} messages/s\n` +
      `CPU per 1000 messages: node ${spent[0]} s, postgres ${spent[1]} s, sink ${spent[2]} s\n` +
      `peak memory ${peak.toFixed(0)} MB (at most ${MOST_MB})\n` +
      `the sink got ${got.length} for ${new Set(got).size} people; the ledger has ${send.delivered} delivered\n`,
  );
  const good = peak <= MOST_MB && got.length === people && new Set(got).size === people && send.delivered === people;
  return { rate: people / seconds, good };
}

function measureRaw(name: string, ...how: string[]): number {
  const script = join(import.meta.dirname, 'raw-sender.ts');
  const args = [script, peer, String(CONNECTIONS), String(people), messageFile, ...how];
  const { seconds, cpuMicros: micros } = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
  const rate = people / seconds;
  const cpu = `CPU per 1000 messages ${(micros / people / 1000).toFixed(2)} s`;
  process.stdout.write(`${name}: ${rate.toFixed(0)} messages/s, ${cpu}; ratio ${(campaign.rate / rate).toFixed(2)}\n`);
  return rate;
}

async function killCampaign(): Promise<boolean> {
  const before = (await received()).length;
  const id = await begin();
  await until(id, (send) => Number(send.delivered) > people * 0.3);
  await product.kill();
  await serve();
  const send = await until(id, isOver);
  const got = (await received()).slice(before);
  const uncertain = await product.sql<{ email: string }>(
    'carepost',
    `select s.email from mailing_recipients r join subscribers s on s.id = r.subscriber_id
     where r.send_id = ${id} and r.state = 'uncertain'`,
  );
  const reached = new Set([...got, ...uncertain.map(({ email }) => email)]);
  const doubled = got.length - new Set(got).size;
  process.stdout.write(
    `kill -9 at 30 %: ${people - reached.size} missing, ${doubled} doubled, ${uncertain.length} uncertain, ` +
      `${send.delivered} delivered\n`,
  );
  return reached.size === people && doubled === 0;
}
