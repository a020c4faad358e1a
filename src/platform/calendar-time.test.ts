import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDay, momentOf } from './calendar-time.ts';

test('a day is one of the calendar, from the year 1', () => {
  for (const day of ['0001-01-01', '1985-03-17', '2024-02-29', '9999-12-31']) assert.ok(isDay(day), day);
  for (const day of [
    '0000-01-01',
    '2023-02-29',
    '2026-04-31',
    '2026-13-01',
    '2026-00-10',
    '2026-1-1',
    '2026-01-01T',
    '',
  ])
    assert.ok(!isDay(day), day);
});

test('a moment has a day and an hour that there are', () => {
  assert.equal(momentOf('2027-02-28T10:00:00Z')?.toISOString(), '2027-02-28T10:00:00.000Z');
  assert.equal(momentOf('2027-02-28t10:00:00.5+02:00')?.toISOString(), '2027-02-28T08:00:00.500Z');
  assert.equal(momentOf('2027-02-28 10:00:00z')?.toISOString(), '2027-02-28T10:00:00.000Z');
  for (const text of [
    '2027-02-30T10:00:00Z',
    '2027-02-28T24:00:00Z',
    '2027-02-28T10:60:00Z',
    '2027-02-28T23:59:60Z',
    '2027-02-28T10:00:00',
    '2027-02-28T10:00:00+99:00',
    '0000-02-28T10:00:00Z',
    '2027-02-28',
  ]) {
    assert.equal(momentOf(text), null, text);
  }
});
