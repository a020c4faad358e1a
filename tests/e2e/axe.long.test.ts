import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { lastMail } from '../drafts/saving.ts';
import { addOpenForm } from '../page/page-requests.ts';
import { type Clinic, openClinic } from '../page/patient.ts';
import { findNothingWrong } from './axe.ts';
import { fillFirst, fillSecond, fillThird, press, send } from './fill-in.ts';
import { INTAKE } from './intake.ts';

let clinic: Clinic;
before(async (t) => {
  clinic = await openClinic(t as TestContext);
});

const WANTED = { title: 'Before your visit', form_json: INTAKE };

/** Answers that are missing, in both of the ways in which that is said. */
async function miss(page: Page, state: string): Promise<void> {
  await press(page, (await page.locator('.buttons [value=submit]').count()) > 0 ? 'submit' : 'next');
  await page.locator('#problems a').first().waitFor();
  await findNothingWrong(page, `${state}, with problems`);
}

/** The form as it was filled in, which the office sees. */
async function readOnly(page: Page, formId: string): Promise<void> {
  const [{ id }] = await clinic.submissions(formId);
  const path = `/v1/forms/api/forms/${formId}/submissions/${id}/page`;
  const { status, text } = await clinic.app.request('GET', path, clinic.customer);
  assert.equal(status, 200, text);
  await page.setContent(text);
  await findNothingWrong(page, 'read only');
}

for (const language of ['en', 'ar']) {
  for (const script of [true, false]) {
    test(`axe finds nothing on any step in ${language} ${script ? 'with' : 'without'} our script`, async () => {
      const formId = await clinic.form([], WANTED);
      const { page } = await clinic.open(`${formId}?language=${language}`);
      if (!script) {
        await page.route('**/f/-/*', (route) => route.abort());
        await page.reload();
      }
      assert.equal(await page.locator('html').getAttribute('dir'), language === 'ar' ? 'rtl' : 'ltr');
      await findNothingWrong(page, 'first step');
      await miss(page, 'first step');
      await fillFirst(page);
      await press(page, 'next');
      await page.locator('[name="q.story"]').waitFor();
      await findNothingWrong(page, 'second step');
      await miss(page, 'second step');
      await fillSecond(page);
      await press(page, 'next');
      await page.locator('[name="q.mark.name"]').waitFor();
      await miss(page, 'third step');
      await fillThird(page);
      await findNothingWrong(page, 'third step, filled in');
      if (script) {
        await page.locator('[name="q.mark.method"][value=drawn]').check();
        await page.locator('canvas').waitFor();
        await findNothingWrong(page, 'a field to draw in');
      }
      await page.locator('[name="q.mark.method"][value=uploaded]').check();
      await findNothingWrong(page, 'a signature to upload');
      await page.locator('[name="q.mark.method"][value=typed]').check();
      await send(page);
      await findNothingWrong(page, 'thanks');
      await readOnly(page, formId);
      await page.context().close();
    });
  }
}

test('axe finds nothing on the pages around a form', async () => {
  const { app, customer, clock } = clinic;
  const password = await addOpenForm(app, customer, { password: 'a password of ours' }, WANTED);
  const { page } = await clinic.open(password);
  await findNothingWrong(page, 'password');
  await page.locator('#entry').fill('another one');
  await page.locator('button').click();
  await page.locator('.problem').waitFor();
  await findNothingWrong(page, 'wrong password');
  const closes = new Date(clock.now().getTime() + 1_000).toISOString();
  const closed = await addOpenForm(app, customer, { closes_at: closes }, WANTED);
  clock.advance(2_000);
  const addresses = { closed, gone: 'nothing-is-here', used: `${closed}/l/token`, draft: `${closed}/resume/token` };
  for (const [state, address] of Object.entries(addresses)) {
    await page.goto(`${app.url}/f/${address}`);
    await findNothingWrong(page, state);
  }
});

test('axe finds nothing on the pages where a form is put aside and taken up again', async () => {
  const { app, customer } = clinic;
  const formId = await addOpenForm(app, customer, { resumable: true }, WANTED);
  const { page } = await clinic.open(formId);
  await page.locator('[name="q.name"]').fill('Ann');
  await press(page, 'save');
  await page.locator('#entry').waitFor();
  await findNothingWrong(page, 'saved');
  await page.locator('#entry').fill('no address');
  await page.evaluate('document.forms[0].noValidate = true');
  await page.locator('button').first().click();
  await page.locator('.problem').waitFor();
  await findNothingWrong(page, 'saved, with a wrong address');
  await page.locator('#entry').fill('ann@example.com');
  await page.locator('button').first().click();
  await page.locator('#entry').waitFor({ state: 'detached' });
  await findNothingWrong(page, 'link sent');
  const mail = await lastMail(app, customer, 'ann@example.com');
  const link = /\/f\/[0-9a-f-]{36}\/resume\/[\w-]{43}/.exec(mail)?.[0] as string;
  await page.goto(app.url + link);
  await findNothingWrong(page, 'way back');
  await page.locator('button').click();
  await page.locator('#entry').waitFor();
  await findNothingWrong(page, 'code');
  await page.locator('#entry').fill('00000000');
  await page.locator('button').first().click();
  await page.locator('.problem').waitFor();
  await findNothingWrong(page, 'wrong code');
  await page.locator('#entry').fill(/\b\d{8}\b/.exec(await lastMail(app, customer, 'ann@example.com'))?.[0] as string);
  await page.locator('button').first().click();
  await page.locator('[name="q.name"]').waitFor();
  assert.equal(await page.locator('[name="q.name"]').inputValue(), 'Ann');
  await findNothingWrong(page, 'taken up again');
});
