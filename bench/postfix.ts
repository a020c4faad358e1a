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
import { createSelfSigned } from '../src/platform/net/self-signed.ts';

export const INSTALL = 'apt-get install -y --no-install-recommends postfix libsasl2-modules sasl2-bin strace';
export const ACCOUNT = { user: 'bench', password: 'bench-password' };
const REALM = 'bench.invalid';

/** What becomes of accepted mail: it is held in the queue, or delivered to a mail server on this port. */
export type Onward = 'hold' | number;

// Restrictions may end in HOLD: what was accepted stays in the queue, and neither delivery nor the queue manager costs
// anything. in_flow_delay would slow the door down for the sake of delivery. No lookups in DNS, no limits per client.
const SETTINGS = (folder: string, onward: Onward) => ({
  compatibility_level: '3.6',
  queue_directory: join(folder, 'queue'),
  data_directory: join(folder, 'data'),
  myhostname: 'mail.bench.invalid',
  mydestination: '',
  local_recipient_maps: '',
  alias_maps: '',
  alias_database: '',
  inet_interfaces: '127.0.0.1',
  inet_protocols: 'ipv4',
  smtpd_peername_lookup: 'no',
  smtp_dns_support_level: 'disabled',
  default_process_limit: '100',
  smtpd_client_connection_count_limit: '0',
  smtpd_client_event_limit_exceptions: 'static:all',
  in_flow_delay: '0',
  smtpd_tls_security_level: 'encrypt',
  smtpd_tls_chain_files: join(folder, 'tls.pem'),
  smtpd_tls_auth_only: 'yes',
  smtpd_sasl_auth_enable: 'yes',
  smtpd_sasl_path: 'smtpd',
  smtpd_sasl_local_domain: REALM,
  cyrus_sasl_config_path: join(folder, 'sasl'),
  smtpd_client_restrictions: 'permit_sasl_authenticated, reject',
  smtpd_relay_restrictions: 'permit_sasl_authenticated, reject',
  smtpd_recipient_restrictions:
    onward === 'hold'
      ? 'check_recipient_access static:HOLD, permit_sasl_authenticated, reject'
      : 'permit_sasl_authenticated, reject',
  ...(onward === 'hold' ? {} : DELIVERING(onward)),
});

/** One next hop over TLS, with as many messages to a connection as Postfix can be told to send. */
const DELIVERING = (port: number) => ({
  relayhost: `[127.0.0.1]:${port}`,
  smtp_tls_security_level: 'encrypt',
  smtp_tls_connection_reuse: 'yes',
  smtp_connection_cache_destinations: 'static:all',
  default_destination_concurrency_limit: '20',
});

const SERVICES = (port: number) => `
127.0.0.1:${port} inet n - n - - smtpd
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
scache unix - - n - 1 scache
tlsproxy unix - - n - 0 tlsproxy
anvil unix - - n - 1 anvil
`;

/** Whether Debian's Postfix, its SASL plug-ins and the rights to start it are there. */
export function canRunPostfix(): boolean {
  return existsSync('/usr/sbin/postfix') && existsSync('/usr/sbin/saslpasswd2') && process.getuid?.() === 0;
}

/** Debian's Postfix with configuration, queue and accounts in a folder of its own; disposing of it ends both. */
export class Postfix {
  readonly version: string;
  readonly #folder = mkdtempSync(join(tmpdir(), 'carepost-bench-postfix-'));

  constructor() {
    this.version = run('/usr/sbin/postconf', ['-dh', 'mail_version']).trim();
  }

  async start(port: number, onward: Onward): Promise<void> {
    const folder = this.#folder;
    chmodSync(folder, 0o755); // its processes drop their rights
    const settings = Object.entries(SETTINGS(folder, onward)).map(([name, value]) => `${name} = ${value}\n`);
    writeFileSync(join(folder, 'main.cf'), settings.join(''));
    writeFileSync(join(folder, 'master.cf'), SERVICES(port));
    const { cert, key } = await createSelfSigned('mail.bench.invalid', new Date());
    writeFileSync(join(folder, 'tls.pem'), `${key}${cert}\n`, { mode: 0o600 });
    this.#createAccount();
    mkdirSync(join(folder, 'queue'));
    mkdirSync(join(folder, 'data'));
    run('/usr/bin/chown', ['postfix', join(folder, 'data')]);
    process.once('exit', () => this[Symbol.dispose]());
    run('/usr/sbin/postfix', ['-c', folder, 'start']);
  }

  /** The process that all others of this instance descend from. */
  get pid(): number {
    return Number(readFileSync(join(this.#folder, 'queue', 'pid', 'master.pid'), 'utf8'));
  }

  /** How many messages are in a part of its queue. */
  queued(part: 'hold' | 'incoming' | 'active' | 'deferred'): number {
    return readdirSync(join(this.#folder, 'queue', part), { recursive: true }).length;
  }

  stop(): void {
    if (existsSync(join(this.#folder, 'queue', 'pid', 'master.pid'))) {
      run('/usr/sbin/postfix', ['-c', this.#folder, 'stop']);
    }
  }

  [Symbol.dispose](): void {
    this.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #createAccount(): void {
    const sasl = join(this.#folder, 'sasl');
    const accounts = join(sasl, 'sasldb2');
    mkdirSync(sasl);
    const method = ['pwcheck_method: auxprop', 'auxprop_plugin: sasldb', 'mech_list: PLAIN'];
    writeFileSync(join(sasl, 'smtpd.conf'), [...method, `sasldb_path: ${accounts}`, ''].join('\n'));
    run('/usr/sbin/saslpasswd2', ['-c', '-p', '-f', accounts, '-u', REALM, ACCOUNT.user], ACCOUNT.password);
    run('/usr/bin/chown', ['postfix', accounts]);
  }
}

function run(command: string, args: string[], input = ''): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { input, encoding: 'utf8', timeout: 60_000 });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? stderr}`);
  return stdout;
}
