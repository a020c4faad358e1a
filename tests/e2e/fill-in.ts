import type { Locator, Page } from 'playwright-core';

/** A picture that is one. */
export const CARD = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const control = (page: Page, name: string): Locator => page.locator(`[name="q.${name}"]`);
const choice = (page: Page, name: string, value: string): Locator =>
  page.locator(`[name="q.${name}"][value="${value}"]`);

/** Presses one of the buttons below the questions. */
export async function press(page: Page, value: string): Promise<void> {
  await page.locator(`.buttons [value=${value}]`).click();
}

/** Goes on to the step of that number. */
export async function goTo(page: Page, step: number): Promise<void> {
  await press(page, 'next');
  await page.locator('.step', { hasText: `${step} of 3` }).waitFor();
}

/** Without script, a question that an answer brings up comes with the next page. */
async function bringUp(page: Page, name: string, button: string): Promise<void> {
  if (await control(page, name).isVisible()) return;
  await press(page, button);
  await page.locator('.notes').waitFor();
}

export async function fillFirst(page: Page): Promise<void> {
  await control(page, 'name').fill('Ann Lee');
  await control(page, 'born').fill('1980-02-29');
  await control(page, 'email').fill('ann@example.com');
  await control(page, 'phone').fill('+1 212 555 0100');
  await control(page, 'home.street').fill('1 Main St');
  await control(page, 'home.city').fill('Springfield');
  await control(page, 'home.zip').fill('12345');
  await control(page, 'call').fill('14:30');
}

export async function fillSecond(page: Page): Promise<void> {
  await control(page, 'doctor').selectOption('~other');
  await control(page, 'doctor.~own').fill('Dr Zed');
  await choice(page, 'smoker', 'daily').check();
  await choice(page, 'symptoms', 'Cough').check();
  await choice(page, 'symptoms', '~other').check();
  await control(page, 'symptoms.~own').fill('My knee');
  await choice(page, 'pregnant', 'no').check();
  await choice(page, 'pain', '7').check();
  await choice(page, 'mood.interest', 'Several days').check();
  await control(page, 'story').fill('Two\nlines, “quoted” & <b>bold</b>');
  await bringUp(page, 'years', 'next');
  await control(page, 'years').fill('12');
}

export async function fillThird(page: Page): Promise<void> {
  await control(page, 'medications.0.drug').fill('Aspirin');
  await page.locator('[name=_add]').click();
  await control(page, 'medications.1.drug').fill('Ibuprofen');
  await control(page, 'medications.0.dose').fill('100 mg');
  await control(page, 'card').setInputFiles({ name: 'card.png', mimeType: 'image/png', buffer: CARD });
  await choice(page, 'privacy', 'true').check();
  await control(page, 'mark.name').fill('Ann Lee');
  await control(page, 'mark.confirmed').check();
  await bringUp(page, 'medications.1.dose', 'submit');
  await control(page, 'medications.1.dose').fill('200 mg');
}

export async function send(page: Page): Promise<void> {
  await press(page, 'submit');
  await page.waitForURL(/\/done/);
}

/** What those who fill the form in as above have answered. */
export const ANSWERS = {
  name: 'Ann Lee',
  born: '1980-02-29',
  email: 'ann@example.com',
  phone: '+1 212 555 0100',
  home: { street: '1 Main St', city: 'Springfield', zip: '12345' },
  call: '14:30',
  doctor: 'Dr Zed',
  smoker: 'daily',
  years: 12,
  symptoms: ['Cough', 'My knee'],
  pregnant: false,
  pain: 7,
  mood: { interest: 'Several days' },
  points: 9,
  urgent: true,
  story: 'Two\nlines, “quoted” & <b>bold</b>',
  medications: [
    { drug: 'Aspirin', dose: '100 mg' },
    { drug: 'Ibuprofen', dose: '200 mg' },
  ],
  privacy: true,
};
