import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openClinic } from '../page/patient.ts';
import { fillFirst, fillSecond, fillThird, goTo, press, send } from './fill-in.ts';
import { INTAKE } from './intake.ts';

/** What a screen reader is told of every step; a change here is a change of what patients hear. */
const TOLD = join(import.meta.dirname, 'read-aloud.golden.txt');

/** Help, hints and problems, by the control or the group that they belong to. */
const DESCRIPTIONS = `[...document.querySelectorAll('[aria-describedby]')].filter((one) => one.checkVisibility())
  .map((one) => (one.name || one.localName) + ' <- ' + one.getAttribute('aria-describedby').split(' ')
    .map((id) => document.getElementById(id).textContent).join(' | '))`;

test('a screen reader is told of every question, what it is, what is wrong with it and what helps', async (t) => {
  const clinic = await openClinic(t);
  const formId = await clinic.form([], {
    title: 'Before your visit',
    description: 'For new patients',
    form_json: INTAKE,
  });
  const { page } = await clinic.open(formId);
  const told: string[] = [];
  const listen = async (state: string) => {
    told.push(`# ${state}: ${await page.title()}`, await page.locator('body').ariaSnapshot());
    told.push(...(await page.evaluate<string[]>(DESCRIPTIONS)));
  };
  await press(page, 'next');
  await listen('the first step, with problems');
  await fillFirst(page);
  await goTo(page, 2);
  await fillSecond(page);
  await listen('the second step, filled in');
  await goTo(page, 3);
  await listen('the third step');
  await fillThird(page);
  await send(page);
  assert.equal(`${told.join('\n')}\n`.replaceAll(formId, 'FORM'), readFileSync(TOLD, 'utf8'));
});
