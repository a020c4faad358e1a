import { before, type TestContext, test } from 'node:test';
import { findNothingWrong } from '../e2e/axe.ts';
import { type FormsRoom, openFormsRoom } from './forms-room.ts';

let room: FormsRoom;
before(async (t) => {
  room = await openFormsRoom(t as TestContext);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`nothing keeps people who use other means from the pages of a form, ${colorScheme}`, async () => {
    const { formId, ids, enter } = room;
    const { page } = await enter('/forms/all', { colorScheme });
    const places: [path: string, text: string][] = [
      ['/forms/all', 'New patient intake'],
      [`/forms/${formId}`, 'Submissions a day'],
      [`/forms/${formId}/submissions`, 'ana.okafor@patients.example'],
      [`/forms/${formId}/submissions/${ids[5]}`, 'Nothing noted yet.'],
      [`/forms/${formId}/versions`, 'The first version.'],
      [`/forms/${formId}/share`, 'QR code'],
      [`/forms/${formId}/retention`, 'Keep submissions'],
      ['/forms/exports', 'No exports yet'],
    ];
    for (const [path, text] of places) {
      await page.goto(`${room.app.url}/app${path}`);
      await page.getByText(text).first().waitFor();
      await findNothingWrong(page, `${path} ${colorScheme}`);
    }
  });
}
