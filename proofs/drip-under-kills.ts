// The database stands still twice, and the server is ended by `kill -9` again and again, while people enter a drip and go
// through it: afterwards everybody who was acknowledged has come to every step once, and a mail server of its own has got
// each mail once, but for those that the ledger calls uncertain.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startScript } from '../bench/measure.ts';
import { Installation } from '../bench/product.ts';

const KILLS = 20;
const PAUSES = 2;
/** Longer than the product waits for the answer to a query. */
const PAUSE_MS = 15_000;
const AT_ONCE = 4;
/** A minute of waiting in the drip, and three until what a killed process was sending counts as uncertain. */
const LONGEST_MS = 8 * 60_000;

test(`${PAUSES} pauses of the database and ${KILLS} kills under a drip`, async () => {
  const files = ['record', 'message'].map((name) => join(tmpdir(), `carepost-${process.pid}-${name}`)) as [
    string,
    string,
  ];
  const sink = await startScript('recording-sink.ts', files, {}, /listening .*\n/);
  const peer = /listening (.*)\n/.exec(sink.output())?.[1] as string;
  await using product = new Installation();
  await product.start('http,worker');
  const serve = () => product.start('http,worker', { BENCH_PEER: peer }, 'serve-to-peer.ts');
  await serve();
  const listId = await startDrip(product);
  const acknowledged = new Set<string>();
  const ending = new AbortController();
  const joining = Array.from({ length: AT_ONCE }, (_, lane) =>
    letJoin(product, { listId, lane, acknowledged }, ending.signal),
  );
  for (let pause = 0; pause < PAUSES; pause += 1) {
    await sleep(2_000);
    await pauseDatabase(product);
  }
  for (let kill = 0; kill < KILLS; kill += 1) {
    await sleep(1_000 + Math.random() * 2_500);
    await product.kill();
    await serve();
  }
  ending.abort();
  await Promise.all(joining);
  const open = () =>
    product.sql<{ left: number }>(
      'carepost',
      `select (select count(*) from drip_facts)::int + (select count(*) from drip_enrolments where state = 'active')::int
         + (select count(*) from mailing_recipients where due_at is not null)::int as left`,
    );
  const giveUpAt = performance.now() + LONGEST_MS;
  while ((await open())[0]?.left !== 0) {
    assert.ok(performance.now() < giveUpAt, 'everybody gets through in time');
    await sleep(1_000);
  }
  const got = await receivedBy(sink, files[0]);
  const ledger = await product.sql<{ id: string; email: string; step: string; state: string }>(
    'carepost',
    `select r.id, s.email, c.drip_step as step, r.state from mailing_recipients r
     join subscribers s on s.id = r.subscriber_id join campaign_mailing_sends c on c.id = r.send_id`,
  );
  const visits = await product.sql<{ email: string; path: string }>(
    'carepost',
    `select s.email, string_agg(v.step, ',' order by v.number) as path from drip_enrolments e
     join subscribers s on s.id = e.subscriber_id join drip_visits v on v.enrolment_id = e.id group by e.id, s.email`,
  );
  await sink.stop();
  const uncertain = ledger.filter(({ state }) => state === 'uncertain').length;
  process.stdout.write(
    `paused ${PAUSES} and killed ${KILLS} times: ${acknowledged.size} acknowledged, ${visits.length} went through, ${ledger.length} mails meant,` +
      ` ${got.length} at the sink, ${uncertain} uncertain\n`,
  );
  const paths = new Map(visits.map(({ email, path }) => [email, path]));
  assert.equal(paths.size, visits.length, 'nobody entered twice');
  for (const email of acknowledged) assert.equal(paths.get(email), 'one,mark,two,rest,three', email);
  const times = new Map<string, number>();
  for (const id of got) times.set(id, (times.get(id) ?? 0) + 1);
  for (const { id, state } of ledger) {
    const count = times.get(id) ?? 0;
    if (state === 'uncertain') assert.ok(count <= 1);
    else assert.deepEqual([state, count], ['delivered', 1]);
  }
  const meant = ledger.map(({ email, step }) => `${email}/${step}`);
  assert.equal(new Set(meant).size, meant.length, 'nobody is meant to get a step twice');
  assert.equal(meant.length, 3 * visits.length, 'nobody is skipped');
  assert.ok(acknowledged.size > 100, 'there was something to lose');
});

async function startDrip(product: Installation): Promise<string> {
  const call = async (path: string, body: object) =>
    ((await product.call('POST', `/v1/marketing${path}`, body)) as { data: { id: string } }).data;
  const { id: listId } = await call('/subscription_lists', { name: 'Newcomers' });
  await call('/subscriber_custom_field_types', { name: 'welcomed' });
  const mailing = async (subject: string) => {
    const campaign_mailing = { subject, from: 'clinic@example.org', html_part: '<html><body>Hello</body></html>' };
    return (await call('/campaign_mailings', { campaign_mailing })).id;
  };
  const steps = [
    { id: 'one', type: 'email', campaign_mailing_id: await mailing('One') },
    { id: 'mark', type: 'field', name: 'welcomed', value: 'yes' },
    { id: 'two', type: 'email', campaign_mailing_id: await mailing('Two') },
    { id: 'rest', type: 'delay', minutes: 1 },
    { id: 'three', type: 'email', campaign_mailing_id: await mailing('Three') },
  ];
  const { id } = await call('/drip_campaigns', {
    drip_campaign: { name: 'Proof', subscription_list_id: listId, steps },
  });
  await call(`/drip_campaigns/${id}/start`, {});
  return listId;
}

/** Stops every process of the database where it is, and lets it go on later. */
async function pauseDatabase({ postmaster }: Installation): Promise<void> {
  process.kill(postmaster, 'SIGSTOP'); // first, so that it begins no process that is not stopped
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8')
    .trim()
    .split(' ')
    .map(Number);
  for (const pid of children) process.kill(pid, 'SIGSTOP');
  await sleep(PAUSE_MS);
  for (const pid of [...children, postmaster]) process.kill(pid, 'SIGCONT');
}

/** Lets people join, one after the other, and remembers who was acknowledged. */
async function letJoin(
  product: Installation,
  { listId, lane, acknowledged }: { listId: string; lane: number; acknowledged: Set<string> },
  signal: AbortSignal,
): Promise<void> {
  for (let number = 0; !signal.aborted; number += 1) {
    const email = `person-${lane}-${number}@example.com`;
    try {
      await product.call('POST', '/v1/marketing/subscribers', { subscriber: { email }, subscription_list_id: listId });
      acknowledged.add(email);
    } catch {
      await sleep(50); // it is down
    }
  }
}

/** The Message-IDs that the sink has got, without their domain. */
async function receivedBy(sink: Awaited<ReturnType<typeof startScript>>, file: string): Promise<string[]> {
  const before = sink.output().length;
  sink.child.kill('SIGUSR2');
  while (!/recorded \d+\n/.test(sink.output().slice(before))) await once(sink.child.stdout, 'data');
  return readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => (line.split(' ')[1] ?? '').split('@')[0] as string);
}
