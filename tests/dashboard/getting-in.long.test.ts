import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { createUser } from '../../src/accounts/index.ts';
import { findNothingWrong } from '../e2e/axe.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { foreignOrigins, openBrowser, visit } from '../support/browser.ts';
import { createMovableClock } from '../support/clock.ts';
import { addForm } from '../support/forms.ts';
import { codeOf } from '../support/people-session.ts';

const EMAIL = 'office@maple-clinic.example';
const PASSWORD = 'seven quiet lanterns float';

async function invite(app: TestApp, invited?: TestCustomer): Promise<string> {
  const customer = invited ?? (await app.createCustomer());
  const owner = { email: EMAIL, role: 'owner' };
  const { setupToken } = await createUser(app.installation, app.act(customer.id, 'user.created'), owner);
  return `${localhost(app)}/app/setup#${setupToken}`;
}

/** Passkeys belong to names, not to addresses in numbers. */
function localhost(app: TestApp): string {
  return app.url.replace('127.0.0.1', 'localhost');
}

async function choosePassword(page: Page): Promise<void> {
  await page.getByLabel('Your name').fill('Ann Lee');
  await page.getByLabel('New password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByRole('heading', { name: 'Protect your account' }).waitFor();
}

async function typePassword(page: Page, password: string): Promise<void> {
  await page.getByLabel('Email address').fill(EMAIL);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Continue' }).click();
}

test('from the setup link by password and app into the rooms, out, and in again by code', async (t) => {
  const clock = createMovableClock();
  const app = await startApp(t, { clock, env: { CAREPOST_PUBLIC_URL: 'http://localhost:8080' } });
  const link = await invite(app);
  const browser = await openBrowser(t);
  const seen = await visit(browser, link);
  const { page } = seen;
  await page.getByLabel('Your name').waitFor();
  await findNothingWrong(page, 'the setup page');

  await page.getByLabel('Your name').fill('Ann Lee');
  await page.getByLabel('New password').fill('passwordpassword');
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByRole('alert').waitFor();
  await choosePassword(page);
  await findNothingWrong(page, 'setting up a second factor');
  await page.getByRole('button', { name: 'Set up' }).click();
  const secret = (await page.getByLabel('Or type this key into the app').first().textContent()) ?? '';
  await page.getByLabel('Six-digit code').fill(codeOf(secret, clock.now()));
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByRole('heading', { name: 'Keep these recovery codes' }).waitFor();
  const codes = await page.getByRole('listitem').allTextContents();
  assert.equal(codes.length, 10);
  await page.getByRole('button', { name: 'I have kept them' }).click();
  await page.getByRole('navigation', { name: 'Rooms' }).waitFor();
  assert.ok(!page.url().includes('#'), 'the token is gone from the address');

  await page.getByRole('button', { name: 'Ann Lee' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  assert.equal(await page.getByText('nothing happened for a while').count(), 0, 'they left by themselves');
  await findNothingWrong(page, 'the sign-in page');
  await typePassword(page, 'not the password at all');
  await page.getByRole('alert').waitFor();
  await typePassword(page, PASSWORD);
  await page.getByRole('heading', { name: 'Second factor' }).waitFor();
  await findNothingWrong(page, 'the second factor');
  clock.advance(60_000);
  await page.getByLabel('Six-digit code').fill(codeOf(secret, clock.now()));
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('navigation', { name: 'Rooms' }).waitFor();

  await page.getByRole('button', { name: 'Ann Lee' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await typePassword(page, PASSWORD);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(codes[3] as string);
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('navigation', { name: 'Rooms' }).waitFor();
  assert.deepEqual(foreignOrigins(seen, localhost(app)), []);
  assert.deepEqual(
    seen.errors.filter((error) => !/status of 40[01]/.test(error)),
    [],
  );
});

test('a passkey opens the door, and after the session ended the page goes on where it was, with what was being written', async (t) => {
  const clock = createMovableClock();
  const app = await startApp(t, { clock, env: { CAREPOST_PUBLIC_URL: 'http://localhost:8080' } });
  const customer = await app.createCustomer();
  const formId = await addForm(app, customer.id);
  const link = await invite(app, customer);
  const browser = await openBrowser(t);
  const { page } = await visit(browser, link);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await choosePassword(page);
  await page.getByRole('button', { name: 'Make a passkey' }).click();
  await page.getByRole('button', { name: 'I have kept them' }).click();
  await page.getByRole('navigation', { name: 'Rooms' }).waitFor();
  await page.goto(`${localhost(app)}/app/settings/account`);
  await page.getByRole('heading', { name: 'Where you are signed in' }).waitFor();

  clock.advance(15 * 60_000);
  // Whatever is asked next finds the session ended; what stood on the page is gone.
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.getByText('nothing happened for a while').waitFor();
  assert.equal(await page.getByRole('heading', { name: 'Where you are signed in' }).count(), 0);
  await typePassword(page, PASSWORD);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByRole('heading', { name: 'Where you are signed in' }).waitFor();
  assert.match(page.url(), /\/app\/settings\/account$/);

  await page.goto(`${localhost(app)}/app/forms/${formId}/edit`);
  await page.getByRole('button', { name: 'Add: Email', exact: true }).click();
  const question = page.getByRole('complementary', { name: 'Properties' }).getByRole('textbox').first();
  await question.fill('Where do we write to?');
  clock.advance(15 * 60_000);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  assert.equal(await page.getByText('Where do we write to?').count(), 0);
  await typePassword(page, PASSWORD);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByText('Where do we write to?').first().waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('All changes are saved').waitFor();
  const { body } = await app.request('GET', `/v1/forms/api/forms/${formId}`, { key: customer.key });
  assert.match(JSON.stringify(body.data.form_json), /Where do we write to/);

  await page.goto(`${localhost(app)}/app/marketing/segments/new`);
  await page.getByLabel('Name', { exact: true }).fill('To be called');
  await page.getByRole('radio', { name: 'In words' }).check();
  await page.getByLabel('Rule in words').fill('email contains "maple"');
  await page.getByText('0 people fit').waitFor();
  clock.advance(15 * 60_000);
  await page.getByRole('button', { name: 'Save segment' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await typePassword(page, PASSWORD);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByLabel('Rule in words').waitFor();
  assert.equal(await page.getByLabel('Rule in words').inputValue(), 'email contains "maple"');
  await page.getByRole('button', { name: 'Save segment' }).click();
  await page.getByRole('heading', { level: 1, name: 'To be called' }).waitFor();

  await page.goto(`${localhost(app)}/app/email/messages/new`);
  await page.getByLabel('Subject').fill('Your appointment');
  await page.getByLabel('To', { exact: true }).fill('ann@patients.example');
  await page.getByLabel('Text', { exact: true }).fill('On Thursday at nine.');
  clock.advance(15 * 60_000);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await typePassword(page, PASSWORD);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor({ state: 'detached' });
  assert.equal(await page.getByLabel('Subject').inputValue(), 'Your appointment');
  assert.equal(await page.getByLabel('To', { exact: true }).inputValue(), 'ann@patients.example');
  assert.equal(await page.getByLabel('Text', { exact: true }).inputValue(), 'On Thursday at nine.');
});

test('what needs the second factor again asks for it and then goes on by itself', async (t) => {
  const clock = createMovableClock();
  const app = await startApp(t, { clock, env: { CAREPOST_PUBLIC_URL: 'http://localhost:8080' } });
  const link = await invite(app);
  const browser = await openBrowser(t);
  const { page } = await visit(browser, link);
  await choosePassword(page);
  await page.getByRole('button', { name: 'Set up' }).click();
  const secret = (await page.getByLabel('Or type this key into the app').first().textContent()) ?? '';
  await page.getByLabel('Six-digit code').fill(codeOf(secret, clock.now()));
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByRole('button', { name: 'I have kept them' }).click();
  await page.getByRole('navigation', { name: 'Rooms' }).waitFor();
  await page.goto(`${localhost(app)}/app/settings/account`);
  clock.advance(11 * 60_000);
  await page.getByRole('button', { name: 'Make new codes' }).click();
  const question = page.getByRole('dialog', { name: 'Make new recovery codes?' });
  await question.getByText('10 of them are still good').waitFor();
  await question.getByRole('button', { name: 'Make new codes' }).click();
  const dialog = page.getByRole('dialog', { name: 'Is it still you?' });
  await dialog.waitFor();
  await findNothingWrong(page, 'asking for the second factor again');
  await page.mouse.click(5, 5);
  await page.mouse.click(5, 5);
  await dialog.getByLabel('Six-digit code').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('alert').getByText('Do it again to be asked once more').waitFor();
  await page.getByRole('button', { name: 'Make new codes' }).click();
  await question.getByRole('button', { name: 'Make new codes' }).click();
  await dialog.getByLabel('Six-digit code').fill(codeOf(secret, clock.now()));
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  const codes = page.getByRole('dialog', { name: 'Recovery codes' });
  await codes.waitFor();
  await page.keyboard.press('Escape');
  assert.equal(await codes.getByRole('listitem').count(), 10, 'what is shown only once is not closed in passing');
  await codes.getByRole('button', { name: 'I have kept them' }).click();
  await codes.waitFor({ state: 'detached' });

  await page.route('**/app/api/sign_out', (route) => route.abort());
  await page.getByRole('button', { name: 'Ann Lee' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByText('The server cannot be reached').waitFor();
  await page.getByRole('navigation', { name: 'Rooms' }).waitFor();
});
