// How long the first byte of a form's page takes, at a thousand forms of twenty questions in a random order, beside a static
// file of the same bytes; in rounds that take turns, once both are warm. `--rounds N` for more.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { NO_LIMITS } from './form.ts';
import { startScript } from './measure.ts';
import { HTTP_PORT, Installation } from './product.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });
const ROUNDS = Number(values.rounds);
const FORMS = 1_000;
const REQUESTS = 2_000;
/** What node compiles on the way is compiled by then. */
const WARM_UP_ROUNDS = 6;
const STATIC_PORT = 18081;
const MOST_RATIO = 3;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

const QUESTIONS = Array.from({ length: 20 }, (_, i) => ({
  name: `q${i}`,
  label: `Question number ${i}`,
  help: 'Please take your time.',
  required: i % 3 === 0,
  ...(i % 4 === 0 ? { type: 'radio', options: ['Never', 'Sometimes', 'Often'] } : {}),
  ...(i % 5 === 1 ? { show_when: `q${i - 1} == "Often"` } : {}),
}));

await using product = new Installation();
await product.start('http', NO_LIMITS);
const ids: string[] = [];
for (let i = 0; i < FORMS; i += 1) {
  const form = { title: `Form ${i}`, customer_id: 1, active: true, form_json: { fields: QUESTIONS } };
  ids.push((await product.call('POST', '/v1/forms/api/forms', form)).id as string);
}

/** Milliseconds to the first byte, and the bytes. */
function visit(port: number, path: string): Promise<{ millis: number; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    get({ port, host: '127.0.0.1', path, agent }, (response) => {
      const millis = performance.now() - startedAt;
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('end', () => {
        if (response.statusCode === 200) resolve({ millis, body: Buffer.concat(pieces) });
        else reject(new Error(`${path}: ${response.statusCode}`));
      });
    }).on('error', reject);
  });
}

async function round(port: number, pathOf: () => string): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < REQUESTS; i += 1) times.push((await visit(port, pathOf())).millis);
  return times;
}

function at(times: number[], share: number): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length * share)] as number;
}

const anyForm = () => `/f/${ids[Math.floor(Math.random() * ids.length)]}`;
const folder = mkdtempSync(join(tmpdir(), 'carepost-page-'));
const file = join(folder, 'page.html');
const { body } = await visit(HTTP_PORT, anyForm());
writeFileSync(file, body);
const plain = await startScript('static-file.ts', [String(STATIC_PORT), file], {}, /serving/);
try {
  for (const id of ids) await visit(HTTP_PORT, `/f/${id}`);
  for (let i = 0; i < WARM_UP_ROUNDS; i += 1) {
    await round(STATIC_PORT, () => '/');
    await round(HTTP_PORT, anyForm);
  }
  const pages: number[] = [];
  const files: number[] = [];
  for (let i = 0; i < ROUNDS; i += 1) {
    files.push(...(await round(STATIC_PORT, () => '/')));
    pages.push(...(await round(HTTP_PORT, anyForm)));
  }
  process.stdout.write(`a page of ${body.length} bytes, ${pages.length} of each\n`);
  for (const [name, times] of Object.entries({ 'static file': files, 'form page': pages })) {
    const told = [0.5, 0.99].map((share) => `p${share * 100} ${at(times, share).toFixed(2)} ms`);
    process.stdout.write(`${name.padEnd(12)} ${told.join(', ')}\n`);
  }
  const ratio = at(pages, 0.5) / at(files, 0.5);
  process.stdout.write(`first byte, page to file: ${ratio.toFixed(2)} (at most ${MOST_RATIO})\n`);
  process.exitCode = ratio <= MOST_RATIO ? 0 : 1;
} finally {
  await plain.stop();
  agent.destroy();
  rmSync(folder, { recursive: true, force: true });
}
