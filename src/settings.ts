import { fileURLToPath } from 'node:url';
import {
  drainSeconds,
  file,
  hostName,
  hostOrSocket,
  limits,
  listOf,
  mailAddress,
  nameServer,
  network,
  oneOf,
  orNull,
  port,
  retention,
  siteAddress,
  Unreadable,
  urlWith,
} from './setting-readers.ts';

export type { Limits, Retention } from './setting-readers.ts';

export type Role = 'http' | 'smtp' | 'worker';

interface Setting<T> {
  default: string;
  takes: string;
  about: string;
  read(text: string): T;
}

function setting<T>(definition: Setting<T>): Setting<T> {
  return definition;
}

/** Every setting there is; docs/configuration.md is generated from this table. */
export const SETTINGS = {
  CAREPOST_DATA_DIR: setting({
    default: './data',
    takes: 'a folder',
    about: 'Embedded database, blobs, audit checkpoints and generated certificates.',
    read: file,
  }),
  CAREPOST_HTTP_HOST: setting({
    default: '127.0.0.1',
    takes: 'an address or host name to listen on',
    about: 'Plain HTTP off loopback is refused unless a certificate or a trusted proxy is set.',
    read: hostName,
  }),
  CAREPOST_HTTP_PORT: setting({
    default: '8080',
    takes: 'a port from 0 to 65535',
    about: 'Port of the API and the dashboard.',
    read: port,
  }),
  CAREPOST_OPERATOR_HOST: setting({
    default: '127.0.0.1',
    takes: 'an address or host name to listen on',
    about: 'Address of the listener for operators, where CAREPOST_OPERATOR_PORT opens one.',
    read: hostName,
  }),
  CAREPOST_OPERATOR_PORT: setting({
    default: '',
    takes: 'a port from 0 to 65535',
    about:
      'A listener of their own for those who run the server: operators are then known there and nowhere else, and their part of the dashboard is not found at CAREPOST_HTTP_PORT. Off when empty.',
    read: orNull(port),
  }),
  CAREPOST_PUBLIC_URL: setting({
    default: '',
    takes: 'an http or https address without user, path and query',
    about:
      'What links begin with; from host and port when empty. The product has a name of its own, such as care.example.org: it cannot share one with another site below a path.',
    read: orNull(siteAddress),
  }),
  CAREPOST_DATABASE_URL: setting({
    default: '',
    takes: 'a postgres:// address',
    about: 'A PostgreSQL 15 or newer of your own; the embedded one when empty.',
    read: orNull(urlWith('postgres://', 'postgresql://')),
  }),
  CAREPOST_DATABASE_DIRECT_URL: setting({
    default: '',
    takes: 'a postgres:// address',
    about:
      'The same PostgreSQL past a pooler in transaction mode, where `CAREPOST_DATABASE_URL` names one: for migrations, side jobs and listening.',
    read: orNull(urlWith('postgres://', 'postgresql://')),
  }),
  CAREPOST_REPORTS_URL: setting({
    default: '',
    takes: 'a postgres:// address',
    about: 'A replica that reports on mailings are read from, by the same password; the database itself when empty.',
    read: orNull(urlWith('postgres://', 'postgresql://')),
  }),
  CAREPOST_BLOB_URL: setting({
    default: '',
    takes: 'file:///folder or s3://bucket?endpoint=…',
    about: 'Where files are kept; a folder under the data dir when empty.',
    read: orNull(urlWith('file:///', 's3://')),
  }),
  CAREPOST_MASTER_KEY_FILE: setting({
    default: '',
    takes: 'a file of 32 bytes outside the data dir',
    about: 'The master key; `<CAREPOST_DATA_DIR>.key` when empty, made on the first start.',
    read: orNull(file),
  }),
  CAREPOST_KEY_STORE: setting({
    default: 'database',
    takes: 'database, or file:///folder',
    about:
      'Where the wrapped customer keys live, from the first start on. In a folder apart, destroying them also ends old backups.',
    read: (value) => (value === 'database' ? null : fileURLToPath(urlWith('file:///')(value))),
  }),
  CAREPOST_SMTP_HOST: setting({
    default: '127.0.0.1',
    takes: 'an address or host name to listen on',
    about: 'Address of SMTP submission.',
    read: hostName,
  }),
  CAREPOST_SMTP_PORT: setting({
    default: '2587',
    takes: 'a port from 0 to 65535',
    about: 'SMTP submission with STARTTLS.',
    read: port,
  }),
  CAREPOST_SMTPS_PORT: setting({
    default: '2465',
    takes: 'a port from 0 to 65535',
    about: 'SMTP submission with implicit TLS.',
    read: port,
  }),
  CAREPOST_TLS_CERT_FILE: setting({
    default: '',
    takes: 'a PEM file',
    about: 'Certificate chain for HTTPS and SMTP; HTTPS is served where it is set and no proxy is trusted.',
    read: orNull(file),
  }),
  CAREPOST_TLS_KEY_FILE: setting({
    default: '',
    takes: 'a PEM file, together with CAREPOST_TLS_CERT_FILE',
    about: 'Private key of that certificate.',
    read: orNull(file),
  }),
  CAREPOST_ACME_EMAIL: setting({
    default: '',
    takes: 'an email address',
    about:
      'Has certificates for the names of CAREPOST_PUBLIC_URL and CAREPOST_HELO_NAME issued and renewed by an ACME authority (RFC 8555), to whose terms you agree by setting it; off when empty.',
    read: orNull(mailAddress),
  }),
  CAREPOST_ACME_DIRECTORY: setting({
    default: 'https://acme-v02.api.letsencrypt.org/directory',
    takes: 'an https address',
    about: "Directory of that authority; Let's Encrypt unless set otherwise.",
    read: urlWith('https://'),
  }),
  CAREPOST_ACME_HTTP_PORT: setting({
    default: '80',
    takes: 'a port from 0 to 65535',
    about:
      'Where the authority looks for proof (http-01), to which port 80 of each name leads. Nothing else answers there.',
    read: port,
  }),
  CAREPOST_SEAL_CERT_FILE: setting({
    default: '',
    takes: 'a PEM file',
    about:
      'Certificate that seals the certificates of signed submissions, and those above it; one of its own is made when empty.',
    read: orNull(file),
  }),
  CAREPOST_SEAL_KEY_FILE: setting({
    default: '',
    takes: 'a PEM file, together with CAREPOST_SEAL_CERT_FILE',
    about: 'Private key of that certificate: RSA of 2048 bits or more, P-256 or P-384.',
    read: orNull(file),
  }),
  CAREPOST_TSA_URL: setting({
    default: '',
    takes: 'an http or https address',
    about:
      'Time stamp authority (RFC 3161) that is asked to stamp each seal; none when empty. It sees a hash and nothing else.',
    read: orNull(urlWith('http://', 'https://')),
  }),
  CAREPOST_DELIVERY: setting({
    default: 'sandbox',
    takes: 'sandbox, direct or relay',
    about:
      'Where accepted mail goes: the built-in sandbox inbox, the mail servers of its recipients, or one next hop. Test keys always send to the sandbox.',
    read: oneOf('sandbox', 'direct', 'relay'),
  }),
  CAREPOST_RELAY_URL: setting({
    default: '',
    takes: 'an smtp:// or smtps:// address',
    about:
      'The next hop of relay delivery, with `user:password@` where it wants them: `smtp://` begins with STARTTLS (port 587), `smtps://` with TLS (465). Its certificate must be valid.',
    read: orNull(urlWith('smtp://', 'smtps://')),
  }),
  CAREPOST_DNS_SERVERS: setting({
    default: '',
    takes: 'addresses, with a port where it is not 53, separated by commas',
    about:
      "Resolvers for mail servers, sending domains and webhooks; the system's when empty. DNSSEC (and so DANE) counts where the resolver is on this machine.",
    read: listOf(nameServer),
  }),
  CAREPOST_MX_PORT: setting({
    default: '25',
    takes: 'a port from 0 to 65535',
    about:
      'Port of foreign mail servers. With another one than 25 and CAREPOST_DNS_SERVERS set, mail servers may have private addresses.',
    read: port,
  }),
  CAREPOST_TRUSTED_CA_FILE: setting({
    default: '',
    takes: 'a PEM file',
    about: "Authorities trusted beside the system's, for mail servers, policy hosts and webhooks.",
    read: orNull(file),
  }),
  CAREPOST_ROLES: setting({
    default: 'http,smtp,worker',
    takes: 'one or more of http, smtp, worker',
    about: 'What this process does.',
    read: (value) => {
      const roles = new Set(listOf(oneOf<Role>('http', 'smtp', 'worker'))(value));
      if (roles.size === 0) throw new Unreadable();
      return roles;
    },
  }),
  CAREPOST_DRAIN_SECONDS: setting({
    default: '0',
    takes: 'a number of seconds from 0 to 10',
    about:
      'How long a node that stops goes on answering while /readyz says 503: as long as a load balancer takes to see it.',
    read: drainSeconds,
  }),
  CAREPOST_TRUSTED_PROXIES: setting({
    default: '',
    takes: 'addresses or networks, separated by commas',
    about: 'Proxies whose X-Forwarded-* headers count and that end TLS in front of this server.',
    read: listOf(network),
  }),
  CAREPOST_SYSTEM_FROM: setting({
    default: '',
    takes: 'an email address',
    about: 'Sender of mails from the product itself; no-reply at the host of CAREPOST_PUBLIC_URL when empty.',
    read: orNull(mailAddress),
  }),
  CAREPOST_SECURITY_CONTACT: setting({
    default: '',
    takes: 'a mailto: or https:// address',
    about: 'Whom to tell of a flaw, at `/.well-known/security.txt`; there is none when empty.',
    read: orNull(urlWith('mailto:', 'https://')),
  }),
  CAREPOST_HELO_NAME: setting({
    default: '',
    takes: 'a host name',
    about: 'Name that the product has in SMTP, as server and as client; the host of CAREPOST_PUBLIC_URL when empty.',
    read: orNull(hostName),
  }),
  CAREPOST_RETURN_PATH_DOMAIN: setting({
    default: '',
    takes: 'a domain',
    about: 'Domain that mail is returned to; the domain of each sender when empty.',
    read: orNull(hostName),
  }),
  CAREPOST_BOUNCE_PORT: setting({
    default: '',
    takes: 'a port from 0 to 65535',
    about:
      'SMTP listener for returned mail and reports, to which port 25 of CAREPOST_RETURN_PATH_DOMAIN leads; off when empty.',
    read: orNull(port),
  }),
  CAREPOST_CLAMD: setting({
    default: '',
    takes: 'host:port or a socket path',
    about:
      'Virus scanner (clamd) for the files of submissions; off when empty. Where set, a file that cannot be scanned is refused.',
    read: orNull(hostOrSocket),
  }),
  CAREPOST_LIMITS: setting({
    default: '',
    takes: 'key=N/Ns, network=N/Ns, form=N/Ns, free-disk=NGB, separated by commas',
    about:
      'Requests per key and per network, submissions per form (default key=600000/60s, network=60000/60s, form=6000/60s); free disk below which writes are refused (1GB).',
    read: limits,
  }),
  CAREPOST_RETENTION: setting({
    default: '',
    takes:
      'backups=Nd, content=Nd, sandbox=Nd, log=Nd, webhooks=Nd, work=Nd, marketing=Nd, audit=Ny (6 or more), separated by commas',
    about:
      'How long backups are kept (35d; named in records of key destruction), the content of messages that have nothing left to deliver (30d), sandbox mail (30d), the log of messages (2192d), deliveries of webhooks (90d), imports and bulk jobs that have ended (90d), the history of mailings, drips and consent of people who are gone (2192d; who got which mailing at least 60d, so that links to unsubscribe work), and the audit log (6y). Customers may ask for less, of the audit log for more: docs/retention.md.',
    read: retention,
  }),
  CAREPOST_LOG_LEVEL: setting({
    default: 'info',
    takes: 'debug, info, warn, error or silent',
    about: 'Logs are JSON lines on standard output.',
    read: oneOf('debug', 'info', 'warn', 'error', 'silent'),
  }),
  CAREPOST_METRICS_HOST: setting({
    default: '127.0.0.1',
    takes: 'an address or host name to listen on',
    about:
      'Address of the listener for metrics, where CAREPOST_METRICS_PORT opens one. It asks nobody who they are: never one that can be reached from outside.',
    read: hostName,
  }),
  CAREPOST_METRICS_PORT: setting({
    default: '',
    takes: 'a port from 0 to 65535',
    about:
      'Separate port for /metrics, /healthz and /readyz, which every role has; when empty, /metrics answers on the main port to loopback only.',
    read: orNull(port),
  }),
};
