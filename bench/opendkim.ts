import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findDebianPackage } from '../tests/support/debian-package.ts';
import { listens } from './listens.ts';

/** Debian's OpenDKIM, which signs with RSA-2048 what a Postfix takes in; disposing of it ends it. */
export class OpenDkim {
  readonly #folder = mkdtempSync(join(tmpdir(), 'carepost-opendkim-'));
  #child: ChildProcess | null = null;

  async start(port: number, domain: string): Promise<void> {
    const { root, libraries } = findDebianPackage('opendkim', 'usr/sbin/opendkim', ['usr/lib']);
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const [keyFile, configFile] = [join(this.#folder, 'key.pem'), join(this.#folder, 'opendkim.conf')];
    writeFileSync(keyFile, privateKey.export({ type: 'pkcs1', format: 'pem' }), { mode: 0o600 });
    const settings = {
      Mode: 's',
      Domain: domain,
      Selector: 'bench',
      KeyFile: keyFile,
      Canonicalization: 'relaxed/relaxed',
      SignatureAlgorithm: 'rsa-sha256',
      Socket: `inet:${port}@127.0.0.1`,
      Syslog: 'no',
      RequireSafeKeys: 'no', // it minds that others can write to /tmp
    };
    const lines = Object.entries(settings).map(([name, value]) => `${name} ${value}\n`);
    writeFileSync(configFile, lines.join(''));
    this.#child = spawn(`${root}/usr/sbin/opendkim`, ['-f', '-x', configFile], {
      env: { ...process.env, ...(libraries === '' ? {} : { LD_LIBRARY_PATH: libraries }) },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const end = () => void this.#child?.kill('SIGKILL');
    process.once('exit', end);
    this.#child.once('exit', () => process.off('exit', end));
    if (!(await listens(port))) throw new Error('OpenDKIM does not start');
  }

  get pid(): number {
    return this.#child?.pid as number;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const child = this.#child;
    if (child !== null && child.exitCode === null && child.signalCode === null) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
