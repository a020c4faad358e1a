import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSelfSigned } from '../src/platform/net/self-signed.ts';
import { OWNER, PostfixInstance, run } from '../tests/support/postfix/instance.ts';

export const INSTALL = 'apt-get install -y --no-install-recommends postfix libsasl2-modules sasl2-bin strace';
export const ACCOUNT = { user: 'bench', password: 'bench-password' };
const REALM = 'bench.invalid';

/** A mail server on this machine that is to be verified by its name and a certificate authority. */
export interface VerifiedHop {
  port: number;
  name: string;
  authorityFile: string;
}

/** What becomes of accepted mail: it is held in the queue, or delivered to a mail server on this port. */
export type Onward = 'hold' | number | VerifiedHop;

/** What signs each message on its way in: a filter on this port, without which nothing is taken. */
const SIGNING = (port: number) => ({ smtpd_milters: `inet:127.0.0.1:${port}`, milter_default_action: 'tempfail' });

// Restrictions may end in HOLD: what was accepted stays in the queue, and neither delivery nor the queue manager costs
// anything. in_flow_delay would slow the door down for the sake of delivery. No lookups in DNS, no limits per client.
const SETTINGS = (folder: string, onward: Onward) => ({
  myhostname: 'mail.bench.invalid',
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

/** The next hop has no name that Postfix could look up here; the certificate is held against the one it has to have. */
const VERIFYING = ({ name, authorityFile }: VerifiedHop) => ({
  smtp_tls_security_level: 'secure',
  smtp_tls_secure_cert_match: name,
  smtp_tls_CAfile: authorityFile,
});

/** One next hop over TLS, with as many messages to a connection as Postfix can be told to send. */
const DELIVERING = (hop: number | VerifiedHop) => ({
  relayhost: `[127.0.0.1]:${typeof hop === 'number' ? hop : hop.port}`,
  ...(typeof hop === 'number' ? { smtp_tls_security_level: 'encrypt' } : VERIFYING(hop)),
  smtp_tls_connection_reuse: 'yes',
  smtp_connection_cache_destinations: 'static:all',
  default_destination_concurrency_limit: '20',
});

/** Whether Debian's Postfix, its SASL plug-ins and the rights to start it are there. */
export function canRunPostfix(): boolean {
  return existsSync('/usr/sbin/postfix') && existsSync('/usr/sbin/saslpasswd2') && process.getuid?.() === 0;
}

/** Debian's Postfix as it is installed, with an account; disposing of it ends both. */
export class Postfix {
  readonly version = run('/usr/sbin/postconf', ['-dh', 'mail_version']).trim();
  readonly #instance = new PostfixInstance({ root: '', libraries: '' });

  async start(port: number, onward: Onward, signer?: number): Promise<void> {
    const { folder } = this.#instance;
    const { cert, key } = await createSelfSigned('mail.bench.invalid', new Date());
    writeFileSync(join(folder, 'tls.pem'), `${key}${cert}\n`, { mode: 0o600 });
    this.#createAccount();
    const settings = { ...SETTINGS(folder, onward), ...(signer === undefined ? {} : SIGNING(signer)) };
    this.#instance.start(settings, `127.0.0.1:${port} inet n - n - - smtpd`);
  }

  get pid(): number {
    return this.#instance.pid;
  }

  /** How many messages are in a part of its queue. */
  queued(part: Parameters<PostfixInstance['queued']>[0]): number {
    return this.#instance.queued(part);
  }

  [Symbol.dispose](): void {
    this.#instance[Symbol.dispose]();
  }

  #createAccount(): void {
    const sasl = join(this.#instance.folder, 'sasl');
    const accounts = join(sasl, 'sasldb2');
    mkdirSync(sasl);
    const method = ['pwcheck_method: auxprop', 'auxprop_plugin: sasldb', 'mech_list: PLAIN'];
    writeFileSync(join(sasl, 'smtpd.conf'), [...method, `sasldb_path: ${accounts}`, ''].join('\n'));
    run('/usr/sbin/saslpasswd2', ['-c', '-p', '-f', accounts, '-u', REALM, ACCOUNT.user], ACCOUNT.password);
    run('/usr/bin/chown', [OWNER, accounts]);
  }
}
