import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseEnv } from 'node:util';
import { type Limits, type Retention, type Role, SETTINGS } from './settings.ts';

export interface Config {
  dataDir: string;
  http: { host: string; port: number };
  /** Where operators are let in, if apart from everybody else. */
  operators: { host: string; port: number } | null;
  publicUrl: string;
  databaseUrl: string | null;
  /** The way past the pooler, where there is one. */
  databaseDirectUrl: string | null;
  /** The replica for reports, where there is one. */
  reportsUrl: string | null;
  blobUrl: string;
  masterKeyFile: string;
  /** Where customer keys live: `null` is the database itself, otherwise a folder apart from it. */
  keyStoreFolder: string | null;
  smtp: { host: string; port: number; tlsPort: number };
  tls: { certFile: string; keyFile: string } | null;
  /** Who issues the certificate of the listeners, and for which names, where that is left to an authority. */
  acme: { email: string; directory: string; httpPort: number; names: string[] } | null;
  /** What certificates are sealed with, where the operator has a certificate. */
  seal: { certFile: string; keyFile: string } | null;
  tsaUrl: string | null;
  delivery: 'sandbox' | 'direct' | 'relay';
  relayUrl: string | null;
  dnsServers: string[];
  mxPort: number;
  trustedCaFile: string | null;
  roles: Set<Role>;
  drainSeconds: number;
  trustedProxies: string[];
  systemFrom: string;
  securityContact: string | null;
  heloName: string;
  returnPathDomain: string | null;
  bouncePort: number | null;
  clamd: string | null;
  limits: Limits;
  retention: Retention;
  logLevel: string;
  metrics: { host: string; port: number } | null;
}

type Values = { [Name in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[Name]['read']> };

/** Thrown with one line for each mistake, naming the setting and what it takes. */
class ConfigError extends Error {
  constructor(lines: string[]) {
    super(lines.join('\n'));
  }
}

/** The settings of the environment and of a `.env` file in the working directory; the environment wins. */
export function readEnvironment(): Record<string, string | undefined> {
  try {
    return { ...parseEnv(readFileSync('.env', 'utf8')), ...process.env };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return process.env;
    throw error;
  }
}

/** Reads and checks every setting at once. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const mistakes: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, { default: fallback, takes, read }] of Object.entries(SETTINGS)) {
    try {
      values[name] = read((textOf(env, name) ?? fallback).trim());
    } catch (error) {
      mistakes.push(error instanceof FileMissing ? error.message : `${name} takes ${takes}`);
    }
  }
  for (const name of Object.keys(env)) {
    if (name.startsWith('CAREPOST_') && !isSetting(name) && !name.startsWith('CAREPOST_TEST_')) {
      mistakes.push(`${name} is not a setting of Carepost`);
    }
  }
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  const config = assemble(values as Values);
  const conflicts = contradictions(config, values as Values);
  if (conflicts.length > 0) throw new ConfigError(conflicts);
  return config;
}

/** Thrown where the file that holds a setting cannot be read. */
class FileMissing extends Error {}

/** A setting, or the name of one with `_FILE` behind it. */
function isSetting(name: string): boolean {
  return name in SETTINGS || (name.endsWith('_FILE') && name.slice(0, -'_FILE'.length) in SETTINGS);
}

/** What a setting was given: as it is or, for what is secret, in a file that NAME_FILE names. */
function textOf(env: Record<string, string | undefined>, name: string): string | undefined {
  const [given, file = ''] = [env[name], env[`${name}_FILE`]];
  if ((given ?? '').trim() !== '' || file.trim() === '') return given;
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new FileMissing(`${name}_FILE takes a file that can be read`);
  }
}

function assemble(values: Values): Config {
  const dataDir = values.CAREPOST_DATA_DIR;
  const host = values.CAREPOST_HTTP_HOST;
  const [certFile, keyFile] = [values.CAREPOST_TLS_CERT_FILE, values.CAREPOST_TLS_KEY_FILE];
  const tls = pairOf(certFile, keyFile);
  const encrypted = tls !== null || values.CAREPOST_ACME_EMAIL !== null;
  const scheme = encrypted && values.CAREPOST_TRUSTED_PROXIES.length === 0 ? 'https' : 'http';
  const publicUrl =
    values.CAREPOST_PUBLIC_URL ?? `${scheme}://${host.includes(':') ? `[${host}]` : host}:${values.CAREPOST_HTTP_PORT}`;
  const name = nameOf(publicUrl);
  return {
    dataDir,
    http: { host, port: values.CAREPOST_HTTP_PORT },
    operators:
      values.CAREPOST_OPERATOR_PORT === null
        ? null
        : { host: values.CAREPOST_OPERATOR_HOST, port: values.CAREPOST_OPERATOR_PORT },
    publicUrl,
    databaseUrl: values.CAREPOST_DATABASE_URL,
    databaseDirectUrl: values.CAREPOST_DATABASE_DIRECT_URL,
    reportsUrl: values.CAREPOST_REPORTS_URL,
    blobUrl: values.CAREPOST_BLOB_URL ?? pathToFileURL(resolve(dataDir, 'blobs')).href,
    masterKeyFile: values.CAREPOST_MASTER_KEY_FILE ?? `${dataDir}.key`,
    keyStoreFolder: values.CAREPOST_KEY_STORE,
    smtp: {
      host: values.CAREPOST_SMTP_HOST,
      port: values.CAREPOST_SMTP_PORT,
      tlsPort: values.CAREPOST_SMTPS_PORT,
    },
    tls,
    acme: acmeOf(values, publicUrl),
    seal: pairOf(values.CAREPOST_SEAL_CERT_FILE, values.CAREPOST_SEAL_KEY_FILE),
    tsaUrl: values.CAREPOST_TSA_URL,
    delivery: values.CAREPOST_DELIVERY,
    relayUrl: values.CAREPOST_RELAY_URL,
    dnsServers: values.CAREPOST_DNS_SERVERS,
    mxPort: values.CAREPOST_MX_PORT,
    trustedCaFile: values.CAREPOST_TRUSTED_CA_FILE,
    roles: values.CAREPOST_ROLES,
    drainSeconds: values.CAREPOST_DRAIN_SECONDS,
    trustedProxies: values.CAREPOST_TRUSTED_PROXIES,
    securityContact: values.CAREPOST_SECURITY_CONTACT,
    systemFrom: values.CAREPOST_SYSTEM_FROM ?? `no-reply@${name}`,
    heloName: values.CAREPOST_HELO_NAME ?? name,
    returnPathDomain: values.CAREPOST_RETURN_PATH_DOMAIN,
    bouncePort: values.CAREPOST_BOUNCE_PORT,
    clamd: values.CAREPOST_CLAMD,
    limits: values.CAREPOST_LIMITS,
    retention: values.CAREPOST_RETENTION,
    logLevel: values.CAREPOST_LOG_LEVEL,
    metrics:
      values.CAREPOST_METRICS_PORT === null
        ? null
        : { host: values.CAREPOST_METRICS_HOST, port: values.CAREPOST_METRICS_PORT },
  };
}

function pairOf(certFile: string | null, keyFile: string | null): { certFile: string; keyFile: string } | null {
  return certFile !== null && keyFile !== null ? { certFile, keyFile } : null;
}

function acmeOf(values: Values, publicUrl: string): Config['acme'] {
  if (values.CAREPOST_ACME_EMAIL === null) return null;
  const names = new Set([new URL(publicUrl).hostname, values.CAREPOST_HELO_NAME ?? nameOf(publicUrl)]);
  return {
    email: values.CAREPOST_ACME_EMAIL,
    directory: values.CAREPOST_ACME_DIRECTORY,
    httpPort: values.CAREPOST_ACME_HTTP_PORT,
    names: [...names].map((name) => name.toLowerCase()).toSorted(),
  };
}

const PUBLIC_NAME = /^([a-z0-9-]+\.)+[a-z][a-z0-9-]*$/i;

/** The host name in an address; one of our own where it has none that mail could bear. */
function nameOf(publicUrl: string): string {
  const { hostname } = new URL(publicUrl);
  return PUBLIC_NAME.test(hostname) ? hostname : 'carepost.internal';
}

/** User and password of an address; the passwords of the roles derive from them on both ways. */
function passwordIn(url: string | null): string | null {
  if (url === null) return null;
  const { username, password } = new URL(url);
  return `${username}:${password}`;
}

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);

function contradictions(config: Config, values: Values): string[] {
  const lines: string[] = [];
  if ((values.CAREPOST_TLS_CERT_FILE === null) !== (values.CAREPOST_TLS_KEY_FILE === null)) {
    lines.push('CAREPOST_TLS_CERT_FILE and CAREPOST_TLS_KEY_FILE are set together or not at all');
  }
  if ((values.CAREPOST_SEAL_CERT_FILE === null) !== (values.CAREPOST_SEAL_KEY_FILE === null)) {
    lines.push('CAREPOST_SEAL_CERT_FILE and CAREPOST_SEAL_KEY_FILE are set together or not at all');
  }
  const isEncrypted = config.tls !== null || config.acme !== null || config.trustedProxies.length > 0;
  const hosts = { CAREPOST_HTTP_HOST: config.http.host, CAREPOST_OPERATOR_HOST: config.operators?.host ?? 'localhost' };
  for (const [name, host] of Object.entries(hosts)) {
    if (LOOPBACK.has(host) || isEncrypted) continue;
    lines.push(
      `${name} takes a loopback address unless CAREPOST_TLS_CERT_FILE, CAREPOST_ACME_EMAIL or CAREPOST_TRUSTED_PROXIES is set`,
    );
  }
  if (config.operators !== null && config.operators.port !== 0 && config.operators.port === config.http.port) {
    lines.push('CAREPOST_OPERATOR_PORT takes another port than CAREPOST_HTTP_PORT');
  }
  if (config.acme !== null && config.tls !== null) {
    lines.push('CAREPOST_ACME_EMAIL and CAREPOST_TLS_CERT_FILE are not set together');
  }
  if (config.acme?.names.every((name) => PUBLIC_NAME.test(name)) === false) {
    lines.push('CAREPOST_PUBLIC_URL takes an address with a host name where CAREPOST_ACME_EMAIL is set');
  }
  if (config.keyStoreFolder !== null && `${config.keyStoreFolder}/`.startsWith(`${config.dataDir}/`)) {
    lines.push('CAREPOST_KEY_STORE takes a folder outside CAREPOST_DATA_DIR');
  }
  if (`${config.masterKeyFile}/`.startsWith(`${config.dataDir}/`)) {
    lines.push('CAREPOST_MASTER_KEY_FILE takes a file outside CAREPOST_DATA_DIR');
  }
  if (config.databaseDirectUrl !== null && passwordIn(config.databaseUrl) !== passwordIn(config.databaseDirectUrl)) {
    lines.push('CAREPOST_DATABASE_DIRECT_URL takes the user and password of CAREPOST_DATABASE_URL');
  }
  if (config.reportsUrl !== null && passwordIn(config.databaseUrl) !== passwordIn(config.reportsUrl)) {
    lines.push('CAREPOST_REPORTS_URL takes the user and password of CAREPOST_DATABASE_URL');
  }
  if (config.delivery === 'relay' && config.relayUrl === null) {
    lines.push('CAREPOST_RELAY_URL takes an smtp:// or smtps:// address where CAREPOST_DELIVERY is relay');
  }
  return lines;
}
