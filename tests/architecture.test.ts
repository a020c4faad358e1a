import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { test } from 'node:test';

const SRC = join(import.meta.dirname, '..', 'src');
/** A part imports itself and what stands after it. */
const ORDER =
  `main cli app pages areas parts certificates smtp-doors worker operations overrides jobs installation configuration-page config settings setting-readers version
  dashboard forms marketing email accounts platform`.split(/\s+/);
const AREAS = new Set(['dashboard', 'forms', 'marketing', 'email', 'accounts']);
const NETWORK = /^(node:(net|tls|http|https|http2|dgram|dns(\/promises)?)|undici|@aws-sdk\/.*|pg|fetch)$/;
const OPENS_SOCKETS = ['platform/net/', 'platform/db/', 'email/delivery/'];
const HARMLESS: Record<string, string> = {
  'setting-readers.ts node:net': 'tells addresses from names',
  'email/smtp-server/listen.ts node:net': 'listens for those who hand in mail or return it',
  'email/smtp-server/listen.ts node:tls': 'secures the connections of those who hand in mail or return it',
  'platform/http/limits/network-of.ts node:net': 'tells kinds of addresses apart',
  'platform/http/limits/trusted-peers.ts node:net': 'compares addresses',
  'platform/acme/serve-challenges.ts node:http': 'listens for authorities that look for proof',
  'platform/blob/s3.ts @aws-sdk/client-s3': 'the store of files that the operator names',
  'platform/blob/s3.ts @aws-sdk/lib-storage': 'the store of files that the operator names',
  'platform/http/operators-door.ts node:http': 'listens for operators',
  'platform/http/operators-door.ts node:https': 'listens for operators',
  'platform/http/serve-metrics.ts node:http': 'listens for whoever reads the metrics',
  'forms/page/script/proof.ts fetch': 'is run by the browser',
  'forms/page/script/upload/take-files.ts fetch': 'is run by the browser',
  'forms/page/script/seal-post.ts fetch': 'is run by the browser',
};

interface Import {
  from: string;
  /** A package, or a path from src. */
  to: string;
}

const STATEMENT = /^(?:import|export)\s+(type\s)?(?:[\w\s{},*$]+\sfrom\s+)?'([^']+)'|\bimport\('([^']+)'\)/gm;

function importsIn(from: string, text: string): Import[] {
  const named = [...text.matchAll(STATEMENT)].map(([, type, name, dynamic]) => ({ type, to: name ?? dynamic ?? '' }));
  const kept = named.filter(({ type, to }) => type === undefined || to.startsWith('.'));
  const fetched = /\bfetch\(/.test(text) ? [{ from, to: 'fetch' }] : [];
  const resolved = (to: string) => (to.startsWith('.') ? posix.normalize(posix.join(posix.dirname(from), to)) : to);
  return [...kept.map(({ to }) => ({ from, to: resolved(to) })), ...fetched];
}

const modules = globSync('**/*.ts', { cwd: SRC }).map((from) => ({
  from,
  text: readFileSync(join(SRC, from), 'utf8'),
}));
const imports = modules.flatMap(({ from, text }) => importsIn(from, text));
const isOwn = ({ to }: Import) => to.endsWith('.ts');
const partOf = (path: string) => path.split(/[/.]/)[0] as string;
const inWords = ({ from, to }: Import) => `${from} ${to}`;

function breaksOrder({ from, to }: Import): boolean {
  const [here, there] = [partOf(from), partOf(to)];
  if (here === there) return false;
  if (AREAS.has(there) && to !== `${there}/index.ts`) return true;
  return !ORDER.includes(here) || ORDER.indexOf(there) < ORDER.indexOf(here);
}

test('there is something to check, and the reader of imports finds every form of them', () => {
  assert.ok(modules.length > 100 && imports.filter(isOwn).length > 400, `${modules.length} modules`);
  const text = `import a from 'a';\nimport {\n  type B,\n  c as d,\n} from '../b.ts';\nimport type { E } from 'e';
import './f.ts';\nexport { g } from './g.ts';\nexport * from '../../h.ts';\nconst i = await import('./i.ts');\nfetch('j');
import type { K } from './k.ts';\nexport const notOne = \`from 'l'\`;`;
  const found = ['a', 'x/b.ts', 'x/y/f.ts', 'x/y/g.ts', 'h.ts', 'x/y/i.ts', 'x/y/k.ts', 'fetch'];
  assert.deepEqual(
    importsIn('x/y/z.ts', text).map(({ to }) => to),
    found,
  );
});

test('imports go one way only, and into another area by its index', () => {
  assert.deepEqual(imports.filter((each) => isOwn(each) && breaksOrder(each)).map(inWords), []);
  assert.ok(breaksOrder({ from: 'email/index.ts', to: 'forms/index.ts' }));
  assert.ok(breaksOrder({ from: 'email/index.ts', to: 'accounts/users.ts' }));
  assert.ok(breaksOrder({ from: 'platform/log.ts', to: 'config.ts' }));
  assert.ok(breaksOrder({ from: 'app.ts', to: '../tests/support/app.ts' }), 'nor is anything of the tests imported');
});

test('only the settings read the environment, and only platform/db knows the database driver', () => {
  const readers = modules.filter(({ text }) => /\bprocess\.env\b/.test(text)).map(({ from }) => from);
  assert.deepEqual(readers, ['config.ts']);
  const drivers = imports.filter(({ to }) => to === 'pg').map(({ from }) => posix.dirname(from));
  assert.deepEqual([...new Set(drivers)], ['platform/db']);
});

test('only delivery and platform/net open connections outward', () => {
  const networked = imports.filter(({ to }) => NETWORK.test(to));
  const elsewhere = networked.filter(({ from }) => !OPENS_SOCKETS.some((folder) => from.startsWith(folder)));
  assert.deepEqual(elsewhere.map(inWords).toSorted(), Object.keys(HARMLESS).toSorted());
});
