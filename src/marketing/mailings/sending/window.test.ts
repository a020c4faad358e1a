import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { nextOpening } from './window.ts';

const OFFICE = { from: 9 * 60, to: 17 * 60, days: [1, 2, 3, 4, 5], time_zone: 'UTC' };
const ZONES = ['UTC', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Apia', 'Europe/Berlin'];

function localOf(at: Date, timeZone: string) {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit' });
  return format.format(at).replace(',', '');
}

function opening(text: string, zone: string): string {
  return nextOpening(OFFICE, zone, new Date(text)).toISOString();
}

test('it is open within the hours, and otherwise opens with the first minute of them', () => {
  assert.equal(opening('2026-11-16T12:34:56Z', 'UTC'), '2026-11-16T12:34:56.000Z');
  assert.equal(opening('2026-11-16T17:00:00Z', 'UTC'), '2026-11-17T09:00:00.000Z');
  assert.equal(opening('2026-11-20T23:00:00Z', 'UTC'), '2026-11-23T09:00:00.000Z', 'over a weekend');
  assert.equal(opening('2026-11-16T02:00:00Z', 'Asia/Kathmandu'), '2026-11-16T03:15:00.000Z', 'UTC+5:45');
  assert.equal(
    opening('2026-03-06T23:00:00Z', 'America/New_York'),
    '2026-03-09T13:00:00.000Z',
    'the clocks went forward',
  );
});

test('a window that begins in an hour that does not exist opens when the clocks have been put forward', () => {
  const night = { ...OFFICE, from: 2 * 60 + 30, to: 4 * 60, days: [7] };
  assert.equal(
    nextOpening(night, 'America/New_York', new Date('2026-03-08T05:00:00Z')).toISOString(),
    '2026-03-08T07:00:00.000Z',
  );
});

test('a day on which the clocks go forward is not passed over late on its eve', () => {
  const eve = '2027-03-14T04:30:00Z'; // Saturday, 23:30
  const everyDay = { ...OFFICE, days: [1, 2, 3, 4, 5, 6, 7] };
  for (const window of [everyDay, { ...OFFICE, days: [7] }]) {
    assert.equal(nextOpening(window, 'America/New_York', new Date(eve)).toISOString(), '2027-03-14T13:00:00.000Z');
  }
});

test('a window in the hour that does not exist this week opens a week later, and not meanwhile', () => {
  const night = { ...OFFICE, from: 2 * 60, to: 3 * 60, days: [7] };
  assert.equal(
    nextOpening(night, 'America/New_York', new Date('2027-03-09T12:00:00Z')).toISOString(),
    '2027-03-21T06:00:00.000Z',
  );
});

test('the opening is never before now, is within the window, and nothing before it is', () => {
  const window = fc
    .tuple(
      fc.integer({ min: 0, max: 1438 }),
      fc.integer({ min: 1, max: 1440 }),
      fc.subarray([1, 2, 3, 4, 5, 6, 7], { minLength: 1 }),
    )
    .filter(([from, to]) => to > from)
    .map(([from, to, days]) => ({ from, to, days, time_zone: 'UTC' }));
  const moment = fc.date({ min: new Date('2025-01-01'), max: new Date('2027-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(window, fc.constantFrom(...ZONES), moment, (given, zone, now) => {
      const opens = nextOpening(given, zone, now);
      assert.ok(opens >= now);
      const again = nextOpening(given, zone, opens);
      assert.equal(again.getTime(), opens.getTime(), `open at ${localOf(opens, zone)}`);
      if (opens > now) {
        const before = new Date(opens.getTime() - 60_000);
        assert.ok(
          before < now || nextOpening(given, zone, before).getTime() !== before.getTime(),
          'closed a minute before',
        );
      }
    }),
    { numRuns: 200 },
  );
});
