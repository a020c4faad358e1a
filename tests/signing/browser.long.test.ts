import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { mailedCode } from '../drafts/saving.ts';
import { findNothingWrong } from '../e2e/axe.ts';
import { type Clinic, openClinic } from '../page/patient.ts';
import { readBack } from '../submissions/submitting.ts';
import { foreignOrigins, type Visit, visit } from '../support/browser.ts';
import { addToBeSigned, signingLink } from './signing.ts';

let clinic: Clinic;
before(async (t) => {
  clinic = await openClinic(t as TestContext);
});

/** Goes in by the link of somebody, with the code that is mailed to them. */
async function goIn(address: string, script: boolean): Promise<Visit> {
  const { app, customer, browser } = clinic;
  const seen = await visit(browser, app.url + (await signingLink(app, customer, address)), {
    javaScriptEnabled: script,
  });
  if (script) await findNothingWrong(seen.page, 'the way in');
  await seen.page.locator('button').click();
  await seen.page.locator('[name=code]').fill(await mailedCode(app, customer, address));
  await seen.page.locator('[name=code]').press('Enter');
  await seen.page.locator('#carepost-form').waitFor();
  return seen;
}

test('a witness draws their signature, and a guardian without script types theirs', async () => {
  const { app, customer } = clinic;
  const wanted = await addToBeSigned(app, customer);
  const drawing = await goIn(wanted.witness, true);
  const { page } = drawing;
  await page.locator('[name="_signature.name"]').fill('Will Witness');
  await page.locator('[name="_signature.method"][value=drawn]').check();
  const canvas = page.locator('canvas');
  await canvas.waitFor();
  await findNothingWrong(page, 'the page to sign on');
  await canvas.scrollIntoViewIfNeeded();
  const { x, y } = (await canvas.boundingBox()) ?? assert.fail('nothing to draw in');
  await page.mouse.move(x + 20, y + 20);
  await page.mouse.down();
  await page.mouse.move(x + 120, y + 60, { steps: 5 });
  await page.mouse.up();
  await page.locator('[value=submit]').click();
  await page.locator('#problems a').waitFor();
  await findNothingWrong(page, 'with a problem');
  await page.locator('[name="_signature.confirmed"]').check();
  await page.locator('[value=submit]').click();
  await page.locator('h1', { hasText: 'You have signed' }).waitFor();
  assert.deepEqual(
    drawing.errors.filter((error) => !error.includes('422')),
    [],
  );
  assert.deepEqual(foreignOrigins(drawing, app.url), []);
  assert.deepEqual(await page.context().cookies(), []);

  const typing = await goIn(wanted.guardian, false);
  await typing.page.locator('[name="_signature.name"]').fill('Gus Guardian');
  await typing.page.locator('[name="_signature.confirmed"]').check();
  await typing.page.locator('[value=submit]').click();
  await typing.page.locator('h1', { hasText: 'You have signed' }).waitFor();
  const { signatures } = await readBack(app, customer, wanted.formId, wanted.id);
  assert.deepEqual(
    signatures.map(({ role, method }: Record<string, string>) => [role, method]),
    [
      ['signer', 'typed'],
      ['guardian', 'typed'],
      ['witness', 'drawn'],
    ],
  );
});
