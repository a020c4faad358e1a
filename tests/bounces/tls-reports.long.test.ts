import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { readConfig } from '../../src/config.ts';
import { readTlsReport } from '../../src/email/bounces/tls-reports/read.ts';
import { keepTlsReport } from '../../src/email/bounces/tls-reports/store.ts';
import { listTlsReports, sweepTlsReports } from '../../src/email/index.ts';
import { openInstallation } from '../../src/installation.ts';
import { openDatabase } from '../../src/platform/db/database.ts';
import { AppError } from '../../src/platform/errors.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { openCommandLine } from '../support/command-line.ts';
import { asOwner } from '../support/owner.ts';
import { DOMAIN, startReturnDoor } from './returned-mail.ts';
import { crlf } from './samples.ts';

const MB = 2 ** 20;
const GZIP = { 'content-type': 'application/tlsrpt+gzip' };
const JSON_TYPE = { 'content-type': 'application/tlsrpt+json; charset=utf-8' };

const failure = (type: string, sessions: number) => ({
  'result-type': type,
  'sending-mta-ip': '192.0.2.1',
  'receiving-mx-hostname': 'mx.example.org',
  'failed-session-count': sessions,
});

/** A report as RFC 8460 has it. */
function tlsReport(more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    'organization-name': 'Provider, Inc.',
    'date-range': { 'start-datetime': '2026-11-01T00:00:00Z', 'end-datetime': '2026-11-01T23:59:59+00:00' },
    'contact-info': 'sts@provider.example',
    'report-id': '2026-11-01T00:00:00Z_returns',
    policies: [
      {
        policy: { 'policy-type': 'sts', 'policy-string': ['version: STSv1'], 'policy-domain': 'Returns.Example.ORG' },
        summary: { 'total-successful-session-count': 5326, 'total-failure-session-count': 303 },
        'failure-details': [
          failure('certificate-expired', 100),
          failure('starttls-not-supported', 200),
          failure('certificate-expired', 3),
        ],
      },
      {
        policy: { 'policy-type': 'no-policy-found', 'policy-domain': 'returns.example.org' },
        summary: { 'total-successful-session-count': 1, 'total-failure-session-count': 0 },
      },
    ],
    ...more,
  };
}

const policyOn = (domain: string, failures: object[] = []) => ({
  policy: { 'policy-type': 'sts', 'policy-domain': domain },
  summary: { 'total-successful-session-count': 1, 'total-failure-session-count': failures.length },
  'failure-details': failures,
});

const domainsKept = async (app: TestApp) =>
  (await listTlsReports(app.installation.db)).map(({ policies }) => policies.map(({ domain }) => domain));

/** The same in this many octets. */
function padded(size: number): string {
  return JSON.stringify(tlsReport()).padEnd(size);
}

const post = (app: TestApp, raw: string | Buffer, headers: Record<string, string>) =>
  app.request('POST', '/tlsrpt', { raw, headers });

test('a report is taken over HTTPS, packed or not, and is listed once however often it comes', async (t) => {
  const { app } = await startReturnDoor(t);
  const text = JSON.stringify(tlsReport());
  assert.equal((await post(app, gzipSync(text), GZIP)).status, 201);
  assert.equal((await post(app, text, JSON_TYPE)).status, 201);
  const [report, ...rest] = await listTlsReports(app.installation.db);
  assert.equal(rest.length, 0);
  assert.deepEqual(
    { organization: report?.organization, reportId: report?.reportId, end: report?.end, policies: report?.policies },
    {
      organization: 'Provider, Inc.',
      reportId: '2026-11-01T00:00:00Z_returns',
      end: new Date('2026-11-01T23:59:59Z'),
      policies: [
        {
          type: 'sts',
          domain: 'returns.example.org',
          successful: 5326,
          failed: 303,
          failures: [
            { type: 'certificate-expired', sessions: 103 },
            { type: 'starttls-not-supported', sessions: 200 },
          ],
        },
        { type: 'no-policy-found', domain: 'returns.example.org', successful: 1, failed: 0, failures: [] },
      ],
    },
  );
});

test('a report is taken by mail, in the forms that RFC 8460 has for it', async (t) => {
  const door = await startReturnDoor(t);
  const packed = gzipSync(JSON.stringify(tlsReport())).toString('base64').replace(/.{76}/g, '$&\n');
  const mail = crlf(`From: tlsrpt@provider.example
Subject: Report Domain: returns.example.org
TLS-Report-Domain: returns.example.org
MIME-Version: 1.0
Content-Type: multipart/report; report-type="tlsrpt"; boundary="b"

--b
Content-Type: text/plain

A report.
--b
Content-Type: application/tlsrpt+gzip
Content-Transfer-Encoding: base64
Content-Disposition: attachment; filename="provider.example!returns.example.org!1!2!1.json.gz"

${packed}
--b--
`);
  assert.match(await door.giveBack(`tlsrpt@${DOMAIN}`, mail), /^250/);
  assert.match(await door.giveBack(`tlsrpt@${DOMAIN}`, crlf('Subject: none\n\nno report\n')), /^250/);
  assert.match(
    await door.giveBack(`tlsrpt@${DOMAIN}`, crlf('Content-Type: application/tlsrpt+json\n\n{"secret":1}\n')),
    /^250/,
  );
  assert.equal((await listTlsReports(door.app.installation.db)).length, 1);
  assert.doesNotMatch(door.app.logged(), /secret/);
  const large = gzipSync(padded(MB + 1))
    .toString('base64')
    .replace(/.{76}/g, '$&\n');
  const head = 'Content-Type: application/tlsrpt+gzip\nContent-Transfer-Encoding: base64\n\n';
  assert.match(await door.giveBack(`tlsrpt@${DOMAIN}`, crlf(`${head}${large}\n`)), /^552 5\.3\.4/);
});

test('what is no report is refused by the name of its field, and what is too large, however small it was packed', async (t) => {
  const app = await startApp(t);
  const refused = async (raw: string | Buffer, headers: Record<string, string>, status: number, words: RegExp) => {
    const reply = await post(app, raw, headers);
    assert.equal(reply.status, status, reply.text);
    assert.match(reply.text, words);
  };
  await refused('{}', { 'content-type': 'application/json' }, 415, /Unsupported/);
  await refused('{', JSON_TYPE, 400, /report: is not valid JSON/);
  await refused('not gzip', GZIP, 400, /report: is not valid gzip/);
  await refused(gzipSync('{}').subarray(0, 10), GZIP, 400, /report: is not valid gzip/);
  for (const [more, field] of [
    [{ 'organization-name': '' }, 'organization-name'],
    [{ 'organization-name': 'x'.repeat(256) }, 'organization-name'],
    [{ 'report-id': 7 }, 'report-id'],
    [{ 'report-id': 'secret\n' }, 'report-id'],
    [{ 'date-range': null }, 'date-range'],
    [{ 'date-range': { 'start-datetime': 'secret', 'end-datetime': 'secret' } }, 'start-datetime'],
    [
      { 'date-range': { 'start-datetime': '2026-11-02T00:00:00Z', 'end-datetime': '2026-11-01T00:00:00Z' } },
      'end-datetime',
    ],
    [{ policies: 'secret' }, 'policies'],
    [{ policies: Array.from({ length: 101 }, () => ({})) }, 'policies'],
    [{ policies: [{ policy: { 'policy-type': 'secret', 'policy-domain': 'x' }, summary: {} }] }, 'policy-type'],
    [
      {
        policies: [
          policyOn(
            DOMAIN,
            Array.from({ length: 101 }, () => failure('x', 1)),
          ),
        ],
      },
      'failure-details',
    ],
  ] as const) {
    const reply = await post(app, JSON.stringify(tlsReport(more)), JSON_TYPE);
    assert.equal(reply.status, 400, field);
    assert.match(reply.text, new RegExp(`${field}: `));
    assert.doesNotMatch(reply.text, /secret/);
  }
  assert.equal((await post(app, padded(MB), JSON_TYPE)).status, 201);
  assert.equal((await post(app, padded(MB + 1), JSON_TYPE)).status, 413);
  assert.equal((await post(app, gzipSync(padded(MB)), GZIP)).status, 201);
  await refused(gzipSync(padded(MB + 1)), GZIP, 413, /1 MB, packed and unpacked/);
  assert.equal((await app.request('GET', '/tlsrpt')).status, 404);
});

test('what is said of names of ours is kept, once for each, and of others nothing', async (t) => {
  const { app, customer } = await startReturnDoor(t);
  const give = async (id: string, domains: string[]) => {
    const report = tlsReport({ 'report-id': id, policies: domains.map((domain) => policyOn(domain)) });
    assert.equal((await post(app, JSON.stringify(report), JSON_TYPE)).status, 201);
  };
  await give('others', ['example.com', 'bounces.clinic.example', 'clinic.example', `x.${DOMAIN}`]);
  assert.deepEqual(await domainsKept(app), []);
  await asOwner(app, (client) =>
    client.query(
      `insert into sending_domains (id, customer_id, domain, challenge, state, return_path, warm_up, created_at)
       values (gen_random_uuid(), $1, 'clinic.example', 'x', 'verified', true, false, now()),
         (gen_random_uuid(), $1, 'other.example', 'x', 'verified', false, false, now())`,
      [customer.id],
    ),
  );
  const system = app.installation.config.systemFrom.split('@')[1] as string;
  const own = [DOMAIN, 'mail.example.org', system, 'bounces.clinic.example'];
  await give('ours', [...own, ...own, 'bounces.other.example', 'example.com']);
  assert.deepEqual(await domainsKept(app), [own]);
  const [report] = await listTlsReports(app.installation.db);
  assert.equal(report?.policies[0]?.successful, 2);
});

test('a reason that the RFC does not have counts as the general one', () => {
  const policies = [policyOn(DOMAIN, [failure('made-up', 2), failure('tlsa-invalid', 1), failure('<other>', 3)])];
  assert.deepEqual(readTlsReport(JSON.stringify(tlsReport({ policies }))).policies[0]?.failures, [
    { type: 'validation-failure', sessions: 5 },
    { type: 'tlsa-invalid', sessions: 1 },
  ]);
});

test('a network may report 60 times a minute, and this counts apart from its other requests', async (t) => {
  const { app } = await startReturnDoor(t);
  for (let count = 0; count < 60; count += 1) assert.equal((await post(app, '{', JSON_TYPE)).status, 400);
  const reply = await post(app, '{', JSON_TYPE);
  assert.deepEqual([reply.status, reply.headers.get('ratelimit-limit')], [429, '60']);
  assert.notEqual((await app.request('GET', '/t/none')).status, 429);
});

test('a thousand reports are kept a day; what comes beyond is taken and forgotten', async (t) => {
  const { app, clock } = await startReturnDoor(t);
  const insert = `insert into tls_reports_received
    select gen_random_uuid(), 'x', n::text, $1, $1, '[]', $1 from generate_series(1, $2::int) as n`;
  await asOwner(app, (client) => client.query(insert, [clock.now(), 999]));
  const count = async () => {
    const { rows } = await asOwner(app, (client) => client.query('select count(*)::int from tls_reports_received'));
    return rows[0].count;
  };
  for (const [id, kept] of [
    ['a', 1_000],
    ['b', 1_000],
  ] as const) {
    assert.equal((await post(app, JSON.stringify(tlsReport({ 'report-id': id })), JSON_TYPE)).status, 201);
    assert.equal(await count(), kept);
  }
  clock.advance(24 * 3600_000);
  await post(app, JSON.stringify(tlsReport({ 'report-id': 'b' })), JSON_TYPE);
  assert.equal(await count(), 1_001);
});

test('whatever JSON comes, it is a report or it is refused as an error of the catalogue', () => {
  const anyReport = fc
    .tuple(fc.constantFrom('organization-name', 'date-range', 'report-id', 'policies'), fc.jsonValue())
    .map(([name, value]) => JSON.stringify(tlsReport({ [name]: value })));
  const anyPolicy = fc
    .tuple(fc.constantFrom('policy', 'summary', 'failure-details'), fc.jsonValue())
    .map(([name, value]) =>
      JSON.stringify(tlsReport({ policies: [{ ...(tlsReport().policies as object[])[0], [name]: value }] })),
    );
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json(), anyReport, anyPolicy), (text) => {
      try {
        readTlsReport(text);
      } catch (error) {
        assert.ok(error instanceof AppError && error.status === 400, String(error));
      }
    }),
    { numRuns: 1_000 },
  );
  assert.throws(() => readTlsReport('['.repeat(MB)), AppError);
});

test('the command line lists them, with what failed', async (t) => {
  const { env, text, json } = await openCommandLine(t);
  assert.equal(await text('tls-report', 'list'), 'None\n');
  const { db, clock, close } = await openInstallation(readConfig({ ...env, CAREPOST_LOG_LEVEL: 'silent' }));
  await keepTlsReport({ db, clock, ownNames: [DOMAIN] }, readTlsReport(JSON.stringify(tlsReport())));
  await close();
  const [first, second] = (await text('tls-report', 'list')).split('\n');
  const range = '2026-11-01T00:00:00.000Z to 2026-11-01T23:59:59.000Z  Provider, Inc.  returns.example.org';
  assert.equal(first, `${range}  sts  5326 good, 303 failed  certificate-expired 103, starttls-not-supported 200`);
  assert.equal(second, `${range}  no-policy-found  1 good, 0 failed`);
  const { data } = await json('tls-report', 'list');
  assert.equal((data as { report_id: string }[])[0]?.report_id, '2026-11-01T00:00:00Z_returns');
});

test('reports are kept for 90 days', async (t) => {
  const door = await startReturnDoor(t);
  const { app, clock } = door;
  await post(app, JSON.stringify(tlsReport()), JSON_TYPE);
  const { ownerUrl, log } = app.installation;
  const db = openDatabase({ ownerUrl, log }, 'worker', 1);
  t.after(() => db.close());
  clock.advance(90 * 24 * 3600_000);
  await sweepTlsReports({ db, clock });
  assert.equal((await listTlsReports(app.installation.db)).length, 1);
  clock.advance(1);
  await sweepTlsReports({ db, clock });
  assert.equal((await listTlsReports(app.installation.db)).length, 0);
});
