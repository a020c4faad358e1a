import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { addForm } from '../support/forms.ts';
import { open } from './visitor.ts';

/** The moment, the first and the last day that is today somewhere. */
const MOMENTS = [
  ['2026-03-04T00:17:00Z', '2026-03-03', '2026-03-04'],
  ['2026-03-04T09:59:59Z', '2026-03-03', '2026-03-04'],
  ['2026-03-04T10:00:00Z', '2026-03-03', '2026-03-05'],
  ['2026-03-04T11:59:59Z', '2026-03-03', '2026-03-05'],
  ['2026-03-04T12:00:00Z', '2026-03-04', '2026-03-05'],
  ['2026-12-31T23:59:59Z', '2026-12-31', '2027-01-01'],
] as const;

test('today is every day that is today somewhere on earth, on the page as in what is taken', async (t) => {
  const clock = createMovableClock(new Date(MOMENTS[0][0]));
  const app = await startApp(t, { clock });
  const { id: customerId } = await app.createCustomer();
  const fields = [
    { type: 'date', name: 'visit', min: 'today' },
    { type: 'date', name: 'born', max: 'today' },
  ];
  const formId = await addForm(app, customerId, { form_json: { fields } });
  const statusOf = async (answers: object) =>
    (await app.request('POST', `/api/forms/${formId}/submissions`, { body: { form_data: answers } })).status;
  for (const [moment, first, last] of MOMENTS) {
    clock.advance(new Date(moment).getTime() - clock.now().getTime());
    const { text } = await open(app, `/f/${formId}`);
    assert.match(text, new RegExp(` min="${first}"`), moment);
    assert.match(text, new RegExp(` max="${last}"`), moment);
    assert.equal(await statusOf({ visit: first, born: last }), 201, moment);
    assert.equal(await statusOf({ visit: beside(first, -1) }), 400, moment);
    assert.equal(await statusOf({ born: beside(last, 1) }), 400, moment);
  }
});

function beside(day: string, days: number): string {
  const date = new Date(day);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}
