import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSelfSigned } from '../src/platform/net/self-signed.ts';
import { listens } from './listens.ts';
import type { VerifiedHop } from './postfix.ts';

const VERSION = '3.3.4';
const CACHE = join(import.meta.dirname, '../node_modules/.cache/carepost-haraka');
const PROGRAM = join(CACHE, 'node_modules/Haraka/bin/haraka');
// Versions that its dependencies name and that the registry does not have everywhere.
const PACKAGE = { private: true, overrides: { 'encoding-japanese': '2.2.0', libqp: '2.1.1' } };

/** Haraka from npm, which is no dependency of ours, in a folder of its own; disposing of it ends both. */
export class Haraka {
  readonly version = VERSION;
  readonly #folder = mkdtempSync(join(tmpdir(), 'carepost-haraka-'));
  #child: ChildProcess | null = null;

  /** Starts it with an account and one next hop; answers why it is not there, or null. */
  async start(port: number, hop: VerifiedHop, account: { user: string; password: string }): Promise<string | null> {
    const whyNot = install();
    if (whyNot !== null) return whyNot;
    await this.#configure(port, hop, account);
    // Its own settings for outbound TLS know no authorities, so it trusts this one besides those of node.
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: hop.authorityFile };
    this.#child = spawn(process.execPath, [PROGRAM, '-c', this.#folder], { env, stdio: 'ignore' });
    const end = () => void this.#child?.kill('SIGKILL');
    process.once('exit', end);
    this.#child.once('exit', () => process.off('exit', end));
    return (await listens(port)) ? null : 'it does not start';
  }

  get pid(): number {
    return this.#child?.pid as number;
  }

  /** How many messages are in its queue. */
  queued(): number {
    return readdirSync(join(this.#folder, 'queue')).length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const child = this.#child;
    if (child !== null && child.exitCode === null && child.signalCode === null) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL'); // its shutdown waits for half a minute
      await ended;
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #configure(
    port: number,
    { port: mxPort, name }: VerifiedHop,
    { user, password }: Parameters<Haraka['start']>[2],
  ) {
    const { cert, key } = await createSelfSigned('mail.bench.invalid', new Date());
    const mx = JSON.stringify({ exchange: '127.0.0.1', port: mxPort, priority: 0, from_dns: name });
    const files = {
      'config/plugins': 'tls\nauth/flat_file\nget_mx\n',
      'config/me': 'mail.bench.invalid\n',
      'config/smtp.ini': `listen=127.0.0.1:${port}\n`,
      'config/log.ini': '[main]\nlevel=error\nformat=default\n',
      'config/auth_flat_file.ini': `[core]\nmethods=PLAIN\n[users]\n${user}=${password}\n`,
      'config/outbound.ini': 'local_mx_ok=true\n',
      'config/tls.ini': `[outbound]\nforce_tls_hosts[]=${name}\n`,
      'config/tls_key.pem': key,
      'config/tls_cert.pem': cert,
      'plugins/get_mx.js': `exports.hook_get_mx = (next) => next(OK, [${mx}]);\n`,
    };
    cpSync(join(CACHE, 'node_modules/Haraka/config'), join(this.#folder, 'config'), { recursive: true });
    for (const folder of ['plugins', 'queue']) mkdirSync(join(this.#folder, folder));
    for (const [file, text] of Object.entries(files)) writeFileSync(join(this.#folder, file), text);
  }
}

function install(): string | null {
  if (existsSync(PROGRAM)) return null;
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(join(CACHE, 'package.json'), JSON.stringify(PACKAGE));
  const options = ['--no-audit', '--no-fund', '--loglevel=error'];
  const { status, stderr } = spawnSync('npm', ['install', '--prefix', CACHE, `Haraka@${VERSION}`, ...options], {
    encoding: 'utf8',
  });
  return status === 0 ? null : `npm cannot install it: ${stderr?.trim().split('\n').at(0)}`;
}
