import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { openClinic } from '../page/patient.ts';
import { attachmentPath, download } from '../submissions/submitting.ts';
import { visit } from '../support/browser.ts';
import { startDroppingProxy } from './dropping-proxy.ts';
import { send } from './fill-in.ts';

const SIZE = 1_500_000;

test('on a slow network that breaks in the middle of a file, only the rest is sent again', async (t) => {
  const clinic = await openClinic(t);
  const { app, customer, browser } = clinic;
  const proxy = await startDroppingProxy(t, app.url, SIZE / 2);
  const formId = await clinic.form([{ name: 'scan', label: 'Scan', type: 'file', required: true, max_size: SIZE }]);
  const { page, errors } = await visit(browser, `${proxy}/f/${formId}`);
  page.setDefaultNavigationTimeout(90_000);
  const network = await page.context().newCDPSession(page);
  const slow = { offline: false, latency: 50, downloadThroughput: 1_000_000, uploadThroughput: 1_500_000 };
  await network.send('Network.emulateNetworkConditions', slow);
  const offsets: number[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PATCH') offsets.push(Number(request.headers()['upload-offset']));
  });
  const scan = randomBytes(SIZE);
  const file = { name: 'scan.bin', mimeType: 'application/octet-stream', buffer: scan };
  await page.locator('[name="q.scan"]').setInputFiles(file);
  await page.locator('.upload-state', { hasText: 'Uploading' }).waitFor();
  await send(page);
  const [submission] = await clinic.submissions(formId);
  const [{ id }] = submission.attachments;
  const { bytes } = await download(app, customer, attachmentPath(formId, submission.id, id));
  assert.ok(bytes.equals(scan));
  const [first, second = 0, ...more] = offsets;
  assert.deepEqual([first, more], [0, []]);
  assert.ok(second > SIZE / 4 && second < SIZE, `it went on at ${second}`);
  assert.ok(errors.length > 0, 'the connection broke');
});
