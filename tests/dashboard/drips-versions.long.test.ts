import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { addStep, openDripRoom } from './drip-room.ts';

test('a version is given to a share of newcomers, compared, published to all, and people are moved to it', async (t) => {
  const { ask, list, mailings, enter } = await openDripRoom(t, { people: 4 });
  const steps = [
    { id: 'pause', type: 'delay', days: 3 },
    { id: 'hello', type: 'email', campaign_mailing_id: mailings[0] },
  ];
  const made = await ask('POST', '/drip_campaigns', {
    drip_campaign: { name: 'Newcomers', subscription_list_id: list, steps },
  });
  const id = made.data.id as string;
  await ask('POST', `/drip_campaigns/${id}/start`, { enroll_existing: true });
  const drip = async () => (await ask('GET', `/drip_campaigns/${id}`)).data.attributes;
  const waitingBy = async (version: number) => {
    const { data } = await ask('GET', `/drip_campaigns/${id}/versions`);
    return data.find((each: { version: number }) => each.version === version)?.waiting as number;
  };
  await eventually(async () => (await waitingBy(1)) === 4);
  const { page, errors } = await enter(`/marketing/drips/${id}?view=outline`);

  // The delay goes, so that those who rest in it do not know where to go on.
  await page.getByRole('button', { name: 'Remove Delay: 3 days' }).click();
  await addStep(page, 'Add a step at the top: Steps', 'Delay');
  await page.getByLabel('How long').fill('9');
  await page.getByRole('button', { name: 'Save as version 2' }).click();
  await page.getByLabel('A share of them').check();
  await page.getByLabel('Of a hundred newcomers, how many').fill('25');
  await page.getByRole('dialog').getByRole('button', { name: 'Save as version 2' }).click();
  await page.getByText('Newcomers go by version 1, 25 of 100 try version 2').waitFor();
  const { live_version: live, trial_version: trial, trial_share: share } = await drip();
  assert.deepEqual([live, trial, share], [1, 2, 25]);

  await page.getByRole('link', { name: 'Versions' }).click();
  const differences = page.getByRole('list', { name: 'Differences' });
  await differences.getByText('Delay: 9 days').waitFor();
  assert.match((await differences.textContent()) ?? '', /Added.*9 days.*Removed.*3 days/);

  await page.getByRole('button', { name: 'Publish …' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('Newcomers go by version 2').waitFor();
  assert.equal((await drip()).live_version, 2);

  await page.getByRole('button', { name: 'Move people …' }).click();
  const move = page.getByRole('dialog');
  await move.getByLabel(/^4 at pause go on at/).selectOption({ label: 'Delay: 9 days' });
  await move.getByRole('button', { name: 'Move them' }).click();
  await eventually(async () => (await waitingBy(2)) === 4);
  assert.equal(await waitingBy(1), 0);
  assert.deepEqual(errors, []);
});

test('what the server refuses stands at the step that it is about', async (t) => {
  const { ask, list, enter } = await openDripRoom(t, { people: 0 });
  const made = await ask('POST', '/drip_campaigns', { drip_campaign: { name: 'Refused', subscription_list_id: list } });
  const { page } = await enter(`/marketing/drips/${made.data.id}?view=outline`, { role: 'admin' });
  await addStep(page, 'Add the first step: Steps', 'Delay');
  await addStep(page, 'Add a step after Delay: 3 days', 'Call a webhook');
  await page.getByLabel('Address').fill('http://10.0.0.1/hook');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const panel = page.getByRole('region', { name: 'Call a webhook' });
  await panel.getByRole('alert').waitFor();
  await page.getByRole('button', { name: '1 problem' }).waitFor();
  await page.getByLabel('Address').fill('https://hooks.maple-clinic.example/drips');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved.', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Show the signing secret' }).click();
  await page.getByText(/^whsec_/).waitFor();
});

test('saving or starting what is not finished says aloud what is wrong and where, also the second time', async (t) => {
  const { ask, list, enter } = await openDripRoom(t, { people: 0 });
  const made = await ask('POST', '/drip_campaigns', { drip_campaign: { name: 'Begun', subscription_list_id: list } });
  const { page } = await enter(`/marketing/drips/${made.data.id}?view=outline`);
  await addStep(page, 'Add the first step: Steps', 'Mail');
  await addStep(page, /^Add a step after Mail/, 'Change a list');
  const notices = page.getByRole('region', { name: 'Notices' });
  const told = notices.getByText('Not saved. Mail: Choose a mailing. And 1 more.');
  for (const times of [1, 2]) {
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await told.nth(times - 1).waitFor();
  }
  await page.getByRole('region', { name: 'Mail', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Start', exact: true }).click();
  await notices.getByText('Not started. Mail: Choose a mailing. And 1 more.').waitFor();
});

test('what the server refused to start is asked of it again, since it may have been mended elsewhere', async (t) => {
  const { ask, list, enter } = await openDripRoom(t, { people: 0 });
  const unsigned = { subject: 'Note', html_part: '<p>Hello</p>' };
  const mailing = (await ask('POST', '/campaign_mailings', { campaign_mailing: unsigned })).data.id;
  const steps = [{ id: 'hello', type: 'email', campaign_mailing_id: mailing }];
  const drip = { name: 'Mended', subscription_list_id: list, steps };
  const { id } = (await ask('POST', '/drip_campaigns', { drip_campaign: drip })).data;
  const { page } = await enter(`/marketing/drips/${id}`);
  const start = async () => {
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Start', exact: true }).click();
  };
  await start();
  await page
    .getByRole('dialog')
    .getByText(/its mailing says not from whom it is/)
    .waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: '1 problem' }).waitFor();
  const signed = { from: 'Maple Street Clinic <desk@maple-clinic.example>' };
  await ask('PATCH', `/campaign_mailings/${mailing}`, { campaign_mailing: signed });
  await start();
  await page.getByText('The campaign is running.').waitFor();
  await page.getByRole('button', { name: '1 problem' }).waitFor({ state: 'detached' });
});

test('a reader sees the steps and the counts, and nothing to change or about people', async (t) => {
  const { ask, list, mailings, enter } = await openDripRoom(t, { people: 2 });
  const steps = [{ id: 'hello', type: 'email', campaign_mailing_id: mailings[0] }];
  const made = await ask('POST', '/drip_campaigns', {
    drip_campaign: { name: 'Readable', subscription_list_id: list, steps },
  });
  const { page, errors } = await enter(`/marketing/drips/${made.data.id}`, { role: 'reader' });
  await page.getByRole('button', { name: /Parking and opening hours/ }).click();
  assert.ok(await page.getByLabel('Mailing', { exact: true }).isDisabled());
  for (const name of ['Start', 'Save', 'Add a step here', 'Remove']) {
    assert.equal(await page.getByRole('button', { name, exact: true }).count(), 0, name);
  }
  assert.equal(await page.getByRole('link', { name: 'People', exact: true }).count(), 0);
  assert.deepEqual(errors, []);
});
