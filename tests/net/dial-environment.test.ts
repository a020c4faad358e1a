import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { createSelfSigned } from '../../src/platform/net/self-signed.ts';
import { type Receiver, startReceiver } from './receiver.ts';

const DIAL = join(import.meta.dirname, '../../src/platform/net/dial.ts');
const certificate = await createSelfSigned('localhost', new Date());
const other = await createSelfSigned('other.example.test', new Date());

/** Calls both receivers from a process of its own, and gives the two statuses. */
const PROGRAM = `
  import { createDialler } from ${JSON.stringify(DIAL)};
  const { PLAIN, SECURED, AUTHORITY } = process.env;
  const dial = createDialler({ resolve: async () => [], allowLoopback: true, authorities: AUTHORITY });
  const call = async (url) => (await dial({ url, headers: {}, body: '', timeoutMs: 10000 })).status;
  console.log(await call('http://localhost:' + PLAIN + '/'), await call('https://localhost:' + SECURED + '/'));
`;

async function runWith(env: Record<string, string>, plain: Receiver, secured: Receiver): Promise<string> {
  const ports = { PLAIN: String(plain.port), SECURED: String(secured.port) };
  const child = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', PROGRAM], {
    env: { PATH: process.env.PATH, ...ports, ...env },
  });
  return (await child).stdout.trim();
}

function fileWith(t: TestContext, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'carepost-dial-'));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'authority.pem'), text);
  return join(folder, 'authority.pem');
}

test('no proxy of the environment is used, not even where Node is told to', async (t) => {
  const [plain, secured, proxy] = [
    await startReceiver(t),
    await startReceiver(t, { certificate }),
    await startReceiver(t),
  ];
  const url = `http://127.0.0.1:${proxy.port}`;
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'];
  const env = { NODE_USE_ENV_PROXY: '1', NO_PROXY: '', ...Object.fromEntries(names.map((name) => [name, url])) };
  assert.equal(await runWith({ ...env, AUTHORITY: certificate.cert }, plain, secured), '200 200');
  assert.equal(proxy.connections(), 0);
  assert.deepEqual([plain.connections(), secured.connections()], [1, 1]);
});

test('authorities of our own come on top of those that the process trusts', async (t) => {
  const [plain, secured] = [await startReceiver(t), await startReceiver(t, { certificate })];
  const env = { NODE_EXTRA_CA_CERTS: fileWith(t, certificate.cert), AUTHORITY: other.cert };
  assert.equal(await runWith(env, plain, secured), '200 200');
});
