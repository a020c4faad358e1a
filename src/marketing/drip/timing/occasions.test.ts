import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { datesDueOn } from './due-dates.ts';
import { occasionsWithin } from './naive-occasions.examples.ts';
import { momentOf } from './occasions.ts';

const yearly = (days = 0) => ({ every: 'year' as const, days });
const once = (days = 0) => ({ every: 'once' as const, days });
const moment = (day: string, time: string, zone: string) => momentOf(day, time, zone).toISOString();

/** The day after or, by a negative number, before another. */
function daysAfter(day: string, days: number): string {
  const date = new Date(`${day}T12:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

test('a date that comes once is due on one day, before or after it', () => {
  assert.deepEqual(occasionsWithin('2026-06-10', once(), '2026-06-10', '2026-06-10'), ['2026-06-10']);
  assert.deepEqual(occasionsWithin('2026-06-10', once(-7), '2026-01-01', '2027-12-31'), ['2026-06-03']);
  assert.deepEqual(occasionsWithin('2026-12-30', once(3), '2026-01-01', '2027-12-31'), ['2027-01-02']);
  assert.deepEqual(occasionsWithin('2026-06-10', once(), '2026-06-11', '2026-12-31'), []);
  assert.deepEqual(occasionsWithin('2026-06-10', once(), '2027-06-01', '2027-06-30'), []);
});

test('a date that comes every year is due from its own year on', () => {
  assert.deepEqual(occasionsWithin('1985-04-12', yearly(), '2025-04-12', '2027-04-12'), [
    '2025-04-12',
    '2026-04-12',
    '2027-04-12',
  ]);
  assert.deepEqual(occasionsWithin('2026-04-12', yearly(), '2024-01-01', '2027-12-31'), ['2026-04-12', '2027-04-12']);
  assert.deepEqual(occasionsWithin('2026-04-12', yearly(-7), '2024-01-01', '2026-12-31'), ['2026-04-05']);
  assert.deepEqual(occasionsWithin('2026-04-12', yearly(), '2026-04-13', '2027-04-11'), []);
});

test('the 29th of February is the 28th in other years, before days are counted from it', () => {
  assert.deepEqual(occasionsWithin('2000-02-29', yearly(), '2026-01-01', '2028-12-31'), [
    '2026-02-28',
    '2027-02-28',
    '2028-02-29',
  ]);
  assert.deepEqual(occasionsWithin('2000-02-29', yearly(1), '2027-01-01', '2028-12-31'), ['2027-03-01', '2028-03-01']);
  assert.deepEqual(occasionsWithin('1896-02-29', yearly(), '1900-01-01', '1900-12-31'), ['1900-02-28']);
  assert.deepEqual(occasionsWithin('2000-02-28', yearly(), '2028-01-01', '2028-12-31'), ['2028-02-28']);
});

test('days before and after carry over the end of a year', () => {
  assert.deepEqual(occasionsWithin('1990-01-03', yearly(-7), '2026-12-01', '2027-01-31'), ['2026-12-27']);
  assert.deepEqual(occasionsWithin('1990-12-30', yearly(3), '2026-12-01', '2027-01-31'), ['2027-01-02']);
  assert.deepEqual(occasionsWithin('1990-01-03', yearly(-7), '1989-12-01', '1989-12-31'), ['1989-12-27']);
  assert.deepEqual(occasionsWithin('2020-05-05', yearly(3650), '2025-01-01', '2031-12-31'), [
    '2030-05-03',
    '2031-05-03',
  ]);
});

test('dates long ago and far ahead are due as well', () => {
  assert.deepEqual(occasionsWithin('1899-12-31', yearly(), '2150-12-31', '2150-12-31'), ['2150-12-31']);
  assert.deepEqual(occasionsWithin('0050-03-01', once(1), '0050-01-01', '0050-12-31'), ['0050-03-02']);
  assert.deepEqual(occasionsWithin('0050-03-01', yearly(), '0099-01-01', '0100-12-31'), ['0099-03-01', '0100-03-01']);
  assert.deepEqual(occasionsWithin('9999-12-31', once(1), '0000-01-01', '9999-12-31'), []);
  assert.equal(occasionsWithin('0000-01-01', yearly(), '0000-01-01', '9999-12-31').length, 10_000);
});

test('nobody is due by what is not a date', () => {
  for (const text of [
    '',
    'soon',
    '2026-02-30',
    '2027-02-29',
    '2026-13-01',
    '2026-1-1',
    '12.04.1985',
    '-000050-03',
    '1985-04-12T00:00Z',
  ]) {
    assert.deepEqual(occasionsWithin(text, yearly(), '1980-01-01', '2030-12-31'), [], text);
    assert.deepEqual(occasionsWithin(text, once(), '1980-01-01', '2030-12-31'), [], text);
  }
  assert.deepEqual(
    occasionsWithin('2026-04-12', yearly(), '2027-01-01', '2026-01-01'),
    [],
    'between later and earlier',
  );
});

test('the days are those found by asking of every day whether it is one', () => {
  const day = fc
    .date({ min: new Date('1890-01-01'), max: new Date('2130-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10));
  const around = fc.constantFrom('2000-02-29', '1968-02-29', '1999-12-31', '2000-01-01', '2100-02-28');
  const days = fc.oneof(fc.integer({ min: -3650, max: 3650 }), fc.integer({ min: -7, max: 7 }));
  fc.assert(
    fc.property(
      fc.oneof(day, around),
      fc.constantFrom('once', 'year'),
      days,
      day,
      fc.nat({ max: 1_500 }),
      (date, every, offset, from, length) => {
        const expected: string[] = [];
        for (let ahead = 0; ahead <= length; ahead += 1) {
          const due = daysAfter(from, ahead);
          const origin = daysAfter(due, -offset);
          const sameDay =
            origin.slice(4) === date.slice(4) ||
            (date.endsWith('-02-29') && origin.endsWith('-02-28') && daysAfter(origin, 1).endsWith('-03-01'));
          if (every === 'once' ? origin === date : sameDay && origin >= date.slice(0, 4)) expected.push(due);
        }
        assert.deepEqual(occasionsWithin(date, { every, days: offset }, from, daysAfter(from, length)), expected);
        for (const due of [...expected, from]) {
          const dates = datesDueOn(due, { every, days: offset });
          const isDue = dates.some(({ key, last }) => date.endsWith(key) && date <= last);
          assert.equal(isDue, expected.includes(due), 'and those whose dates the day asks for');
        }
      },
    ),
    { numRuns: 300 },
  );
});

test('the moment of a day is when the clock of the zone shows the time', () => {
  assert.equal(moment('2026-07-01', '09:00', 'America/New_York'), '2026-07-01T13:00:00.000Z');
  assert.equal(moment('2026-01-01', '09:00', 'America/New_York'), '2026-01-01T14:00:00.000Z');
  assert.equal(moment('2026-01-01', '00:00', 'Asia/Kathmandu'), '2025-12-31T18:15:00.000Z');
  assert.equal(moment('2026-03-08', '02:30', 'America/New_York'), '2026-03-08T07:00:00.000Z', 'in the gap');
  assert.equal(moment('2026-11-01', '01:30', 'America/New_York'), '2026-11-01T05:30:00.000Z', 'the first of two');
  assert.equal(moment('2011-12-30', '09:00', 'Pacific/Apia'), '2011-12-30T10:00:00.000Z', 'a day that was left out');
});
