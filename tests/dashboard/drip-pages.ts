import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { findNothingWrong } from '../e2e/axe.ts';
import { openDripRoom } from './drip-room.ts';

interface Look {
  colorScheme: 'light' | 'dark';
  viewport: { width: number; height: number };
}

/** Opens every page of the drips and lets axe look at it. */
export async function lookThroughDrips(t: TestContext, look: Look): Promise<void> {
  const { ask, list, mailings, enter } = await openDripRoom(t, { people: 4 });
  const steps = [
    { id: 'hello', type: 'email', campaign_mailing_id: mailings[0] },
    {
      id: 'opened',
      type: 'wait',
      for: { opened: mailings[0] },
      timeout: { days: 3 },
      then: [
        {
          id: 'ann',
          type: 'branch',
          if: { field: 'first_name', op: 'is', terms: ['Ann'] },
          then: [{ id: 'out', type: 'exit' }],
          else: [],
        },
      ],
      else: [
        { id: 'rest', type: 'delay', until: { weekday: 1, time: '09:00' } },
        { type: 'goto', step: 'hello' },
      ],
    },
    { id: 'hook', type: 'webhook', url: 'https://hooks.maple-clinic.example/drips' },
    { id: 'moved', type: 'list', add: list },
  ];
  const made = await ask('POST', '/drip_campaigns', {
    drip_campaign: { name: 'All kinds', subscription_list_id: list, steps },
  });
  const id = made.data.id as string;
  await ask('POST', `/drip_campaigns/${id}/start`, { enroll_existing: true });
  const { page, errors } = await enter('/marketing/drips', look);
  const state = (name: string) => `${name}, ${look.colorScheme}, ${look.viewport.width} px`;
  const open = async (path: string, heading: RegExp) => {
    await page.goto(new URL(`/app/marketing/drips${path}`, page.url()).href);
    await page.getByText(heading).first().waitFor();
  };
  await page.getByRole('link', { name: 'All kinds' }).waitFor();
  await findNothingWrong(page, state('the list'));
  await open('/new', /Begin with/);
  await findNothingWrong(page, state('a new one'));
  await open(`/${id}`, /Until they open Parking/);
  await findNothingWrong(page, state('the canvas'));
  await page.getByRole('button', { name: /^Branch/ }).dispatchEvent('click');
  await page.getByRole('heading', { level: 2, name: 'Branch' }).waitFor();
  await findNothingWrong(page, state('a branch'));
  await open(`/${id}?view=outline`, /Enter opens a step/);
  for (const [step, name] of [
    ['hello', 'Mail'],
    ['opened', 'Wait for something'],
    ['entry', 'Who enters'],
    ['goal', 'Goal'],
    ['campaign', 'Name and sender'],
  ] as const) {
    await page.locator(`#outline-${step}`).click();
    await page.getByRole('heading', { level: 2, name }).waitFor();
    await findNothingWrong(page, state(`the outline with ${name}`));
  }
  await open(`/${id}/people`, /patient-1@patients.example/);
  await findNothingWrong(page, state('the people'));
  await page.getByRole('button', { name: 'patient-1@patients.example' }).click();
  await page.getByText('They are at Wait for something').waitFor();
  await findNothingWrong(page, state('one of them'));
  await open(`/${id}/versions`, /What version 1 says/);
  await findNothingWrong(page, state('the versions'));
  await open(`/${id}/time-machine`, /What they do with their mail/);
  await findNothingWrong(page, state('the time machine'));
  await page.getByRole('button', { name: 'Send them off' }).click();
  await page.getByRole('button', { name: 'Next event' }).click();
  await page.getByText('Ada gets “How to find us”').waitFor();
  await findNothingWrong(page, state('the time machine at work'));
  assert.deepEqual(errors, []);
}
