import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Binaries } from '../debian-package.ts';

const STOPS_WITHIN_MS = 10_000;
// Every Debian has these, and Postfix insists on some that are neither root's nor each other's.
/** The user that its processes run as. */
export const OWNER = 'mail';
const DROP_GROUP = 'news';
const PRIVATE = 'active bounce corrupt defer deferred flush hold incoming private saved trace'.split(' ');

const SERVICES = `
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
showq unix n - n - - showq
error unix - - n - - error
retry unix - - n - - error
smtp unix - - n - - smtp
relay unix - - n - - smtp
virtual unix - n n - - virtual
scache unix - - n - 1 scache
tlsproxy unix - - n - 0 tlsproxy
anvil unix - - n - 1 anvil
`;

/** A Postfix with configuration, queue and all else in a folder of its own; disposing of it ends both. */
export class PostfixInstance {
  readonly #binaries: Binaries;
  readonly folder = mkdtempSync(join(tmpdir(), 'carepost-postfix-'));

  constructor(binaries: Binaries) {
    this.#binaries = binaries;
    chmodSync(this.folder, 0o755); // its processes drop their rights
  }

  /** Starts it and waits until it listens; services are lines of master.cf, besides those that every Postfix has. */
  start(settings: Record<string, string>, services: string): void {
    const all = Object.entries({ ...this.#ownSettings(), ...settings });
    writeFileSync(join(this.folder, 'main.cf'), all.map(([name, value]) => `${name} = ${value}\n`).join(''));
    writeFileSync(join(this.folder, 'master.cf'), `${services}${SERVICES}`);
    this.#makeFolders();
    process.once('exit', () => this[Symbol.dispose]());
    this.#master('-w');
  }

  /** The process that all others of this instance descend from. */
  get pid(): number {
    return Number(readFileSync(this.#pidFile, 'utf8'));
  }

  /** How many messages are in a part of its queue. */
  queued(part: 'hold' | 'incoming' | 'active' | 'deferred'): number {
    return readdirSync(join(this.folder, 'queue', part), { recursive: true }).length;
  }

  stop(): void {
    if (!existsSync(this.#pidFile) || !this.#isRunning()) return;
    process.kill(this.pid, 'SIGTERM');
    const end = Date.now() + STOPS_WITHIN_MS;
    while (this.#isRunning()) if (Date.now() > end) throw new Error('Postfix does not stop');
  }

  [Symbol.dispose](): void {
    if (!existsSync(this.folder)) return;
    this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  get #pidFile(): string {
    return join(this.folder, 'queue', 'pid', 'master.pid');
  }

  #ownSettings(): Record<string, string> {
    const { root, libraries } = this.#binaries;
    return {
      compatibility_level: '3.6',
      mail_owner: OWNER,
      setgid_group: DROP_GROUP,
      default_privs: 'nobody',
      queue_directory: join(this.folder, 'queue'),
      data_directory: join(this.folder, 'data'),
      meta_directory: this.folder,
      daemon_directory: `${root}/usr/lib/postfix/sbin`,
      command_directory: `${root}/usr/sbin`,
      import_environment: `MAIL_CONFIG MAIL_LOGTAG POSTLOG_SERVICE POSTLOG_HOSTNAME LANG=C LD_LIBRARY_PATH=${libraries}`,
      mydestination: '',
      local_recipient_maps: '',
      alias_maps: '',
      alias_database: '',
      inet_interfaces: '127.0.0.1',
      inet_protocols: 'ipv4',
      smtpd_peername_lookup: 'no',
      smtp_dns_support_level: 'disabled',
    };
  }

  #makeFolders(): void {
    const queue = join(this.folder, 'queue');
    mkdirSync(queue);
    for (const part of PRIVATE) make(join(queue, part), 0o700, OWNER);
    make(join(queue, 'pid'), 0o755, 'root');
    make(join(queue, 'public'), 0o710, `${OWNER}:${DROP_GROUP}`);
    make(join(queue, 'maildrop'), 0o730, `${OWNER}:${DROP_GROUP}`);
    make(join(this.folder, 'data'), 0o700, OWNER);
  }

  /** Exits with 0 where nobody holds the lock of a running one. */
  #isRunning(): boolean {
    return spawnSync(this.#program, ['-t', '-c', this.folder], { env: this.#environment }).status !== 0;
  }

  #master(option: string): void {
    const { status, stderr } = spawnSync(this.#program, [option, '-c', this.folder], {
      encoding: 'utf8',
      timeout: 60_000,
      env: this.#environment,
    });
    if (status !== 0) throw new Error(`Postfix does not start (${status}): ${stderr}${this.log()}`);
  }

  /** What it has logged, where the settings name a file for that. */
  log(): string {
    const file = join(this.folder, 'mail.log');
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  }

  get #program(): string {
    return `${this.#binaries.root}/usr/lib/postfix/sbin/master`;
  }

  get #environment(): NodeJS.ProcessEnv {
    const { libraries } = this.#binaries;
    return { ...process.env, MAIL_CONFIG: this.folder, ...(libraries === '' ? {} : { LD_LIBRARY_PATH: libraries }) };
  }
}

function make(path: string, mode: number, owner: string): void {
  mkdirSync(path);
  chmodSync(path, mode);
  run('/usr/bin/chown', [owner, path]);
}

/** Runs a program to its end and answers what it printed. */
export function run(command: string, args: string[], input = ''): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { input, encoding: 'utf8', timeout: 60_000 });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? stderr}`);
  return stdout;
}
