import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { type Clinic, openClinic } from '../page/patient.ts';
import { attachmentPath, download } from '../submissions/submitting.ts';
import { foreignOrigins } from '../support/browser.ts';
import { ANSWERS, CARD, fillFirst, fillSecond, fillThird, goTo, send } from './fill-in.ts';
import { INTAKE } from './intake.ts';

let clinic: Clinic;
before(async (t) => {
  clinic = await openClinic(t as TestContext);
});

for (const javaScriptEnabled of [true, false]) {
  test(`a long form is filled in ${javaScriptEnabled ? 'with' : 'without'} script, and kept as it was typed`, async () => {
    const formId = await clinic.form([], { title: 'Before your visit', form_json: INTAKE });
    const seen = await clinic.open(formId, { javaScriptEnabled });
    const { page } = seen;
    const referers = new Set<string>();
    page.on('request', (request) => referers.add(request.headers()['referer'] ?? ''));
    await fillFirst(page);
    await goTo(page, 2);
    await fillSecond(page);
    await goTo(page, 3);
    await fillThird(page);
    await send(page);
    const [submission, ...more] = await clinic.submissions(formId);
    assert.equal(more.length, 0);
    const { mark, ...answers } = submission.answers;
    assert.deepEqual(answers, ANSWERS);
    assert.deepEqual([mark.name, mark.method, mark.confirmed], ['Ann Lee', 'typed', true]);
    const [card] = submission.attachments;
    assert.deepEqual([card.name, card.field], ['card.png', 'card']);
    const { bytes } = await download(clinic.app, clinic.customer, attachmentPath(formId, submission.id, card.id));
    assert.ok(bytes.equals(CARD));
    // Whoever looks over the shoulder of the page finds nothing: no cookie, nobody else, no violated policy.
    assert.deepEqual(seen.errors, []);
    assert.deepEqual(foreignOrigins(seen, clinic.app.url), []);
    assert.deepEqual(await page.context().cookies(), []);
    assert.deepEqual([...referers], ['']);
    await page.context().close();
  });
}
