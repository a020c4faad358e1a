import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';

test('whoever finds a flaw is told whom to write to, as RFC 9116 has it, for less than a year', async (t) => {
  const clock = createMovableClock(new Date('2026-03-01T00:00:00Z'));
  const env = {
    CAREPOST_SECURITY_CONTACT: 'mailto:security@clinic.example',
    CAREPOST_PUBLIC_URL: 'https://clinic.example',
  };
  const app = await startApp(t, { clock, env });
  const { status, headers, text } = await app.request('GET', '/.well-known/security.txt');
  assert.deepEqual([status, headers.get('content-type')], [200, 'text/plain; charset=utf-8']);
  const lines = [
    'Contact: mailto:security@clinic.example',
    'Expires: 2026-05-30T00:00:00.000Z',
    'Canonical: https://clinic.example/.well-known/security.txt',
  ];
  assert.equal(text, `${lines.join('\n')}\n`);
});
