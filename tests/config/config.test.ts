import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { readConfig } from '../../src/config.ts';
import { SETTINGS } from '../../src/settings.ts';

const MAIN = join(import.meta.dirname, '..', '..', 'src', 'main.ts');
const PORT = 'a port from 0 to 65535';
const HOST = 'an address or host name to listen on';

/** What each setting says it takes, and values that it must refuse with just that line. */
const BROKEN: Record<string, { takes: string; values: string[] }> = {
  CAREPOST_DATA_DIR: { takes: 'a folder', values: ['', ' '] },
  CAREPOST_HTTP_HOST: { takes: HOST, values: ['', 'two words', 'a/b', 'http://a'] },
  CAREPOST_HTTP_PORT: { takes: PORT, values: ['', 'http', '65536', '-1', '80.5', '0x50', '1e3'] },
  CAREPOST_OPERATOR_HOST: { takes: HOST, values: ['', 'two words'] },
  CAREPOST_OPERATOR_PORT: { takes: PORT, values: ['admin'] },
  CAREPOST_PUBLIC_URL: {
    takes: 'an http or https address without user, path and query',
    values: [
      'forms.example.org',
      'ftp://example.org',
      'http:example.org',
      '/',
      'https://ann:secret@example.org',
      'https://ann@example.org',
      'https://example.org/?a=1',
      'https://example.org/?',
      'https://example.org/#top',
      'https://example.org/care',
      'https://example.org/care/',
    ],
  },
  CAREPOST_DATABASE_URL: { takes: 'a postgres:// address', values: ['mysql://a/b', 'localhost', 'postgres:carepost'] },
  CAREPOST_DATABASE_DIRECT_URL: { takes: 'a postgres:// address', values: ['mysql://a/b', 'localhost'] },
  CAREPOST_REPORTS_URL: { takes: 'a postgres:// address', values: ['mysql://a/b', 'replica'] },
  CAREPOST_DRAIN_SECONDS: { takes: 'a number of seconds from 0 to 10', values: ['', '-1', '11', '1.5', 'soon'] },
  CAREPOST_BLOB_URL: {
    takes: 'file:///folder or s3://bucket?endpoint=…',
    values: ['/srv/blobs', 'file:blobs', 'file:///', 's3:bucket', 'https://bucket'],
  },
  CAREPOST_KEY_STORE: {
    takes: 'database, or file:///folder',
    values: ['', '/srv/keys', 'file:keys', 'file://host/keys', 's3://keys'],
  },
  CAREPOST_SMTP_HOST: { takes: HOST, values: ['', 'two words'] },
  CAREPOST_SMTP_PORT: { takes: PORT, values: ['submission'] },
  CAREPOST_SMTPS_PORT: { takes: PORT, values: ['99999'] },
  CAREPOST_DELIVERY: {
    takes: 'sandbox, direct or relay',
    values: ['', 'smtp', 'Sandbox'],
  },
  CAREPOST_ACME_EMAIL: { takes: 'an email address', values: ['it', '@example.org'] },
  CAREPOST_ACME_DIRECTORY: { takes: 'an https address', values: ['', 'http://acme.example.org/dir', 'acme'] },
  CAREPOST_ACME_HTTP_PORT: { takes: PORT, values: ['', 'http'] },
  CAREPOST_TSA_URL: { takes: 'an http or https address', values: ['ftp://time.example.org', 'time'] },
  CAREPOST_RELAY_URL: { takes: 'an smtp:// or smtps:// address', values: ['http://relay.example.org', 'relay'] },
  CAREPOST_DNS_SERVERS: {
    takes: 'addresses, with a port where it is not 53, separated by commas',
    values: [
      'dns.example.org',
      '10.0.0.1,dns',
      '10.0.0.0/8',
      '10.0.0.1:0',
      '10.0.0.1:70000',
      'dns:53',
      '[10.0.0.1',
      '::1:',
    ],
  },
  CAREPOST_MX_PORT: { takes: PORT, values: ['smtp'] },
  CAREPOST_ROLES: { takes: 'one or more of http, smtp, worker', values: ['', ',', 'queue', 'http,queue'] },
  CAREPOST_TRUSTED_PROXIES: {
    takes: 'addresses or networks, separated by commas',
    values: ['proxy.example.org', '10.0.0.0/33', '10.0.0.0/', '::1/129', '10.0.0.1/8/8'],
  },
  CAREPOST_SECURITY_CONTACT: {
    takes: 'a mailto: or https:// address',
    values: ['ann@example.org', 'http://example.org'],
  },
  CAREPOST_SYSTEM_FROM: { takes: 'an email address', values: ['nobody', 'a b@example.org', '@'] },
  CAREPOST_HELO_NAME: { takes: 'a host name', values: ['mail server'] },
  CAREPOST_RETURN_PATH_DOMAIN: { takes: 'a domain', values: ['b@example.org'] },
  CAREPOST_BOUNCE_PORT: { takes: PORT, values: ['70000'] },
  CAREPOST_CLAMD: {
    takes: 'host:port or a socket path',
    values: ['nonsense', 'scanner:', ':3310', 'scanner:0', 'scanner:70000', 'scanner:clamd', 'run/clamd.sock'],
  },
  CAREPOST_LIMITS: {
    takes: 'key=N/Ns, network=N/Ns, form=N/Ns, free-disk=NGB, separated by commas',
    values: ['key', 'key=5', 'key=0/60s', 'key=5/0s', 'key=5/3601s', 'key=5/60s=7', 'speed=5/60s', 'constructor=1'],
  },
  CAREPOST_RETENTION: {
    takes:
      'backups=Nd, content=Nd, sandbox=Nd, log=Nd, webhooks=Nd, work=Nd, marketing=Nd, audit=Ny (6 or more), separated by commas',
    values: [
      'backups=0d',
      'sandbox=7',
      'mail=7d',
      'toString=1',
      'backups=-1d',
      'audit=5y',
      'audit=6d',
      'log=7y',
      'log=36501d',
    ],
  },
  CAREPOST_LOG_LEVEL: { takes: 'debug, info, warn, error or silent', values: ['', 'loud', 'INFO', 'trace'] },
  CAREPOST_METRICS_HOST: { takes: HOST, values: ['', 'two words'] },
  CAREPOST_METRICS_PORT: { takes: PORT, values: ['on'] },
};

/** Any text names a file; whether it is there shows when it is opened. */
const TAKE_ANYTHING = [
  'CAREPOST_MASTER_KEY_FILE',
  'CAREPOST_TLS_CERT_FILE',
  'CAREPOST_TLS_KEY_FILE',
  'CAREPOST_SEAL_CERT_FILE',
  'CAREPOST_SEAL_KEY_FILE',
  'CAREPOST_TRUSTED_CA_FILE',
];

function mistakesOf(env: Record<string, string>): string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    return (error as Error).message.split('\n');
  }
}

test('each broken setting is refused with one line that names it and what it takes', () => {
  assert.deepEqual([...Object.keys(BROKEN), ...TAKE_ANYTHING].toSorted(), Object.keys(SETTINGS).toSorted());
  for (const [name, { takes, values }] of Object.entries(BROKEN)) {
    for (const value of values)
      assert.deepEqual(mistakesOf({ [name]: value }), [`${name} takes ${takes}`], `${name}=${value}`);
  }
});

test('all mistakes are told at once, with names that are no settings', () => {
  const env = {
    CAREPOST_HTTP_PORT: 'http',
    CAREPOST_LOG_LEVEL: 'loud',
    CAREPOST_HTTP_HOTS: '127.0.0.1',
    CAREPOST_: '',
    CAREPOST_TEST_DATABASE: 'left to the tests',
    PATH: '/bin',
  };
  assert.deepEqual(mistakesOf(env), [
    `CAREPOST_HTTP_PORT takes ${PORT}`,
    'CAREPOST_LOG_LEVEL takes debug, info, warn, error or silent',
    'CAREPOST_HTTP_HOTS is not a setting of Carepost',
    'CAREPOST_ is not a setting of Carepost',
  ]);
});

test('plain HTTP off loopback is refused unless a certificate or a trusted proxy is set', () => {
  const refused = [
    'CAREPOST_HTTP_HOST takes a loopback address unless CAREPOST_TLS_CERT_FILE, CAREPOST_ACME_EMAIL or CAREPOST_TRUSTED_PROXIES is set',
  ];
  for (const host of ['0.0.0.0', '::', '192.168.1.5', 'forms.example.org'])
    assert.deepEqual(mistakesOf({ CAREPOST_HTTP_HOST: host }), refused, host);
  for (const host of ['127.0.0.1', '::1', 'localhost']) assert.deepEqual(mistakesOf({ CAREPOST_HTTP_HOST: host }), []);
  const apart = { CAREPOST_OPERATOR_HOST: '10.0.0.5', CAREPOST_OPERATOR_PORT: '8090' };
  assert.match(mistakesOf(apart)[0] ?? '', /^CAREPOST_OPERATOR_HOST takes a loopback address unless /);
  const anywhere = { CAREPOST_HTTP_HOST: '0.0.0.0' };
  assert.deepEqual(mistakesOf({ ...anywhere, CAREPOST_TRUSTED_PROXIES: '10.0.0.1' }), []);
  const certificate = { CAREPOST_TLS_CERT_FILE: 'a.pem', CAREPOST_TLS_KEY_FILE: 'a.key' };
  assert.deepEqual(mistakesOf({ ...anywhere, ...certificate }), []);
  assert.equal(readConfig({ ...anywhere, ...certificate }).publicUrl, 'https://0.0.0.0:8080');
});

test('a certificate needs its key, and the master key stays out of the data dir', () => {
  const together = ['CAREPOST_TLS_CERT_FILE and CAREPOST_TLS_KEY_FILE are set together or not at all'];
  assert.deepEqual(mistakesOf({ CAREPOST_TLS_CERT_FILE: 'a.pem' }), together);
  assert.deepEqual(mistakesOf({ CAREPOST_TLS_KEY_FILE: 'a.key' }), together);
  const sealTogether = ['CAREPOST_SEAL_CERT_FILE and CAREPOST_SEAL_KEY_FILE are set together or not at all'];
  assert.deepEqual(mistakesOf({ CAREPOST_SEAL_CERT_FILE: 'a.pem' }), sealTogether);
  assert.deepEqual(mistakesOf({ CAREPOST_SEAL_KEY_FILE: 'a.key' }), sealTogether);
  const apart = ['CAREPOST_KEY_STORE takes a folder outside CAREPOST_DATA_DIR'];
  assert.deepEqual(mistakesOf({ CAREPOST_DATA_DIR: '/srv/data', CAREPOST_KEY_STORE: 'file:///srv/data/keys' }), apart);
  assert.deepEqual(mistakesOf({ CAREPOST_DATA_DIR: '/srv/data', CAREPOST_KEY_STORE: 'file:///srv/data-keys' }), []);
  const outside = ['CAREPOST_MASTER_KEY_FILE takes a file outside CAREPOST_DATA_DIR'];
  for (const file of ['/srv/data/key', '/srv/data/deep/key', '/srv/data', '/srv/other/../data/key'])
    assert.deepEqual(mistakesOf({ CAREPOST_DATA_DIR: '/srv/data', CAREPOST_MASTER_KEY_FILE: file }), outside, file);
  for (const file of ['/srv/data.key', '/srv/data2/key', '/srv/data/../key'])
    assert.deepEqual(mistakesOf({ CAREPOST_DATA_DIR: '/srv/data', CAREPOST_MASTER_KEY_FILE: file }), [], file);
});

test('operators have a port of their own, whatever address they come to', () => {
  const env = { CAREPOST_HTTP_PORT: '8080', CAREPOST_OPERATOR_HOST: '::1' };
  const apart = ['CAREPOST_OPERATOR_PORT takes another port than CAREPOST_HTTP_PORT'];
  assert.deepEqual(mistakesOf({ ...env, CAREPOST_OPERATOR_PORT: '8080' }), apart);
  assert.deepEqual(mistakesOf({ ...env, CAREPOST_OPERATOR_PORT: '8081' }), []);
  assert.deepEqual(mistakesOf({ ...env, CAREPOST_HTTP_PORT: '0', CAREPOST_OPERATOR_PORT: '0' }), []);
});

test('an authority is asked for the names of the web and of mail, and not beside a certificate on disk', () => {
  const acme = {
    CAREPOST_ACME_EMAIL: 'it@example.org',
    CAREPOST_PUBLIC_URL: 'https://Care.example.org:8443/',
    CAREPOST_HTTP_HOST: '0.0.0.0',
  };
  const directory = 'https://acme-v02.api.letsencrypt.org/directory';
  const wanted = { email: 'it@example.org', directory, httpPort: 80, names: ['care.example.org'] };
  assert.deepEqual(readConfig(acme).acme, wanted);
  const names = ['care.example.org', 'mail.example.org'];
  assert.deepEqual(readConfig({ ...acme, CAREPOST_HELO_NAME: 'mail.example.org' }).acme, { ...wanted, names });
  const certificate = { CAREPOST_TLS_CERT_FILE: 'a.pem', CAREPOST_TLS_KEY_FILE: 'a.key' };
  assert.deepEqual(mistakesOf({ ...acme, ...certificate }), [
    'CAREPOST_ACME_EMAIL and CAREPOST_TLS_CERT_FILE are not set together',
  ]);
  for (const url of ['', 'https://10.0.0.1', 'https://localhost']) {
    assert.deepEqual(mistakesOf({ ...acme, CAREPOST_PUBLIC_URL: url }), [
      'CAREPOST_PUBLIC_URL takes an address with a host name where CAREPOST_ACME_EMAIL is set',
    ]);
  }
});

test('the ways through and past a pooler have one password, from which those of the roles derive', () => {
  const same = ['CAREPOST_DATABASE_DIRECT_URL takes the user and password of CAREPOST_DATABASE_URL'];
  const direct = { CAREPOST_DATABASE_DIRECT_URL: 'postgres://owner:secret@db.example/carepost' };
  assert.deepEqual(mistakesOf(direct), same);
  for (const who of ['owner:other', 'other:secret', 'owner']) {
    assert.deepEqual(mistakesOf({ ...direct, CAREPOST_DATABASE_URL: `postgres://${who}@pool.example/carepost` }), same);
  }
  const through = { ...direct, CAREPOST_DATABASE_URL: 'postgres://owner:secret@pool.example:6432/carepost' };
  assert.deepEqual(mistakesOf(through), []);
  const reports = { CAREPOST_REPORTS_URL: 'postgres://owner:other@replica.example/carepost' };
  const sameForReports = ['CAREPOST_REPORTS_URL takes the user and password of CAREPOST_DATABASE_URL'];
  assert.deepEqual(mistakesOf({ ...through, ...reports }), sameForReports);
});

test('a setting that is secret may stand in a file', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'carepost-settings-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'database-url');
  writeFileSync(file, 'postgres://owner:secret@db.example/carepost\n');
  assert.equal(
    readConfig({ CAREPOST_DATABASE_URL_FILE: file }).databaseUrl,
    'postgres://owner:secret@db.example/carepost',
  );
  const blank = readConfig({ CAREPOST_DATABASE_URL_FILE: file, CAREPOST_DATABASE_URL: '' });
  assert.equal(blank.databaseUrl, 'postgres://owner:secret@db.example/carepost');
  assert.equal(readConfig({ CAREPOST_DATABASE_URL_FILE: '', CAREPOST_DATABASE_URL: '' }).databaseUrl, null);
  const both = { CAREPOST_DATABASE_URL_FILE: file, CAREPOST_DATABASE_URL: 'postgres://a:b@other.example/c' };
  assert.equal(readConfig(both).databaseUrl, 'postgres://a:b@other.example/c');
  assert.deepEqual(mistakesOf({ CAREPOST_DATABASE_URL_FILE: join(folder, 'missing') }), [
    'CAREPOST_DATABASE_URL_FILE takes a file that can be read',
  ]);
  assert.deepEqual(mistakesOf({ CAREPOST_DATABASE_FILE: file }), [
    'CAREPOST_DATABASE_FILE is not a setting of Carepost',
  ]);
});

test('without any setting the defaults are those that are promised', () => {
  const dataDir = resolve('data');
  assert.deepEqual(readConfig({}), {
    dataDir,
    http: { host: '127.0.0.1', port: 8080 },
    operators: null,
    publicUrl: 'http://127.0.0.1:8080',
    databaseUrl: null,
    databaseDirectUrl: null,
    reportsUrl: null,
    blobUrl: pathToFileURL(join(dataDir, 'blobs')).href,
    masterKeyFile: `${dataDir}.key`,
    keyStoreFolder: null,
    smtp: { host: '127.0.0.1', port: 2587, tlsPort: 2465 },
    tls: null,
    acme: null,
    seal: null,
    tsaUrl: null,
    delivery: 'sandbox',
    relayUrl: null,
    dnsServers: [],
    mxPort: 25,
    trustedCaFile: null,
    roles: new Set(['http', 'smtp', 'worker']),
    drainSeconds: 0,
    trustedProxies: [],
    systemFrom: 'no-reply@carepost.internal',
    securityContact: null,
    heloName: 'carepost.internal',
    returnPathDomain: null,
    bouncePort: null,
    clamd: null,
    limits: {
      key: { count: 600_000, windowSeconds: 60 },
      network: { count: 60_000, windowSeconds: 60 },
      form: { count: 6_000, windowSeconds: 60 },
      freeDiskBytes: 2 ** 30,
    },
    retention: {
      backupDays: 35,
      contentDays: 30,
      sandboxDays: 30,
      logDays: 2_192,
      webhookDays: 90,
      workDays: 90,
      marketingDays: 2_192,
      auditYears: 6,
    },
    logLevel: 'info',
    metrics: null,
  });
});

test('settings are read as they are meant', () => {
  const config = readConfig({
    CAREPOST_DATA_DIR: '/srv/data/',
    CAREPOST_HTTP_HOST: '::1',
    CAREPOST_HTTP_PORT: ' 81 ',
    CAREPOST_KEY_STORE: 'file:///srv/keys/',
    CAREPOST_ROLES: 'worker, http',
    CAREPOST_LIMITS: 'key=5/10s, free-disk=2GB',
    CAREPOST_RETENTION: 'sandbox=7d, content=90d, log=400d, webhooks=10d, work=11d, marketing=12d, audit=7y',
    CAREPOST_TRUSTED_PROXIES: '10.0.0.0/8, ::1',
  });
  for (const clamd of ['127.0.0.1:3310', 'scanner.example:3310', '::1:3310', '/run/clamav/clamd.ctl'])
    assert.equal(readConfig({ CAREPOST_CLAMD: clamd }).clamd, clamd);
  assert.equal(config.dataDir, '/srv/data');
  assert.equal(config.masterKeyFile, '/srv/data.key');
  assert.equal(config.publicUrl, 'http://[::1]:81');
  assert.equal(config.keyStoreFolder, '/srv/keys');
  assert.deepEqual(config.roles, new Set(['worker', 'http']));
  assert.deepEqual(config.limits.key, { count: 5, windowSeconds: 10 });
  assert.deepEqual(config.limits.network, { count: 60_000, windowSeconds: 60 });
  assert.equal(config.limits.freeDiskBytes, 2 * 2 ** 30);
  assert.deepEqual(config.retention, {
    backupDays: 35,
    contentDays: 90,
    sandboxDays: 7,
    logDays: 400,
    webhookDays: 10,
    workDays: 11,
    marketingDays: 12,
    auditYears: 7,
  });
  assert.deepEqual(config.trustedProxies, ['10.0.0.0/8', '::1']);
  assert.equal(
    readConfig({ CAREPOST_PUBLIC_URL: 'https://forms.example.org/' }).publicUrl,
    'https://forms.example.org',
  );
});

test('settings of a .env file count, and those of the environment win', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'carepost-env-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const lines = ['# a comment', 'CAREPOST_HTTP_PORT=http', 'CAREPOST_LOG_LEVEL="loud"', 'CAREPOST_HTTP_HOTS=a'];
  writeFileSync(join(folder, '.env'), lines.join('\n'));
  const env = { PATH: process.env.PATH, CAREPOST_HTTP_PORT: '8081', CAREPOST_MX_PORT: 'smtp' };
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, 'doctor'], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  assert.equal(
    stderr,
    [
      `carepost: CAREPOST_MX_PORT takes ${PORT}`,
      'CAREPOST_LOG_LEVEL takes debug, info, warn, error or silent',
      'CAREPOST_HTTP_HOTS is not a setting of Carepost',
      '',
    ].join('\n'),
  );
  assert.deepEqual([status, stdout], [1, '']);
});
