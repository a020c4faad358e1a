import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Clock } from '../../src/platform/clock.ts';
import { findPostfix } from '../support/postfix/binaries.ts';
import { PostfixInstance, run } from '../support/postfix/instance.ts';
import type { Fleet } from './fleet.ts';
import { startGreylist } from './policy-service.ts';

const NOBODY = '65534';

export interface ForeignPostfix {
  host: string;
  /** The messages in the mailbox of a user, as they were delivered. */
  mailbox(user: string): string[];
  /** The recipients that its greylist was asked about. */
  greylisted: string[];
  log(): string;
}

interface Wanted {
  /** Its users have mailboxes; others are refused at RCPT. */
  domain: string;
  users: string[];
  /** Everybody is taken here, and those without a mailbox come back with a DSN. */
  lateDomain: string;
  /** Where it sends what comes back: the port of a mail server on 127.0.0.1. */
  bouncePort: number;
  clock: Clock;
  greylistMinutes: number;
}

/** Debian's Postfix as the mail server of two domains of a fleet, with STARTTLS and a greylist; it ends with the test. */
export async function startPostfix(t: TestContext, fleet: Fleet, wanted: Wanted): Promise<ForeignPostfix> {
  const { domain, lateDomain, users, bouncePort } = wanted;
  const greylist = await startGreylist(t, wanted.clock, wanted.greylistMinutes);
  const { name, address, port } = fleet.announce(domain);
  fleet.zone[lateDomain] = { mx: [[10, name]] };
  const { cert, key } = await fleet.authority.issue({ names: [name] });
  const postfix = new PostfixInstance(findPostfix());
  t.after(() => postfix[Symbol.dispose]());
  const mail = join(postfix.folder, 'mail');
  mkdirSync(mail);
  run('/usr/bin/chown', [`${NOBODY}:${NOBODY}`, mail]);
  writeFileSync(join(postfix.folder, 'tls.pem'), `${key}${cert}\n`, { mode: 0o600 });
  const mailboxes = users.map((user) => `{${user}@${domain} = ${user}/}`).join(', ');
  const settings = {
    myhostname: name,
    maillog_file: join(postfix.folder, 'mail.log'),
    maillog_file_prefixes: postfix.folder,
    smtpd_tls_security_level: 'may',
    smtpd_tls_chain_files: join(postfix.folder, 'tls.pem'),
    virtual_mailbox_domains: `${domain}, ${lateDomain}`,
    virtual_mailbox_maps: `inline:{${mailboxes}}`,
    virtual_mailbox_base: mail,
    virtual_uid_maps: `static:${NOBODY}`,
    virtual_gid_maps: `static:${NOBODY}`,
    smtpd_relay_restrictions: 'reject_unauth_destination',
    smtpd_reject_unlisted_recipient: 'no',
    smtpd_recipient_restrictions: [
      `check_policy_service inet:127.0.0.1:${greylist.port}`,
      `check_recipient_access inline:{${lateDomain}=permit}`,
      'reject_unlisted_recipient',
    ].join(', '),
    relayhost: `[127.0.0.1]:${bouncePort}`,
    smtp_tls_security_level: 'may',
  };
  postfix.start(settings, `${address}:${port} inet n - n - - smtpd\npostlog unix-dgram n - n - 1 postlogd`);
  return {
    host: name,
    greylisted: greylist.asked,
    log: () => postfix.log(),
    mailbox(user) {
      const folder = join(mail, user, 'new');
      return existsSync(folder) ? readdirSync(folder).map((file) => readFileSync(join(folder, file), 'latin1')) : [];
    },
  };
}
