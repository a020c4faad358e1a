import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { localTime } from '../../local-time.ts';
import { afterSpan, nextUntil } from './delay.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Days around which clocks are put forward or back, and ordinary ones. */
const CHANGES = [
  ['America/New_York', '2026-03-08'],
  ['America/New_York', '2026-11-01'],
  ['Europe/Berlin', '2026-03-29'],
  ['Europe/Berlin', '2026-10-25'],
  ['Australia/Lord_Howe', '2026-04-05'],
  ['Australia/Lord_Howe', '2026-10-04'],
  ['Africa/Casablanca', '2026-02-15'],
  ['Africa/Casablanca', '2026-03-22'],
  ['America/Sao_Paulo', '2018-11-04'],
  ['America/St_Johns', '2006-10-29'],
  ['America/Nuuk', '2026-03-28'],
  ['Pacific/Apia', '2011-12-30'],
  ['Asia/Kathmandu', '2026-05-01'],
  ['UTC', '2026-03-29'],
] as const;
const ZONES = [...new Set(CHANGES.map(([zone]) => zone))];

const moment = fc.date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true });
const weekday = fc.integer({ min: 1, max: 7 });
const time = fc.integer({ min: 0, max: 24 * 60 - 1 }).map((minute) => timeAt(minute * MINUTE));

function timeAt(local: number): string {
  return new Date(local).toISOString().slice(11, 16);
}

function weekdayAt(local: number): number {
  return new Date(local).getUTCDay() || 7;
}

function after(from: string, span: Parameters<typeof afterSpan>[1], timeZone = 'UTC'): string {
  return afterSpan(new Date(from), span, timeZone).toISOString();
}

function next(from: string, until: Parameters<typeof nextUntil>[1], timeZone: string): string {
  return nextUntil(new Date(from), until, timeZone).toISOString();
}

test('months end with the last day of a shorter month, and come before weeks and days', () => {
  assert.equal(after('2026-01-31T10:00:00.123Z', { months: 1 }), '2026-02-28T10:00:00.123Z');
  assert.equal(after('2028-01-31T10:00:00Z', { months: 1 }), '2028-02-29T10:00:00.000Z', 'in a leap year');
  assert.equal(after('2028-02-29T10:00:00Z', { months: 12 }), '2029-02-28T10:00:00.000Z');
  assert.equal(after('2026-01-31T10:00:00Z', { months: 2 }), '2026-03-31T10:00:00.000Z');
  assert.equal(after('2026-11-30T10:00:00Z', { months: 3 }), '2027-02-28T10:00:00.000Z', 'over the end of a year');
  assert.equal(after('2026-01-31T10:00:00Z', { months: 1, days: 1 }), '2026-03-01T10:00:00.000Z');
  assert.equal(after('2026-01-01T10:00:00Z', { weeks: 2, days: 3 }), '2026-01-18T10:00:00.000Z');
  assert.equal(
    after('2026-02-01T03:00:00Z', { months: 1 }, 'America/New_York'),
    '2026-03-01T03:00:00.000Z',
    'the 31st of January is by the calendar of the zone',
  );
});

test('days keep the time of day where clocks are put forward or back, and hours do not', () => {
  const zone = 'America/New_York';
  assert.equal(after('2026-03-07T14:00:00Z', { days: 1 }, zone), '2026-03-08T13:00:00.000Z');
  assert.equal(after('2026-03-07T14:00:00Z', { hours: 24 }, zone), '2026-03-08T14:00:00.000Z');
  assert.equal(after('2026-10-31T13:00:00Z', { weeks: 1 }, zone), '2026-11-07T14:00:00.000Z');
  assert.equal(after('2026-03-07T07:30:00Z', { days: 1 }, zone), '2026-03-08T07:00:00.000Z', 'into the gap');
  assert.equal(
    after('2026-03-07T07:30:00Z', { days: 1, hours: 1, minutes: 5 }, zone),
    '2026-03-08T08:05:00.000Z',
    'hours and minutes are counted from its end',
  );
  assert.equal(after('2026-10-31T05:30:00Z', { days: 1 }, zone), '2026-11-01T05:30:00.000Z', 'the first of two');
});

test('an empty span and one of minutes begin where they begin, also in an hour that is shown twice', () => {
  for (const from of ['2026-11-01T05:30:00.000Z', '2026-11-01T06:30:00.000Z']) {
    assert.equal(after(from, {}, 'America/New_York'), from);
    assert.equal(after(from, { days: 0 }, 'America/New_York'), from);
    assert.equal(Date.parse(after(from, { minutes: 7 }, 'America/New_York')), Date.parse(from) + 7 * MINUTE);
  }
});

test('no span is over before it began', () => {
  assert.equal(after('2026-01-01T00:00:00Z', { days: -3 }), '2026-01-01T00:00:00.000Z');
  assert.equal(after('2026-01-01T00:00:00Z', { minutes: -3 }), '2026-01-01T00:00:00.000Z');
  assert.equal(after('2300-01-01T00:00:00Z', { days: 1 }), '2300-01-01T00:00:00.000Z', 'later than anybody waits');
});

test('nobody waits beyond the year 2200, however long the span is', () => {
  for (const span of [{ months: 2_400 }, { months: 1e300 }, { weeks: 1e300 }, { days: 1e9 }, { hours: 1e300 }]) {
    assert.equal(after('2026-01-01T00:00:00Z', span, 'Pacific/Kiritimati'), '2200-01-01T00:00:00.000Z');
  }
  assert.equal(after('2199-12-31T12:00:00Z', { days: 1 }, 'Pacific/Kiritimati'), '2200-01-01T00:00:00.000Z');
  assert.equal(after('2199-12-30T12:00:00Z', { days: 1 }, 'Pacific/Kiritimati'), '2199-12-31T12:00:00.000Z');
});

test('some days later it is the same time of day, or the first minute after a gap', () => {
  const days = fc.integer({ min: 1, max: 800 });
  fc.assert(
    fc.property(fc.constantFrom(...ZONES), moment, days, (zone, from, count) => {
      const wanted = localTime(from.getTime(), zone) + count * DAY;
      const due = afterSpan(from, { days: count }, zone).getTime();
      if (localTime(due, zone) === wanted) {
        for (const shift of [30, 60, 120]) {
          assert.notEqual(localTime(due - shift * MINUTE, zone), wanted, 'the first of two');
        }
      } else {
        assert.ok(localTime(due - 1, zone) < wanted && localTime(due, zone) > wanted, 'in a gap');
      }
    }),
    { numRuns: 2_000 },
  );
});

test('around every change of clocks some days later is found as by going through the minutes', () => {
  for (const [zone, day] of CHANGES) {
    for (let from = Date.parse(day) - 3 * DAY; from < Date.parse(day) + DAY; from += 15 * MINUTE) {
      const wanted = localTime(from, zone) + 2 * DAY;
      let due = wanted - 15 * 60 * MINUTE;
      while (localTime(due, zone) < wanted) due += 15 * MINUTE;
      const found = afterSpan(new Date(from), { days: 2 }, zone).getTime();
      assert.equal(found, due, `${zone} ${new Date(from).toISOString()}`);
    }
  }
});

test('a span is over no earlier than it began, and no earlier for being longer', () => {
  const part = fc.integer({ min: 0, max: 400 });
  const span = fc.record({ minutes: part, hours: part, days: part, weeks: part, months: part }, { requiredKeys: [] });
  fc.assert(
    fc.property(fc.constantFrom(...ZONES), moment, span, (zone, from, given) => {
      const due = afterSpan(from, given, zone);
      assert.ok(due >= from);
      assert.ok(afterSpan(from, { ...given, days: (given.days ?? 0) + 1 }, zone) >= due);
    }),
    { numRuns: 1_000 },
  );
});

test('the next time is strictly after now, and today where it is still to come', () => {
  const zone = 'Europe/Berlin';
  assert.equal(next('2026-07-01T06:59:59.999Z', { time: '09:00' }, zone), '2026-07-01T07:00:00.000Z');
  assert.equal(next('2026-07-01T07:00:00.000Z', { time: '09:00' }, zone), '2026-07-02T07:00:00.000Z');
  assert.equal(next('2026-07-01T07:00:00.001Z', { time: '09:00' }, zone), '2026-07-02T07:00:00.000Z');
  assert.equal(next('2026-07-01T22:30:00Z', { time: '00:00' }, zone), '2026-07-02T22:00:00.000Z');
  assert.equal(next('2026-07-01T06:00:00Z', { time: '09:00', weekday: 3 }, zone), '2026-07-01T07:00:00.000Z');
  assert.equal(next('2026-07-01T07:00:00Z', { time: '09:00', weekday: 3 }, zone), '2026-07-08T07:00:00.000Z');
  assert.equal(next('2026-07-01T07:00:00Z', { time: '09:00', weekday: 7 }, zone), '2026-07-05T07:00:00.000Z');
  assert.equal(next('2026-07-01T07:00:00Z', { time: '09:00', weekday: 2 }, zone), '2026-07-07T07:00:00.000Z');
  assert.equal(
    next('2026-06-30T23:00:00Z', { time: '09:00', weekday: 3 }, zone),
    '2026-07-01T07:00:00.000Z',
    'where it is Wednesday already',
  );
});

test('a time that does not exist comes after the gap, and one that is shown twice comes once', () => {
  const zone = 'America/New_York';
  assert.equal(next('2026-03-08T05:00:00Z', { time: '02:30' }, zone), '2026-03-08T07:00:00.000Z');
  assert.equal(next('2026-03-08T07:00:00Z', { time: '02:30' }, zone), '2026-03-09T06:30:00.000Z');
  assert.equal(next('2026-03-08T05:00:00Z', { time: '02:30', weekday: 7 }, zone), '2026-03-08T07:00:00.000Z');
  assert.equal(next('2026-11-01T05:00:00Z', { time: '01:30' }, zone), '2026-11-01T05:30:00.000Z');
  assert.equal(next('2026-11-01T05:30:00Z', { time: '01:30' }, zone), '2026-11-02T06:30:00.000Z');
  assert.equal(
    next('2026-03-29T00:30:00Z', { time: '23:30', weekday: 6 }, 'America/Nuuk'),
    '2026-03-29T01:00:00.000Z',
    'a gap that ends with the next day',
  );
  assert.equal(
    next('2006-10-29T03:00:00Z', { time: '00:00' }, 'America/St_Johns'),
    '2006-10-30T03:30:00.000Z',
    'a day that has begun, is over and begins again',
  );
  assert.equal(
    next('2011-12-29T20:00:00Z', { time: '09:00', weekday: 5 }, 'Pacific/Apia'),
    '2011-12-30T10:00:00.000Z',
    'a day that was left out',
  );
});

test('the next time is the one found by going through the minutes', () => {
  const around = CHANGES.map(([zone, day]) => ({ zone, minutes: newMinutes(zone, Date.parse(day)) }));
  const offset = fc.integer({ min: -5 * 24 * 60, max: 2 * 24 * 60 });
  const aim = fc.record({ weekday: fc.option(weekday, { nil: undefined }), at: fc.nat() });
  fc.assert(
    fc.property(fc.constantFrom(...around), offset, fc.nat({ max: 59_999 }), aim, ({ zone, minutes }, ago, ms, to) => {
      const from = minutes.middle + ago * MINUTE + ms;
      // Often a time near the change, at which the clocks look odd.
      const wanted = to.at % 2 === 0 ? timeAt(minutes.oddest + ((to.at % 180) - 90) * MINUTE) : timeAt(to.at * MINUTE);
      const until = to.weekday === undefined ? { time: wanted } : { time: wanted, weekday: to.weekday };
      const expected = minutes.shown.find(
        (shown) =>
          shown.at > from && shown.time === wanted && (to.weekday === undefined || shown.weekday === to.weekday),
      );
      const found = nextUntil(new Date(from), until, zone).getTime();
      assert.equal(found, expected?.at, `${zone} ${new Date(from).toISOString()} ${JSON.stringify(until)}`);
    }),
    { numRuns: 1_500 },
  );
});

test('the next time is always found within eight days', () => {
  fc.assert(
    fc.property(fc.constantFrom(...ZONES), moment, weekday, time, (zone, from, day, at) => {
      const any = nextUntil(from, { time: at }, zone);
      const onDay = nextUntil(from, { time: at, weekday: day }, zone);
      assert.ok(from < any && any <= onDay);
      assert.ok(onDay.getTime() <= from.getTime() + 8 * DAY);
    }),
    { numRuns: 1_000 },
  );
});

/** Every local minute around a day, with the first moment at which clocks show it or have just jumped over it. */
function newMinutes(zone: string, middle: number) {
  const shown: { at: number; time: string; weekday: number }[] = [];
  let oddest = middle;
  let highest = localTime(middle - 7 * DAY, zone);
  for (let at = middle - 7 * DAY + MINUTE; at < middle + 11 * DAY; at += MINUTE) {
    const local = localTime(at, zone);
    if (local !== highest + MINUTE && oddest === middle) oddest = local;
    while (highest < local) {
      highest += MINUTE;
      shown.push({ at, time: timeAt(highest), weekday: weekdayAt(highest) });
    }
  }
  return { shown, middle, oddest };
}
