// CSV and XLSX of a million submissions: time to the first byte, rows per second, and the server's memory beside that of an
// export of a twentieth of them. `--rows N` for fewer.
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createForm, NO_LIMITS } from './form.ts';
import { HTTP_PORT, Installation } from './product.ts';
import { storeSubmissions } from './store-submissions.ts';

const MOST_GROWTH_MB = 200;
const { values } = parseArgs({ options: { rows: { type: 'string', default: '1000000' } } });
const rows = Number(values.rows);

await using product = new Installation();
await product.start('http', NO_LIMITS);

function residentMb(line: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${product.pid}/status`, 'utf8');
  return Number(new RegExp(`${line}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
}

/** Reads an export to its end; answers with the most memory that the server had meanwhile. */
async function measureExport(formId: string, name: string, count: number): Promise<number> {
  writeFileSync(`/proc/${product.pid}/clear_refs`, '5'); // forgets the peak so far
  const startedAt = performance.now();
  const reply = await fetch(`http://127.0.0.1:${HTTP_PORT}/v1/forms/api/forms/${formId}/submissions/${name}`, {
    headers: { authorization: `Bearer ${product.key}` },
  });
  if (reply.status !== 200) throw new Error(`${name}: ${reply.status}`);
  let first = 0;
  let bytes = 0;
  let lines = 0;
  for await (const chunk of reply.body as AsyncIterable<Uint8Array>) {
    first ||= performance.now() - startedAt;
    bytes += chunk.length;
    if (name.endsWith('csv')) for (const byte of chunk) lines += byte === 10 ? 1 : 0;
  }
  const seconds = (performance.now() - startedAt) / 1000;
  if (name.endsWith('csv') && lines !== count + 1) throw new Error(`${lines} lines for ${count} submissions`);
  const peak = residentMb('VmHWM');
  process.stdout.write(
    `${name} of ${count}: first byte ${first.toFixed(0)} ms, ${seconds.toFixed(1)} s, ${(count / seconds).toFixed(0)} rows/s, ` +
      `${(bytes / 2 ** 20).toFixed(0)} MB, peak ${peak.toFixed(0)} MB\n`,
  );
  return peak;
}

const few = Math.ceil(rows / 20);
const small = await createForm(product, 'kept');
const large = await createForm(product, 'kept');
await storeSubmissions(product, small, few);
await storeSubmissions(product, large, rows);
let good = true;
for (const name of ['submission-csv', 'submission-xlsx']) {
  const before = await measureExport(small, name, few);
  const growth = (await measureExport(large, name, rows)) - before;
  good &&= growth <= MOST_GROWTH_MB;
  process.stdout.write(`memory for 20 times as many: ${growth.toFixed(0)} MB more (at most ${MOST_GROWTH_MB})\n`);
}
process.exitCode = good ? 0 : 1;
