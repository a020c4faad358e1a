import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openCommandLine } from '../support/command-line.ts';

test('templates and webhook endpoints are made and listed on the command line', async (t) => {
  const { folder, json, text, run } = await openCommandLine(t);
  const { id } = await json('customer', 'create', '--name', 'Elm', '--username', 'elm');
  const customer = ['--customer', String(id)];
  const file = join(folder, 'body.html');
  writeFileSync(file, '<p>{{name}}</p>');
  const template = await json('template', 'create', ...customer, '--name', 'hello', '--file', file, '--strict');
  assert.deepEqual(await json('template', 'list', ...customer), { data: [{ id: template.id, name: 'hello' }] });
  assert.equal(await text('template', 'list', ...customer), `${String(template.id)}  hello\n`);
  writeFileSync(file, '<p>{{#if}}');
  const broken = await run(['template', 'create', ...customer, '--name', 'broken', '--file', file]);
  assert.equal(broken.code, 2);
  assert.match(broken.err, /^carepost: body: line 1, column \d+: .+\n$/);

  const events = ['--events', 'api_mail_log_delivered,api_mail_log_opened'];
  const made = await json('webhook', 'create', ...customer, '--url', 'https://hooks.example.com/a', ...events);
  assert.match(String(made.secret), /^whsec_/);
  const rotated = await json('webhook', 'rotate', ...customer, '--endpoint', String(made.id));
  assert.match(String(rotated.secret), /^whsec_/);
  assert.notEqual(rotated.secret, made.secret);
  assert.deepEqual(await json('webhook', 'list', ...customer), {
    data: [
      {
        id: made.id,
        url: 'https://hooks.example.com/a',
        events: ['api_mail_log_delivered', 'api_mail_log_opened'],
        state: 'active',
      },
    ],
  });
  const inner = await run(['webhook', 'create', ...customer, '--url', 'https://10.0.0.1/', ...events]);
  assert.equal(inner.code, 1);
  const own = ['webhook', 'create', ...customer, '--url', 'https://care.example.org/hook', ...events];
  const refused = await run(own, { CAREPOST_PUBLIC_URL: 'https://care.example.org' });
  assert.deepEqual([refused.code, refused.err], [1, 'carepost: target_url: the host is this installation\n']);
  assert.equal((await run(['webhook', 'rotate', ...customer, '--endpoint', '999'])).code, 1);
});
