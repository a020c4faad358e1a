import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { withConnection } from '../../src/platform/db/pool.ts';
import { eventually } from '../support/eventually.ts';
import { createHome, firstKey, ownerUrlOf, startServer } from '../support/server.ts';
import { traces } from '../support/traces.ts';

const MAIN = join(import.meta.dirname, '..', '..', 'src', 'main.ts');

const LETTER = '<p>Hello {{name}}, <a href="{{link}}">your results</a></p>';

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => lstatSync(file).isFile());
}

test('nothing that is sealed can be found in the database files, WAL, blobs, logs or temporary files', async (t) => {
  const home = await createHome(t);
  const server = await startServer(t, home);
  const key = firstKey(server);
  const markers: Record<string, string> = {};
  const plant = (name: string) => {
    const marker = `mk${randomBytes(12).toString('hex')}`;
    markers[name] = marker;
    return marker;
  };
  const control = `control${randomBytes(8).toString('hex')}`;
  const body = {
    data: {
      unsubscribe_url: `https://example.com/${plant('unsubscribe_url')}`,
      message: {
        recipients: [`${plant('recipient name')} <${plant('recipient')}@example.com>`],
        cc: [`${plant('cc')}@example.com`],
        bcc: [`${plant('bcc')}@example.com`],
        headers: {
          from: `${control}@example.org`,
          subject: plant('subject'),
          'reply-to': `${plant('reply-to')}@example.org`,
          'X-Ward': plant('custom header and idempotency reply'),
        },
        content: { 'text/plain': plant('text'), 'text/html': `<p>${plant('html')}</p>` },
        attachments: [
          { fileName: `${plant('file name')}.txt`, content: Buffer.from(plant('small attachment')).toString('base64') },
          {
            fileName: 'big.bin',
            content: Buffer.from(`${plant('large attachment')} `.repeat(20_000)).toString('base64'),
          },
        ],
      },
    },
  };
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'idempotency-key': plant('idempotency key'),
  };
  const post = async (path: string, sent: object, more: Record<string, string> = {}) => {
    const init = { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(sent) };
    const reply = await fetch(`${server.url}/v1/email/${path}`, init);
    assert.ok(reply.status < 300, `${path}: ${reply.status}`);
  };
  const endpoint = {
    target_url: `http://127.0.0.1:9/${plant('target_url')}`,
    events: ['api_mail_log_delivered', 'api_mail_log_opened'],
    api_key: plant('api_key'),
    signing_key: plant('signing_key'),
  };
  await post('webhook_endpoints', endpoint, { 'idempotency-key': plant('idempotency key of an endpoint') });
  await post('messages', body);
  await post('dynamic_templates', { name: 'Letter', body: LETTER, subject: 'For {{name}}' });
  const letterTo = (kind: string) => ({
    recipients: [`${plant(`${kind} recipient`)}@example.com`],
    headers: { from: `${control}@example.org`, 'X-Ward': plant(`${kind} header`) },
    template_id: 'Letter',
    template_variables: {
      name: plant(`${kind} variable`),
      link: `https://example.com/${plant(`${kind} link`)}`,
      unused: plant(`${kind} unused variable`),
    },
  });
  await post('bulk_messages', { data: { messages: [letterTo('bulk')] } }, { 'idempotency-key': 'bulk' });
  const scheduledAt = new Date(Date.now() + 3600_000).toISOString();
  const scheduled = { data: { message: letterTo('scheduled'), scheduled_at: scheduledAt } };
  await post('schedule', scheduled, { 'idempotency-key': 'scheduled' });

  const made = await fetch(`${server.url}/v1/forms/api/forms`, {
    method: 'POST',
    headers: { ...headers, 'idempotency-key': 'form' },
    body: JSON.stringify({
      title: 'Intake',
      customer_id: 1,
      active: true,
      form_json: {},
      recipient: 'desk@example.org',
    }),
  });
  const { id: formId } = (await made.json()) as { id: string };
  const submission = {
    form_data: { email: `${plant('submitter')}@example.com`, [plant('question')]: plant('answer') },
    attachments: [
      { name: `${plant('submitted name')}.txt`, content: Buffer.from(plant('submitted file')).toString('base64') },
    ],
    signature: { confirmed: true, name: plant('signer') },
  };
  const submitted = await fetch(`${server.url}/api/forms/${formId}/submissions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': plant('idempotency key of a submission') },
    body: JSON.stringify(submission),
  });
  assert.equal(submitted.status, 201);

  const pdf = join(home.folder, '..', `${control}.pdf`);
  writeFileSync(pdf, `%PDF-1.7 ${plant('agreement')}`);
  t.after(() => execFileSync('rm', ['-f', pdf]));
  const record = [
    'agreement',
    'record',
    '--customer',
    '1',
    '--version',
    '2',
    '--signer',
    'S',
    '--date',
    '2026-01-01',
    '--pdf',
    pdf,
  ];
  const env = { PATH: process.env.PATH, CAREPOST_DATA_DIR: home.dataDir, TMPDIR: home.temp };
  execFileSync(process.execPath, [MAIN, ...record], { env });

  const arrivedFor = (to: string | undefined) =>
    eventually(async () => {
      const found = await fetch(`${server.url}/v1/email/sandbox/messages?to=${to}@example.com`, { headers });
      const { data } = (await found.json()) as { data: { subject: string; html: string }[] };
      return data[0];
    });
  const mail = await arrivedFor(markers.bcc);
  assert.equal(mail.subject, markers.subject, 'the reply to an authorised request does hold it');
  const letter = await arrivedFor(markers['bulk recipient']);
  assert.ok(letter.html.includes(`Hello ${markers['bulk variable']}`));
  const links = [...letter.html.matchAll(/\/t\/[\w-]+/g)].map(([path]) => server.url + path);
  const visits = await Promise.all(links.map((link) => fetch(link, { redirect: 'manual' })));
  const targets = visits.map((visit) => visit.headers.get('location') ?? '');
  assert.ok(targets.some((target) => target.includes(markers['bulk link'] as string)));
  await eventually(() =>
    withConnection(ownerUrlOf(home), async (client) => {
      const { rows } = await client.query(`select count(*)::int as n from webhook_attempts where outcome is not null`);
      return rows[0].n > 1;
    }),
  );
  await withConnection(ownerUrlOf(home), (client) => client.query('checkpoint'));

  const haystack = filesUnder(home.folder).map((file) => ({ file, bytes: readFileSync(file) }));
  assert.ok(haystack.some(({ file }) => file.includes('pg_wal')));
  assert.ok(haystack.some(({ file }) => file.includes('blobs')));
  haystack.push({ file: 'output of the server', bytes: Buffer.from(server.output()) });
  assert.ok(
    haystack.some(({ bytes }) => bytes.includes(control)),
    'the search finds what is not sealed',
  );
  for (const [name, marker] of Object.entries({ ...markers, key: key.slice(20) })) {
    for (const trace of traces(marker)) {
      const found = haystack.find(
        ({ file, bytes }) => bytes.includes(trace) && !(name === 'key' && file === 'output of the server'),
      );
      assert.equal(found?.file, undefined, `${name} was found`);
    }
  }
});
