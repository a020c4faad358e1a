import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whatWasAsked, whatWasAskedThen } from './asked.ts';
import { compileForm } from './compile.ts';
import { todayAt } from './today.ts';

const TODAY = todayAt(new Date('2026-05-16T09:00:00Z'));

test('what was answered and taken then was asked, whatever the form would ask by now', () => {
  const more = [{ name: 'years', type: 'number' }, { name: 'brand' }];
  const model = compileForm({
    fields: [{ name: 'smoker' }, { type: 'section', title: 'More', show_when: "smoker == 'yes'", fields: more }],
  });
  const section = model.pages[0]?.items[1];
  assert.ok(section?.kind === 'section');
  const [years, brand] = section.items;
  assert.ok(years !== undefined && brand !== undefined);
  const asked = (isAsked: ReturnType<typeof whatWasAsked>) => [section, years, brand].map(isAsked);
  const answers = { smoker: 'no', years: 12 };
  assert.deepEqual(asked(whatWasAsked(model, answers, TODAY)), [false, false, false]);
  assert.deepEqual(asked(whatWasAskedThen(model, { answers, unasked: [] }, TODAY)), [true, true, false]);
  const takenBack = asked(whatWasAskedThen(model, { answers, unasked: ['years'] }, TODAY));
  assert.deepEqual(takenBack, asked(whatWasAsked(model, answers, TODAY)));
});
