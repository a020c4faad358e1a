import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { instantOf, localTime, zoneOr } from './local-time.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Days around which clocks are put forward or back, by an hour, by half of one, by two, at midnight, by a whole day. */
const CHANGES = [
  ['America/New_York', '2026-03-08'],
  ['America/New_York', '2026-11-01'],
  ['Europe/Berlin', '2026-03-29'],
  ['Europe/Berlin', '2026-10-25'],
  ['Australia/Lord_Howe', '2026-04-05'],
  ['Australia/Lord_Howe', '2026-10-04'],
  ['Antarctica/Troll', '2026-03-29'],
  ['Antarctica/Troll', '2026-10-25'],
  ['Africa/Casablanca', '2026-02-15'],
  ['Africa/Casablanca', '2026-03-22'],
  ['America/Sao_Paulo', '2018-11-04'],
  ['America/St_Johns', '2006-10-29'],
  ['America/Nuuk', '2026-03-28'],
  ['Pacific/Apia', '2011-12-30'],
  ['Asia/Kathmandu', '1986-01-01'],
  ['UTC', '2026-03-29'],
] as const;

function instant(local: string, timeZone: string): string {
  return new Date(instantOf(Date.parse(`${local}Z`), timeZone)).toISOString();
}

/** The same by way of the date and the time that are shown. */
function shownBy(timeZone: string, at: number): number {
  const number = 'numeric' as const;
  const shown = { year: number, month: number, day: number, hour: number, minute: number, second: number };
  const clock = new Intl.DateTimeFormat('en-US', { timeZone, ...shown, hourCycle: 'h23' });
  const part = Object.fromEntries(clock.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = part;
  return Date.UTC(year, month - 1, day, hour, minute, second) + (((at % 1_000) + 1_000) % 1_000);
}

test('the local time is the date and time which Intl shows, in every zone', () => {
  const moment = fc.integer({ min: Date.UTC(1880, 0, 1), max: Date.UTC(2199, 0, 1) });
  fc.assert(
    fc.property(fc.constantFrom(...Intl.supportedValuesOf('timeZone')), moment, (zone, at) => {
      assert.equal(localTime(at, zone), shownBy(zone, at), `${zone} ${new Date(at).toISOString()}`);
    }),
    { numRuns: 1_500 },
  );
});

test('a local time that is shown once leads back to its moment, to the millisecond', () => {
  assert.equal(instant('2026-07-01T09:00:12.345', 'America/New_York'), '2026-07-01T13:00:12.345Z');
  assert.equal(instant('2026-01-01T09:00:12.345', 'America/New_York'), '2026-01-01T14:00:12.345Z');
  assert.equal(instant('2026-01-01T00:00', 'Asia/Kathmandu'), '2025-12-31T18:15:00.000Z');
  assert.equal(instant('2026-01-01T00:00', 'Pacific/Kiritimati'), '2025-12-31T10:00:00.000Z');
  assert.equal(instant('2026-01-01T00:00', 'Etc/GMT+12'), '2026-01-01T12:00:00.000Z');
  assert.equal(instant('1960-01-01T00:00', 'Africa/Monrovia'), '1960-01-01T00:44:30.000Z', 'an odd half minute');
});

test('a local time that does not exist becomes the first moment after the gap', () => {
  assert.equal(instant('2026-03-08T01:59:59.999', 'America/New_York'), '2026-03-08T06:59:59.999Z');
  assert.equal(instant('2026-03-08T02:00', 'America/New_York'), '2026-03-08T07:00:00.000Z');
  assert.equal(instant('2026-03-08T02:30:01.5', 'America/New_York'), '2026-03-08T07:00:00.000Z');
  assert.equal(instant('2026-03-08T02:59:59.999', 'America/New_York'), '2026-03-08T07:00:00.000Z');
  assert.equal(instant('2026-03-08T03:00', 'America/New_York'), '2026-03-08T07:00:00.000Z');
  assert.equal(instant('2026-10-04T02:15', 'Australia/Lord_Howe'), '2026-10-03T15:30:00.000Z');
  assert.equal(instant('2018-11-04T00:30', 'America/Sao_Paulo'), '2018-11-04T03:00:00.000Z');
  assert.equal(instant('2011-12-30T00:00', 'Pacific/Apia'), '2011-12-30T10:00:00.000Z', 'the whole day');
  assert.equal(instant('2011-12-30T23:59', 'Pacific/Apia'), '2011-12-30T10:00:00.000Z');
  assert.equal(instant('1972-01-07T00:30', 'Africa/Monrovia'), '1972-01-07T00:44:30.000Z');
});

test('a local time that is shown twice becomes the first of its two moments', () => {
  assert.equal(instant('2026-11-01T01:00', 'America/New_York'), '2026-11-01T05:00:00.000Z');
  assert.equal(instant('2026-11-01T01:59:59.999', 'America/New_York'), '2026-11-01T05:59:59.999Z');
  assert.equal(instant('2026-11-01T02:00', 'America/New_York'), '2026-11-01T07:00:00.000Z');
  assert.equal(instant('2026-04-05T01:45', 'Australia/Lord_Howe'), '2026-04-04T14:45:00.000Z');
  assert.equal(instant('2006-10-29T00:00', 'America/St_Johns'), '2006-10-29T02:30:00.000Z', 'and a day as well');
});

test('the moment of a local time is the first at which clocks show it or are past it', () => {
  for (const [zone, day] of CHANGES) {
    let highest = localTime(Date.parse(day) - 2 * DAY, zone);
    for (let at = Date.parse(day) - 2 * DAY + MINUTE; at < Date.parse(day) + 2 * DAY; at += MINUTE) {
      for (; highest < localTime(at, zone); highest += MINUTE) {
        assert.equal(instantOf(highest + MINUTE, zone), at, `${zone} ${new Date(highest + MINUTE).toISOString()}`);
      }
    }
  }
});

test('a zone that is not known is replaced by the other, and by UTC where that is not known either', () => {
  assert.equal(zoneOr('Asia/Tokyo', 'Europe/Berlin'), 'Asia/Tokyo');
  assert.equal(zoneOr(null, 'Europe/Berlin'), 'Europe/Berlin');
  assert.equal(zoneOr('', 'Europe/Berlin'), 'Europe/Berlin');
  assert.equal(zoneOr('Mars/Olympus', 'Europe/Berlin'), 'Europe/Berlin');
  assert.equal(zoneOr('Mars/Olympus', 'Europe/Berlin'), 'Europe/Berlin', 'when asked again');
  assert.equal(zoneOr('Mars/Olympus', 'Mars/Ares'), 'UTC');
  assert.throws(() => localTime(0, 'Mars/Olympus'), RangeError);
});

test('more names than are remembered do no harm', () => {
  for (let number = 0; number < 1_500; number += 1) assert.equal(zoneOr(`Mars/${number}`, 'Asia/Tokyo'), 'Asia/Tokyo');
  assert.equal(localTime(0, 'Asia/Tokyo'), 9 * 60 * MINUTE);
});
