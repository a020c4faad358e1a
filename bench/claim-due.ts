// How long it takes to lease 64 recipients that are due, with 10,000 and with 1,000,000 in the queue, and with each of them
// while a CSV export of a million submissions runs in the same database. `--queued N` and `--rows N` for fewer.
import { parseArgs } from 'node:util';
import { releaseLeases } from '../src/email/delivery/queue/held-leases.ts';
import { leaseDue } from '../src/email/delivery/queue/lease.ts';
import { systemClock } from '../src/platform/clock.ts';
import { openDatabase } from '../src/platform/db/database.ts';
import { ensurePartitions } from '../src/platform/db/partitions.ts';
import { createLog } from '../src/platform/log.ts';
import { createForm, NO_LIMITS } from './form.ts';
import { HTTP_PORT, Installation } from './product.ts';
import { storeSubmissions } from './store-submissions.ts';

const { values } = parseArgs({
  options: { queued: { type: 'string', default: '1000000' }, rows: { type: 'string', default: '1000000' } },
});
const MANY = Number(values.queued);
const FEW = 10_000;
const ROWS = Number(values.rows);
const MOST = 64;
const WARM_UP = 300;
const CLAIMS = 1_500;
const MOST_RATIO = 2;
const DAY_MS = 24 * 3600_000;

await using product = new Installation();
await product.start('http', NO_LIMITS);
const ownerUrl = product.url('carepost');
const db = openDatabase({ ownerUrl, log: createLog('silent') }, 'worker', 2);
const deps = { db, clock: systemClock };
// A queue reaches back over the end of a month.
await ensurePartitions(ownerUrl, { now: () => new Date(Date.now() - 31 * DAY_MS) });

/**
 * Fills the queue up: half of it is one customer's flood, the rest is spread over 200 others and over 30 days. All fell due in
 * the last hour, in an order that has nothing to do with when they came, and hardly two of a customer's at the same moment.
 */
async function fill(from: number, to: number): Promise<void> {
  await product.sql(
    'carepost',
    `insert into message_recipients (message_id, ordinal, customer_id, address_index, domain, state, due_at)
     select time_ordered_id(now() - n % 30 * interval '1 day'), 0, case when n % 2 = 0 then 1 else 2 + n % 200 end,
       sha256(n::text::bytea), 'domain' || n % 1000 || '.example', 'queued',
       now() - n::bigint * 1299709 % 3600000 * interval '1 millisecond'
     from generate_series(${from + 1}, ${to}) n`,
  );
  await product.sql('carepost', 'vacuum (analyze) message_recipients');
  await product.sql('carepost', 'checkpoint');
}

/** Leases again and again, giving back what was leased, and answers how long each lease took. */
async function claim(goesOn: (claims: number) => boolean): Promise<number[]> {
  const times: number[] = [];
  let after = 0;
  for (let claims = 0; goesOn(claims); claims += 1) {
    const startedAt = performance.now();
    const { leases, next } = await leaseDue(deps, { most: MOST, full: [], after });
    times.push(performance.now() - startedAt);
    if (leases.length === 0) throw new Error('nothing was due');
    after = next;
    await releaseLeases(deps, leases, systemClock.now());
  }
  return times;
}

function report(name: string, times: number[]): number {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] as number;
  process.stdout.write(
    `${name.padEnd(36)} ${times.length} claims, p50 ${at(0.5).toFixed(1)} ms, p99 ${at(0.99).toFixed(1)} ms\n`,
  );
  return at(0.99);
}

/** Reads an export to its end, and answers how many lines it had. */
async function readExport(formId: string): Promise<number> {
  const path = `/v1/forms/api/forms/${formId}/submissions/submission-csv`;
  const reply = await fetch(`http://127.0.0.1:${HTTP_PORT}${path}`, {
    headers: { authorization: `Bearer ${product.key}` },
  });
  if (reply.status !== 200) throw new Error(`the export: ${reply.status}`);
  let lines = 0;
  for await (const chunk of reply.body as AsyncIterable<Uint8Array>) {
    for (const byte of chunk) lines += byte === 10 ? 1 : 0;
  }
  return lines;
}

/** How long leases take with so many in the queue: alone, and while an export runs. */
async function measureWith(queued: number, formId: string): Promise<{ alone: number; during: number }> {
  await claim((claims) => claims < WARM_UP);
  const alone = report(`${queued} queued`, await claim((claims) => claims < CLAIMS));
  let isOver = false;
  const exported = readExport(formId).finally(() => {
    isOver = true;
  });
  const during = report(`${queued} queued, during the export`, await claim(() => !isOver));
  if ((await exported) !== ROWS + 1) throw new Error(`the export has ${await exported} lines`);
  return { alone, during };
}

const formId = await createForm(product, 'kept');
await storeSubmissions(product, formId, ROWS);
await fill(0, FEW);
const few = await measureWith(FEW, formId);
await fill(FEW, MANY);
const many = await measureWith(MANY, formId);
await db.close();
const [alone, during] = [many.alone / few.alone, many.during / few.during];
process.stdout.write(
  `\np99 beside that of ${FEW}: ${alone.toFixed(2)}, both during the export ${during.toFixed(2)} (at most ${MOST_RATIO}); ` +
    `the export itself makes it ${(few.during / few.alone).toFixed(2)} and ${(many.during / many.alone).toFixed(2)} times as long\n`,
);
process.exitCode = alone <= MOST_RATIO && during <= MOST_RATIO ? 0 : 1;
