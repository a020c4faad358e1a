import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { runBackup } from '../../src/operations/backup/index.ts';
import { chooseBackup } from '../../src/operations/restore/choose.ts';
import { openSource } from '../../src/operations/restore/index.ts';
import { completeCluster, unpackCluster } from '../../src/operations/restore/unpack-cluster.ts';
import { type EmbeddedPostgres, startEmbedded } from '../../src/platform/db/embedded.ts';
import { shareOwner } from '../../src/platform/db/embedded-connection.ts';
import { withConnection } from '../../src/platform/db/pool.ts';
import { createLog } from '../../src/platform/log.ts';
import { addMailing, addPerson } from '../mailings/mailing.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { addSentMailing } from '../support/sent-mailing.ts';

const API = join(import.meta.dirname, '..', '..', 'docs', 'api', 'openapi.json');
const REPORTS = Object.keys(JSON.parse(readFileSync(API, 'utf8')).paths).filter((path) =>
  path.startsWith('/v1/marketing/analytics/'),
);
const log = createLog('silent');

/** A hot standby of an app's PostgreSQL, made from a backup that the product takes of it. */
async function startStandby(folder: string, { installation }: TestApp): Promise<EmbeddedPostgres> {
  const { config, ownerUrl } = installation;
  const [to, keys, dataDir] = [join(folder, 'to'), join(folder, 'keys'), join(folder, 'standby')];
  await runBackup(installation, { to, keysTo: keys, replicationUrl: ownerUrl }, { full: true });
  const cluster = join(dataDir, 'postgres');
  await unpackCluster(await chooseBackup(openSource(config, { from: to, keys }), null), cluster);
  await completeCluster(cluster);
  writeFileSync(join(cluster, 'standby.signal'), '');
  shareOwner(join(folder, 'primary'), dataDir);
  const { hostname, username, password } = new URL(ownerUrl);
  const primary = `host=${decodeURIComponent(hostname)} user=${username} password=${password}`;
  return startEmbedded({ dataDir, log, settings: { primary_conninfo: primary } });
}

async function startPrimary(t: TestContext, folder: string): Promise<TestApp> {
  const primary = await startEmbedded({ dataDir: join(folder, 'primary'), log });
  t.after(primary.stop);
  return startApp(t, { env: { CAREPOST_DATABASE_URL: primary.url } });
}

test('every report is read from a standby; without it they answer 503, and the node serves all else', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'carepost-standby-'));
  const first = await startPrimary(t, folder);
  const standby = await startStandby(folder, first);
  t.after(async () => {
    await standby.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const { rows } = await withConnection(standby.url, (client) => client.query('select pg_is_in_recovery() as stands'));
  assert.deepEqual(rows, [{ stands: true }]);

  const app = await startApp(t, { beside: first, env: { CAREPOST_REPORTS_URL: standby.url } });
  const customer = await app.createCustomer();
  const mailingId = await addMailing(app, customer);
  const subscriberId = await addPerson(app, customer, { email: 'ann@example.com' });
  const { trackingLinkId } = await addSentMailing(app, { id: customer.id, mark: 'ann' }, { mailingId, subscriberId });
  const about = (report: string) =>
    report.includes('by_tracking_link') ? `tracking_link_id=${trackingLinkId}` : `campaign_mailing_id=${mailingId}`;
  const read = (report: string) => app.request('GET', `${report}?${about(report)}`, { key: customer.key });
  await eventually(async () => {
    const { status, text, body } = await read('/v1/marketing/analytics/campaign_mailing_send_totals');
    assert.equal(status, 200, text);
    return body.data.delivered === 1;
  });
  assert.ok(REPORTS.length >= 10);
  for (const report of REPORTS) {
    const { status, text, body } = await read(report);
    assert.equal(status, 200, `${report}: ${text}`);
    const entries = report.endsWith('/csv') ? text.trim().split('\n').slice(1) : [body.data].flat();
    assert.equal(entries.length, 1, `${report}: ${text}`);
  }

  await standby.stop();
  for (const report of REPORTS) {
    const { status, headers } = await read(report);
    assert.equal(status, 503, report);
    assert.match(headers.get('retry-after') ?? '', /^\d+$/);
  }
  assert.equal((await app.request('GET', '/readyz')).status, 200);
  const people = await app.request('GET', '/v1/marketing/subscribers', { key: customer.key });
  assert.equal(people.status, 200, people.text);
});
