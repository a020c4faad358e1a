import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../../src/config.ts';
import { examine } from '../../src/operations/doctor/index.ts';
import { withConnection } from '../../src/platform/db/pool.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { createAuthority } from '../support/authority.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/server.ts';

const DAY_MS = 24 * 3600_000;

/** Settings with an authority that does not answer. */
async function settings(roles: string): Promise<Record<string, string>> {
  const names = ['HTTP', 'OPERATOR', 'ACME_HTTP', 'METRICS', 'SMTP', 'SMTPS'];
  const ports = await Promise.all(names.map(async (name) => [`CAREPOST_${name}_PORT`, String(await freePort())]));
  return {
    ...Object.fromEntries(ports),
    CAREPOST_ROLES: roles,
    CAREPOST_PUBLIC_URL: 'https://care.example.org',
    CAREPOST_ACME_EMAIL: 'it@example.org',
    CAREPOST_ACME_DIRECTORY: 'https://127.0.0.1:1/directory',
  };
}

async function lookAt({ installation }: TestApp, env: Record<string, string>, check: string) {
  const { ownerUrl, config } = installation;
  const all = { CAREPOST_DATABASE_URL: ownerUrl, CAREPOST_DATA_DIR: config.dataDir, ...env };
  return (await examine(readConfig(all), [check])).filter((finding) => finding.check === check);
}

async function certificateDays(env: Record<string, string>): Promise<number> {
  const reply = await fetch(`http://127.0.0.1:${env.CAREPOST_METRICS_PORT}/metrics`);
  return Number(/^carepost_certificate_days (\S+)$/m.exec(await reply.text())?.[1]);
}

test('with an authority: ports are known as our own over TLS, and no certificate looks like none', async (t) => {
  const env = await settings('http,smtp');
  const app = await startApp(t, { env });

  const ports = await lookAt(app, env, 'ports');
  assert.equal(ports.length, 6);
  for (const { found } of ports) assert.match(found, /is held by this product/);
  const proxied = await lookAt(app, { ...env, CAREPOST_TRUSTED_PROXIES: '10.0.0.1' }, 'ports');
  const strange = proxied.filter(({ state }) => state === 'failed').map(({ found }) => /\((\w+)\)/.exec(found)?.[1]);
  assert.deepEqual(strange, ['CAREPOST_HTTP_PORT', 'CAREPOST_OPERATOR_PORT'], 'what answers there is not plain HTTP');

  const days = await certificateDays(env);
  assert.ok(days <= -1 && days > -2, `${days}`);
  const beside = await settings('worker');
  const worker = await startApp(t, { env: beside, beside: app });
  const none = await certificateDays(beside);
  await worker.stop();
  assert.equal(none, 0, 'a worker shows no certificate');

  const [refused] = await eventually(async () => {
    const found = await lookAt(app, env, 'authority');
    return found[0]?.state === 'failed' ? found : null;
  });
  assert.match(refused?.found ?? '', /^it has issued no certificate: 1 attempts failed, the next is due at 20/);

  const { ownerUrl } = app.installation;
  const { cert } = await (await createAuthority()).issue({
    names: ['care.example.org'],
    notAfter: new Date(Date.now() + 30.5 * DAY_MS),
  });
  await app.stop();
  const standing = (text: string, values: unknown[] = []) =>
    withConnection(ownerUrl, (client) => client.query(text, values));
  const finds = async (state: string, found: RegExp) => {
    const [seen] = await lookAt(app, env, 'authority');
    assert.equal(seen?.state, state);
    assert.match(seen?.found ?? '', found);
  };
  await standing('update acme_certificates set chain = $1', [cert]);
  await finds('warning', /valid for 30 more days, but 1 attempts failed/);
  await standing(`update acme_certificates set failures = 0, next_attempt_at = now() - interval '2 hours'`);
  await finds('warning', /should have been renewed/);
  await standing(`update acme_certificates set next_attempt_at = now() + interval '2 hours'`);
  await finds('ok', /valid for 30 more days$/);
  await standing('delete from acme_certificates');
  await finds('warning', /was not asked/);
});
