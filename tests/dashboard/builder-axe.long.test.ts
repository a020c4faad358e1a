import { before, type TestContext, test } from 'node:test';
import { findNothingWrong } from '../e2e/axe.ts';
import { type FormsRoom, openFormsRoom } from './forms-room.ts';

let room: FormsRoom;
before(async (t) => {
  room = await openFormsRoom(t as TestContext);
});

const LOOKS = [
  { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
] as const;

for (const look of LOOKS) {
  const { colorScheme } = look;
  test(`nothing keeps people who use other means from the builder, ${colorScheme}`, async () => {
    const json = { fields: [{ type: 'radio', name: 'a', label: 'A', options: ['x'] }], translations: { es: {} } };
    await room.ask('PUT', `/${room.formId}`, { form_json: json });
    const { page } = await room.enter('/forms/new', look);
    await findNothingWrong(page, `new ${colorScheme}`);
    for (const view of ['build', 'look', 'languages', 'settings', 'preview']) {
      await page.goto(`${room.app.url}/app/forms/${room.formId}/edit?view=${view}`);
      await page.getByRole('link', { name: 'Preview' }).waitFor();
      if (view === 'build') {
        await page.locator('[data-row]').nth(1).click();
        await page.getByText('Has to be answered').waitFor();
      }
      await findNothingWrong(page, `${view} ${colorScheme}`);
    }
  });
}
