import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { TestContext } from 'node:test';
import { createApiKey, createCustomer, recordAgreement } from '../../src/accounts/index.ts';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { type Installation, openInstallation } from '../../src/installation.ts';
import type { Overrides } from '../../src/overrides.ts';
import type { Act } from '../../src/platform/act.ts';
import type { Clock } from '../../src/platform/clock.ts';
import type { Scope } from '../../src/platform/http/access.ts';
import { createLog } from '../../src/platform/log.ts';
import { createTestDatabase } from './database.ts';

export interface Reply {
  status: number;
  headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies of every shape
  body: any;
  text: string;
}

export interface RequestOptions {
  key?: string;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is. */
  raw?: string | Buffer;
}

export interface TestCustomer {
  id: number;
  username: string;
  /** A key with every scope. */
  key: string;
  keyId: string;
}

export interface TestApp {
  url: string;
  /** The ports of the SMTP door, where it is open. */
  smtp: { port: number; tlsPort: number } | undefined;
  /** The port for returned mail, where it is open. */
  bouncePort: number | undefined;
  /** The port of the operators' own door, where it is open. */
  operatorPort: number | null;
  installation: Installation;
  /** Everything that was logged. */
  logged(): string;
  request(method: string, path: string, options?: RequestOptions): Promise<Reply>;
  createCustomer(options?: { agreement?: boolean }): Promise<TestCustomer>;
  createKey(
    customer: TestCustomer,
    scopes: Scope[],
    more?: { expiresAt?: Date; mode?: 'live' | 'test'; sendingDomains?: string[] },
  ): Promise<{ id: string; key: string }>;
  act(customerId: number, action: string): Act;
  stop(): Promise<void>;
}

interface Options {
  clock?: Clock;
  env?: Record<string, string>;
  overrides?: Overrides;
  /** The database and data dir of another test app, to be a second node beside it or its successor. */
  beside?: TestApp;
}

let counter = 0;

function act(customerId: number, action: string): Act {
  return { customerId, actor: { kind: 'cli', id: 'test' }, action, requestId: null };
}

/** A running product on a database of its own; stopped and removed when the test ends. */
export async function startApp(t: TestContext, options: Options = {}): Promise<TestApp> {
  const database = options.beside === undefined ? await createTestDatabase() : null;
  const dataDir = options.beside?.installation.config.dataDir ?? mkdtempSync(join(tmpdir(), 'carepost-app-'));
  const lines: string[] = [];
  const log = createLog(
    'debug',
    new Writable({ write: (chunk, _encoding, done) => done(void lines.push(String(chunk))) }),
  );
  const config = readConfig({
    CAREPOST_DATA_DIR: dataDir,
    CAREPOST_HTTP_PORT: '0',
    CAREPOST_SMTP_PORT: '0',
    CAREPOST_SMTPS_PORT: '0',
    CAREPOST_DATABASE_URL: options.beside?.installation.ownerUrl ?? database?.url,
    CAREPOST_ROLES: 'http',
    CAREPOST_LIMITS: 'free-disk=1MB',
    ...options.env,
  });
  const installation = await openInstallation(config, {
    log,
    ...(options.clock === undefined ? {} : { clock: options.clock }),
  });
  const app = await createApp(installation, options.overrides).catch(async (error: unknown) => {
    await installation.close(); // or else the process would stay for ever
    throw error;
  });
  await app.start();
  const address = app.server.server.address() as AddressInfo | null;
  const url = address === null ? '' : `http://127.0.0.1:${address.port}`;

  let stopped = false;
  const stop = async () => {
    if (stopped) return;
    stopped = true;
    await app.stop();
    await installation.close();
  };
  t.after(async () => {
    await stop();
    if (database === null) return;
    await database.drop();
    rmSync(dataDir, { recursive: true, force: true });
    rmSync(config.masterKeyFile, { force: true });
  });

  const testApp: TestApp = {
    url,
    smtp: app.smtp?.submission,
    bouncePort: app.smtp?.bounces?.port,
    operatorPort: app.operatorPort,
    installation,
    logged: () => lines.join(''),
    request: (method, path, requestOptions = {}) => request(url, method, path, requestOptions),
    act,
    stop,
    createKey: (customer, scopes, more = {}) =>
      createApiKey(installation, act(customer.id, 'key.created'), {
        name: 'test',
        mode: more.mode ?? 'live',
        scopes,
        sendingDomains: more.sendingDomains ?? [],
        expiresAt: more.expiresAt ?? null,
      }),
    async createCustomer({ agreement = true } = {}) {
      counter += 1;
      const username = `customer-${process.pid}-${counter}`;
      const id = await createCustomer(installation, { kind: 'cli', id: 'test' }, { name: username, username });
      if (agreement) {
        await recordAgreement(installation, act(id, 'agreement.recorded'), {
          version: '1',
          signer: 'Test',
          signedOn: '2020-01-01',
          endsOn: null,
          pdf: null,
        });
      }
      const customer = { id, username, key: '', keyId: '' };
      const { id: keyId, key } = await testApp.createKey(customer, ['forms', 'email', 'marketing']);
      return { ...customer, key, keyId };
    },
  };
  return testApp;
}

async function request(
  url: string,
  method: string,
  path: string,
  { key, headers = {}, body, raw }: RequestOptions,
): Promise<Reply> {
  const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const reply = await fetch(url + path, {
    method,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(sent === undefined ? {} : { body: sent }),
  });
  const text = await reply.text();
  const isJson = text !== '' && reply.headers.get('content-type')?.startsWith('application/json') === true;
  return { status: reply.status, headers: reply.headers, body: isJson ? JSON.parse(text) : null, text };
}
