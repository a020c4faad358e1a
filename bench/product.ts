import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withConnection } from '../src/platform/db/pool.ts';
import type { Load } from './driver.ts';
import { type Measured, startScript } from './measure.ts';

export const HTTP_PORT = 18080;
export const SMTP_PORT = 18587;
/** What `npm start` gives to node. */
export const FLAGS = [
  '--max-semi-space-size=12',
  '--heap-growing-percent=40',
  '--no-parallel-scavenge',
  '--v8-pool-size=1',
];
/** What it puts into the environment. */
const ENVIRONMENT = {
  MALLOC_ARENA_MAX: '1',
  NODE_COMPILE_CACHE: join(import.meta.dirname, '..', 'node_modules', '.cache', 'carepost'),
};
const BODY_BYTES = 5 * 1024;
const TMPFS = 0x01021994;

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1)); // ends what was started

/** The product with a data folder of its own; disposing of it stops the one and removes the other. */
export class Installation {
  /** The key that the first start prints. */
  key = '';
  readonly #folder = mkdtempSync(join(tmpdir(), 'carepost-bench-'));
  #product: Awaited<ReturnType<typeof startScript>> | null = null;

  /** Starts it as an operator would, or by a script of the bench. */
  async start(roles: string, settings: Record<string, string> = {}, script?: string): Promise<void> {
    await this.stop();
    const env = {
      ...ENVIRONMENT,
      CAREPOST_DATA_DIR: this.dataDir,
      CAREPOST_HTTP_PORT: String(HTTP_PORT),
      CAREPOST_SMTP_PORT: roles.includes('smtp') ? String(SMTP_PORT) : '0',
      CAREPOST_SMTPS_PORT: '0',
      CAREPOST_ROLES: roles,
      CAREPOST_LOG_LEVEL: 'warn',
      ...settings,
    };
    this.#product =
      script === undefined
        ? await startScript('../src/main.ts', ['serve'], env, /Dashboard.*\n\n|curl .*\n/s, FLAGS)
        : await startScript(script, [], env, /serving\n/, FLAGS);
    if (this.key === '') this.key = /cp_live_\w+/.exec(this.#product.output())?.[0] ?? '';
    await this.#assertDurable();
  }

  async stop(): Promise<void> {
    await this.#product?.stop();
    this.#product = null;
  }

  /** Ends it as a power cut would. */
  async kill(): Promise<void> {
    const child = this.#product?.child;
    const ended = new Promise((resolve) => child?.once('exit', resolve));
    child?.kill('SIGKILL');
    await ended;
    this.#product = null;
  }

  get dataDir(): string {
    return join(this.#folder, 'data');
  }

  get pid(): number {
    return this.#product?.child.pid as number;
  }

  get postmaster(): number {
    return Number(readFileSync(join(this.dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
  }

  /** A database of the embedded PostgreSQL, as its owner. */
  url(database: string): string {
    const { socketFolder, password } = JSON.parse(readFileSync(join(this.dataDir, 'postgres.json'), 'utf8'));
    return `postgres://carepost_owner:${password}@${encodeURIComponent(socketFolder)}/${database}`;
  }

  /** Runs statements in a database and answers with the rows of the last one. */
  async sql<Row>(database: string, text: string): Promise<Row[]> {
    const result = await withConnection(this.url(database), (client) => client.query(text));
    return ([result].flat().at(-1) as { rows: Row[] }).rows;
  }

  /** A database beside the product's, with the table of the bare route. */
  async createBare(): Promise<void> {
    await this.sql('postgres', 'create database bare');
    await this.sql(
      'bare',
      'create table bare (id bigint generated always as identity primary key, body text not null)',
    );
  }

  /** Starts the bare route on an empty table. */
  async startBare(pool: string) {
    await this.sql('bare', 'truncate bare; checkpoint');
    const server = await startScript('baseline.ts', [this.url('bare'), pool], {}, /listening \d+/);
    const port = Number(/listening (\d+)/.exec(server.output())?.[1]);
    return { pid: server.child.pid as number, port, stop: server.stop };
  }

  /** Makes a customer besides the first, as an operator would, and answers its key. */
  createCustomer(username: string): string {
    const { id } = this.#command('customer', 'create', '--name', username, '--username', username);
    return String(this.#command('key', 'create', '--customer', String(id), '--scopes', 'email').key);
  }

  #command(...args: string[]): Record<string, unknown> {
    const env = { ...process.env, CAREPOST_DATA_DIR: this.dataDir };
    const main = join(import.meta.dirname, '..', 'src', 'main.ts');
    return JSON.parse(execFileSync(process.execPath, [main, ...args, '--json'], { env, encoding: 'utf8' }));
  }

  /** Calls the product, with its first key where nothing else is said. */
  async call(method: string, path: string, body?: object, key = this.key): Promise<Record<string, unknown>> {
    const reply = await fetch(`http://127.0.0.1:${HTTP_PORT}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`);
    return (await reply.json()) as Record<string, unknown>;
  }

  /** The bytes of a reply, by a client that does nothing else with them than to wait for the last. */
  async read(path: string): Promise<Buffer> {
    const options = { port: HTTP_PORT, path, headers: { authorization: `Bearer ${this.key}` } };
    const reply = await new Promise<IncomingMessage>((resolve, reject) => get(options, resolve).once('error', reject));
    const pieces: Buffer[] = await reply.toArray();
    if (reply.statusCode !== 200) throw new Error(`GET ${path}: ${reply.statusCode}`);
    return Buffer.concat(pieces);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #assertDurable(): Promise<void> {
    const names = ['fsync', 'synchronous_commit', 'full_page_writes'];
    const query = `select setting from pg_settings where name in ('${names.join("', '")}') and setting = 'on'`;
    const on = await this.sql('carepost', query);
    if (on.length !== names.length) throw new Error('the database is not durable');
    if (statfsSync(this.#folder).type === TMPFS) throw new Error(`${tmpdir()} is in memory, set TMPDIR to a disk`);
  }
}

function words(bytes: number): string {
  const some =
    'appointment result clinic patient please bring insurance card and arrive ten minutes early thank you'.split(' ');
  let seed = 7;
  let text = '';
  while (text.length < bytes) {
    seed = (seed * 1103515245 + 12345) % 2 ** 31;
    text += `${some[seed % some.length]}${seed % 97} `;
  }
  return text.slice(0, bytes);
}

/** What fills a message up to 5 KB, given how to make one of a text. */
function filled(make: (text: string) => string): string {
  return make(words(BODY_BYTES - make('').length));
}

function messageWith(text: string) {
  return {
    recipients: ['Ann Patient <ann@example.com>'],
    headers: { from: 'Clinic <clinic@example.org>', subject: 'Your appointment' },
    content: { 'text/plain': 'See below.', 'text/html': `<p>${text}</p>` },
  };
}

/** A message of 5 KB as JSON, without what it is wrapped in. */
export const MESSAGE = filled((text) => JSON.stringify(messageWith(text)));

/** The body of POST /messages, 5 KB. */
export const BODY = filled((text) => JSON.stringify({ data: { message: messageWith(text) } }));

/** A message of 5 KB as SMTP carries it, with its last dot. */
export const MIME = filled((text) => {
  const lines = text.match(/.{1,72}/g) ?? [];
  const head = ['From: Clinic <clinic@example.org>', 'To: Ann Patient <ann@example.com>', 'Subject: Your appointment'];
  const type = ['MIME-Version: 1.0', 'Content-Type: text/html; charset=utf-8'];
  return [...head, ...type, '', '<p>', ...lines, '</p>', '.', ''].join('\r\n');
});

/** The load of POST /messages, with a key for the product and without for the bare route. */
export function messageLoad(port: number, key: string | null, connections: number, seconds: number): Load {
  const headers: Record<string, string> = key === null ? {} : { Authorization: `Bearer ${key}` };
  const path = key === null ? '/messages' : '/v1/email/messages';
  return { port, path, headers, body: BODY, connections, warmupSeconds: 3, seconds };
}

/** One line for one run; a request may hold several messages. */
export function report(name: string, measured: Measured, messages = 1): void {
  const { perSecond, p50, p99, nodeMicros, postgresMicros, cpuMicros, refused } = measured;
  const each = (micros: number) => (micros / messages).toFixed(0);
  const cpu = `CPU µs per message: node ${each(nodeMicros)}, PostgreSQL ${each(postgresMicros)}, driver ${each(cpuMicros)}`;
  process.stdout.write(
    `${name.padEnd(30)} ${(perSecond * messages).toFixed(0).padStart(6)}/s  p50 ${p50.toFixed(1)} ms  p99 ${p99.toFixed(1)} ms  ${cpu}${refused > 0 ? `  REFUSED ${refused}` : ''}\n`,
  );
}
