import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foreignOrigins } from '../support/browser.ts';
import { addStep, openDripRoom } from './drip-room.ts';

test('a drip is built on the canvas, tried in the time machine, started, and counts people on its nodes', async (t) => {
  const { app, ask, enter } = await openDripRoom(t);
  const seen = await enter('/marketing/drips');
  const { page } = seen;

  await page.getByRole('link', { name: 'New drip campaign' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill('Welcome to Maple Street');
  await page.getByLabel('List', { exact: true }).selectOption({ label: 'New patients' });
  await page.getByLabel('Sender address').fill('desk@maple-clinic.example');
  await page.getByRole('button', { name: 'Create the draft' }).click();
  await page.getByRole('heading', { level: 1, name: 'Welcome to Maple Street' }).waitFor();
  const id = page.url().split('/').at(-1) ?? '';

  // A mail more, at the very beginning, by the plus below the entry.
  const canvas = page.getByRole('region', { name: 'The steps on a canvas' });
  await addStep(page, 'Add a step here', 'Mail');
  await canvas.getByRole('button', { name: /^Mail\s*Problem: Choose a mailing/ }).waitFor();
  await page.getByRole('button', { name: '1 problem' }).waitFor();
  await page.getByLabel('Mailing', { exact: true }).selectOption({ label: 'Parking and opening hours' });
  await addStep(page, 'Add a step here', 'Delay');
  await page.getByLabel('How long').fill('2');
  await page.getByLabel('Unit').selectOption('hours');
  await canvas.getByRole('button', { name: /2 hours/ }).waitFor();

  // The delay stands before the mail now; dragging the mail onto the first plus changes that.
  const mail = canvas.getByRole('button', { name: /Parking and opening hours/ });
  const from = await mail.boundingBox();
  const to = await canvas.getByRole('button', { name: 'Add a step here' }).first().boundingBox();
  assert.ok(from !== null && to !== null);
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 12 });
  await page.mouse.up();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await page.getByRole('button', { name: 'Redo', exact: true }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved.', { exact: true }).waitFor();
  const saved = (await ask('GET', `/drip_campaigns/${id}`)).data.attributes.steps;
  assert.deepEqual(
    saved.map((step: { type: string }) => step.type),
    ['email', 'delay', 'email', 'delay', 'delay', 'email', 'wait'],
  );
  assert.equal(saved[1].hours, 2);

  // The time machine: two made-up people, of whom nobody is mailed.
  await page.getByRole('link', { name: 'Time machine' }).click();
  await page.getByLabel('They enter at').fill('2027-03-01T08:00');
  await page.getByRole('button', { name: 'Send them off' }).click();
  const clock = page.getByRole('status', { name: 'The clock shows' });
  const timeline = page.getByRole('list', { name: 'Who gets what, and when' });
  const before = await clock.textContent();
  await page.getByRole('button', { name: 'Next event' }).click();
  await timeline.getByText('Ada gets “How to find us”').waitFor();
  assert.equal(await timeline.getByText(/Ada gets “Welcome/).count(), 0);
  await page.getByRole('button', { name: '+ 1 day' }).click();
  await timeline.getByText(/Ada gets “Welcome/).waitFor();
  const trial = page.getByRole('region', { name: 'Where everybody is at this moment' });
  await trial.getByText('Ben').first().waitFor();
  await page.getByRole('button', { name: '+ 1 week' }).click();
  await page.getByRole('button', { name: 'To the end' }).click();
  await timeline.getByText('Ada comes to the end').waitFor();
  assert.notEqual(await clock.textContent(), before);
  const statistics = async () => (await ask('GET', `/drip_campaigns/${id}/statistics`)).data;
  assert.equal((await statistics()).subscriber_count, 0, 'nobody was let in by the time machine');

  // In earnest, with those who are on the list already.
  await page.getByRole('link', { name: 'Steps', exact: true }).click();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByLabel(/Also let in the 12 who are on New patients/).check();
  await page.getByRole('dialog').getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByText('The campaign is running.').waitFor();
  await canvas.getByRole('button', { name: /Parking and opening hours.*12 sent/ }).waitFor();
  await canvas.getByRole('button', { name: /2 hours.*12 here/ }).waitFor();
  assert.equal((await statistics()).active, 12);

  await page.getByRole('link', { name: 'People', exact: true }).click();
  await page.getByRole('button', { name: 'patient-3@patients.example' }).click();
  const person = page.getByRole('dialog');
  await person.getByText('Mail: Parking and opening hours').waitFor();
  await person.getByRole('button', { name: 'Take them out …' }).click();
  await page.getByRole('button', { name: 'Take them out', exact: true }).click();
  await page.getByText('They are out of the campaign.').waitFor();
  assert.equal((await statistics()).exited, 1);

  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Paused', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByLabel('Everybody waits for as much longer').check();
  await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click();
  await page.getByText('The campaign is running again.').waitFor();
  assert.deepEqual(seen.errors, []);
  assert.deepEqual(foreignOrigins(seen, app.url), []);
});
