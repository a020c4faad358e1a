import { once } from 'node:events';
import { fstatSync } from 'node:fs';
import { createApiKey, createUser, listCustomers } from '../../accounts/index.ts';
import { type App, createApp } from '../../app.ts';
import { type Config, readEnvironment } from '../../config.ts';
import { refuseUnbuiltWeb, setupUrl } from '../../dashboard/index.ts';
import { refuseUnbuiltScripts } from '../../forms/index.ts';
import { type Installation, openInstallation } from '../../installation.ts';
import { concludeRestore } from '../../operations/restore/index.ts';
import { oneAtATime } from '../../platform/db/one-at-a-time.ts';
import type { Scope } from '../../platform/http/access.ts';
import { type Command, operatorAct } from '../command.ts';
import { setUpCustomer } from './customer.ts';

const DRAIN_MS = 30_000;
const SCOPES: Scope[] = ['forms', 'email', 'marketing'];

export const serve: Command = {
  name: 'serve',
  usage: '',
  about: 'run the product; SIGTERM drains and stops',
  async run({ config }) {
    const stopAsked = awaitStopSignal();
    if (config.roles.has('http')) await refuseUnbuiltPages();
    const installation = await openInstallation(config, { keepsDatabase: true });
    try {
      const wrong = await concludeRestore(installation);
      if (wrong !== null) installation.log.warn(wrong);
      await serveUntil(stopAsked, installation);
    } catch (error) {
      throw explain(config, error);
    } finally {
      await installation.close();
    }
    return null;
  },
};

async function refuseUnbuiltPages(): Promise<void> {
  await refuseUnbuiltWeb();
  await refuseUnbuiltScripts();
}

/** Aborted when a signal asks the process to stop, which it then does in its own time, but not for ever. */
function awaitStopSignal(): AbortSignal {
  const asked = new AbortController();
  const stop = () => {
    if (asked.signal.aborted) return;
    asked.abort();
    setTimeout(() => process.exit(1), DRAIN_MS).unref();
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('SIGHUP', stop); // the terminal was closed
  return asked.signal;
}

/** Whatever is under way when a stop is asked for is let come to its end, so that it is stopped once and as a whole. */
async function serveUntil(stopAsked: AbortSignal, installation: Installation): Promise<void> {
  if (stopAsked.aborted) return;
  const app = await createApp(installation);
  try {
    await app.start();
    if (stopAsked.aborted) return;
    await greet(installation, app);
    if (!stopAsked.aborted) await once(stopAsked, 'abort');
  } finally {
    await app.stop();
  }
}

async function greet(installation: Installation, { smtp }: App): Promise<void> {
  const { config } = installation;
  const welcome = await oneAtATime(installation.ownerUrl, 'first steps', async () =>
    (await listCustomers(installation.db)).length === 0 ? firstSteps(installation) : [],
  );
  const doors = smtp === undefined ? [] : [smtpLine(config.smtp.host, smtp.submission)];
  process.stdout.write(
    `${['Carepost is running.', '', `  Dashboard  ${config.publicUrl}/app`, ...doors, ...welcome].join('\n')}\n\n`,
  );
}

/** Whether what is printed goes to a log that is kept, where nothing may stand that lets somebody in. */
function isLogged(): boolean {
  if (process.stdout.isTTY) return false;
  const { container, JOURNAL_STREAM } = readEnvironment();
  const { dev, ino } = fstatSync(process.stdout.fd);
  return container !== undefined || JOURNAL_STREAM === `${dev}:${ino}`;
}

/** On the very first start: a customer, a way to sign in and a key, each shown this once. */
async function firstSteps(installation: Installation): Promise<string[]> {
  const { publicUrl } = installation.config;
  const customerId = await setUpCustomer(installation, { name: 'My clinic', username: 'clinic', agreement: true });
  const owner = { email: 'owner@localhost', role: 'owner' };
  const { setupToken } = await createUser(installation, operatorAct(customerId, 'user.created'), owner);
  if (isLogged()) {
    return [
      `  Sign in    carepost user link --email ${owner.email}`,
      `  API key    carepost key create --customer ${customerId} --scopes ${SCOPES.join(',')}`,
      '  Operator   carepost user create --email you@example.org --role operator',
    ];
  }
  const { key } = await createApiKey(installation, operatorAct(customerId, 'key.created'), {
    name: 'first key',
    mode: 'live',
    scopes: SCOPES,
    expiresAt: null,
  });
  return [
    `  Sign in    ${setupUrl({ publicUrl }, 'invitation', setupToken)}  (once, within 7 days)`,
    `  API key    ${key}  (not shown again)`,
    `  Customer   ${customerId}`,
    '  Operator   npx carepost user create --email you@example.org --role operator',
    '',
    ...firstCall(installation.config, key),
  ];
}

/** What to paste first: outside the sandbox nothing can be sent before a domain is verified. */
function firstCall({ delivery, publicUrl }: Config, key: string): string[] {
  const call = (path: string, body: object) =>
    `curl -s ${publicUrl}/v1/email${path} -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;
  if (delivery !== 'sandbox') {
    const words = 'Add the domain that you send from; the reply has the DNS records to publish:';
    return [words, '', call('/sending_domains', { domain: 'example.org' })];
  }
  const message = {
    recipients: ['patient@example.com'],
    headers: { from: 'clinic@example.org', subject: 'Hello' },
    content: { 'text/plain': 'It works.' },
  };
  return ['Send a first message; it goes to the sandbox inbox:', '', call('/messages', { data: { message } })];
}

function smtpLine(host: string, { port, tlsPort }: { port: number; tlsPort: number }): string {
  return `  SMTP       ${host}:${port} (STARTTLS), ${host}:${tlsPort} (TLS); user apikey, password an API key`;
}

/** What the error of a listener may say of it. */
interface Listener {
  port: number;
  address: string;
  hostname: string;
}

function explain(config: Config, error: unknown): unknown {
  const { code, port, address, hostname } = error as NodeJS.ErrnoException & Partial<Listener>;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return explainHost(config, address ?? hostname) ?? error;
  if (port === undefined || (code !== 'EADDRINUSE' && code !== 'EACCES')) return error;
  const { smtp, operators, acme, bouncePort, metrics } = config;
  const settings = new Map([
    [operators?.port, 'CAREPOST_OPERATOR_PORT'],
    [acme?.httpPort, 'CAREPOST_ACME_HTTP_PORT'],
    [bouncePort, 'CAREPOST_BOUNCE_PORT'],
    [metrics?.port, 'CAREPOST_METRICS_PORT'],
    [smtp.port, 'CAREPOST_SMTP_PORT'],
    [smtp.tlsPort, 'CAREPOST_SMTPS_PORT'],
  ]);
  const setting = settings.get(port) ?? 'CAREPOST_HTTP_PORT';
  const state = code === 'EACCES' ? 'not for this user' : 'in use';
  return new Error(`port ${port} is ${state}: ${setting} takes another one`);
}

function explainHost({ http, smtp, operators, metrics }: Config, host: string | undefined): Error | null {
  const settings = new Map([
    [operators?.host, 'CAREPOST_OPERATOR_HOST'],
    [metrics?.host, 'CAREPOST_METRICS_HOST'],
    [smtp.host, 'CAREPOST_SMTP_HOST'],
    [http.host, 'CAREPOST_HTTP_HOST'],
  ]);
  const setting = settings.get(host);
  return setting === undefined ? null : new Error(`${setting} takes an address of this machine`);
}
