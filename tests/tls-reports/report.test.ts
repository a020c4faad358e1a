import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import PostalMime from 'postal-mime';
import { readTlsReport } from '../../src/email/bounces/tls-reports/read.ts';
import { createSigner } from '../../src/email/delivery/writing/sign.ts';
import { mailReport } from '../../src/email/tls-reports/mail.ts';
import { writeReport } from '../../src/email/tls-reports/report.ts';
import { FAILURES } from '../../src/email/tls-reports/results.ts';

const facts = {
  domain: 'example.com',
  day: '2026-03-01',
  reportId: '0195-id',
  submitter: 'clinic.example',
  contact: 'no-reply@clinic.example',
};
const sts = { type: 'sts', text: ['version: STSv1', 'mode: enforce'], mxPatterns: ['*.example.com'] } as const;
const none = { type: 'no-policy-found', text: [], mxPatterns: [] } as const;
const copy = (policy: typeof sts | typeof none) => ({
  type: policy.type,
  text: [...policy.text],
  mxPatterns: [...policy.mxPatterns],
});

test('a report reads as in the RFC', () => {
  const counts = [
    { policy: copy(sts), mx_host: 'mx1.example.com', mx_address: '192.0.2.1', result: 'success', sessions: 40 },
    { policy: copy(sts), mx_host: 'mx2.example.com', mx_address: '', result: 'certificate-expired', sessions: 2 },
    { policy: copy(none), mx_host: '', mx_address: '', result: 'success', sessions: 1 },
  ];
  assert.deepEqual(JSON.parse(writeReport({ ...facts, counts })), {
    'organization-name': 'clinic.example',
    'date-range': { 'start-datetime': '2026-03-01T00:00:00Z', 'end-datetime': '2026-03-01T23:59:59Z' },
    'contact-info': 'no-reply@clinic.example',
    'report-id': '0195-id',
    policies: [
      {
        policy: {
          'policy-type': 'sts',
          'policy-string': ['version: STSv1', 'mode: enforce'],
          'policy-domain': 'example.com',
          'mx-host': ['*.example.com'],
        },
        summary: { 'total-successful-session-count': 40, 'total-failure-session-count': 2 },
        'failure-details': [
          {
            'result-type': 'certificate-expired',
            'receiving-mx-hostname': 'mx2.example.com',
            'failed-session-count': 2,
          },
        ],
      },
      {
        policy: { 'policy-type': 'no-policy-found', 'policy-domain': 'example.com' },
        summary: { 'total-successful-session-count': 1, 'total-failure-session-count': 0 },
      },
    ],
  });
});

test('our own reader of reports finds every session that was counted', () => {
  const count = fc.record({
    policy: fc.constantFrom(copy(sts), copy(none)),
    mx_host: fc.constantFrom('', 'mx1.example.com', 'mx2.example.com'),
    mx_address: fc.constantFrom('', '192.0.2.1', '2001:db8::1'),
    result: fc.constantFrom('success', ...FAILURES),
    sessions: fc.integer({ min: 1, max: 1_000_000 }),
  });
  fc.assert(
    fc.property(fc.array(count, { minLength: 1, maxLength: 30 }), (counts) => {
      const { policies } = readTlsReport(writeReport({ ...facts, counts }));
      const total = (fits: (each: (typeof counts)[number]) => boolean) =>
        counts.filter(fits).reduce((sum, { sessions }) => sum + sessions, 0);
      for (const { type, successful, failed, failures } of policies) {
        const ofPolicy = (each: (typeof counts)[number]) => each.policy.type === type;
        assert.equal(
          successful,
          total((each) => ofPolicy(each) && each.result === 'success'),
        );
        assert.equal(
          failed,
          total((each) => ofPolicy(each) && each.result !== 'success'),
        );
        assert.equal(
          failures.reduce((sum, { sessions }) => sum + sessions, 0),
          failed,
        );
      }
      assert.equal(
        policies.reduce((sum, { successful, failed }) => sum + successful + failed, 0),
        total(() => true),
      );
    }),
  );
});

test('as mail it is a signed multipart/report with the packed report in it', async () => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const signer = createSigner({ domain: 'clinic.example', selector: 's1', privateKey });
  const text = writeReport({ ...facts, counts: [] });
  const mime = await mailReport(signer, {
    ...facts,
    from: facts.contact,
    to: 'reports@example.com',
    at: new Date('2026-03-02T01:02:03Z'),
    packed: gzipSync(text.repeat(50)),
  });
  const mail = await PostalMime.parse(mime);
  assert.equal(mail.from?.address, facts.contact);
  assert.deepEqual(
    mail.to?.map(({ address }) => address),
    ['reports@example.com'],
  );
  assert.equal(
    mail.subject,
    'Report Domain: example.com Submitter: clinic.example Report-ID: <0195-id@clinic.example>',
  );
  const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value;
  assert.match(String(header('content-type')), /^multipart\/report; report-type="tlsrpt"/);
  assert.equal(header('tls-report-domain'), 'example.com');
  assert.equal(header('tls-report-submitter'), 'clinic.example');
  assert.match(String(header('dkim-signature')), /d=clinic\.example/);
  const [part] = mail.attachments;
  assert.equal(part?.mimeType, 'application/tlsrpt+gzip');
  assert.equal(part?.filename, 'clinic.example!example.com!1772323200!1772409599!0195-id.json.gz');
  assert.equal(gunzipSync(Buffer.from(part?.content as ArrayBuffer)).toString(), text.repeat(50));
  assert.ok(
    mime
      .toString()
      .split('\r\n')
      .every((line) => line.length <= 200 && !line.startsWith('.')),
  );
});
