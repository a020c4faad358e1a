import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { findNothingWrong } from '../e2e/axe.ts';
import { startApp } from '../support/app.ts';
import { openBrowser, visit } from '../support/browser.ts';
import { addSigned, certificateOf, folderFor } from './certify.ts';

test('the page checks certificates where it is shown, also from a saved file without a network', async (t) => {
  const app = await startApp(t);
  const signed = await addSigned(app);
  const good = await certificateOf(app, signed);
  const other = await startApp(t);
  const foreign = await certificateOf(other, await addSigned(other));
  const flipped = Buffer.from(good);
  flipped[2_000] = (flipped[2_000] as number) ^ 1;
  const { headers, text, status } = await app.request('GET', '/verify');
  assert.equal(status, 200);
  assert.match(
    headers.get('content-security-policy') ?? '',
    /^default-src 'none'; script-src 'sha256-[^ ]+'; style-src/,
  );
  const saved = join(folderFor(t), 'verify.html');
  writeFileSync(saved, text);

  const browser = await openBrowser(t);
  for (const [url, options] of [
    [`${app.url}/verify`, {}],
    [pathToFileURL(saved).href, { offline: true }],
  ] as const) {
    const seen = await visit(browser, url, options);
    const { page } = seen;
    const verdict = async (buffer: Buffer) => {
      await page.setInputFiles('#file', []);
      await page.setInputFiles('#file', { name: 'certificate.pdf', mimeType: 'application/pdf', buffer });
      await page.locator('#verdict h2', { hasNotText: 'Checking' }).waitFor();
      return page.locator('#verdict').innerText();
    };
    await findNothingWrong(page, 'before a file');
    const told = await verdict(good);
    await findNothingWrong(page, 'a genuine certificate');
    for (const word of ['GENUINE', signed.id, 'Ann Lee', 'Consent <to> treatment'])
      assert.ok(told.includes(word), told);
    assert.match(await verdict(flipped), /NOT GENUINE[\s\S]+has been changed/);
    await findNothingWrong(page, 'a changed certificate');
    assert.match(await verdict(foreign), /NOT GENUINE[\s\S]+another key/);
    assert.match(await verdict(Buffer.from('hello')), /NOT GENUINE[\s\S]+no PDF/);
    await page.fill('#key', '');
    assert.match(await verdict(foreign), /UNCHANGED[\s\S]+NOT compared/);
    assert.deepEqual(seen.errors, []);
    assert.deepEqual(
      seen.requests.map((request) => request.url),
      [url],
      'nothing but the page itself was asked for',
    );
  }
});
