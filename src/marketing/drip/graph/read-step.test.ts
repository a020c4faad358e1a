import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readStep } from './read-step.ts';
import { refusalOf } from './refusals.examples.ts';

const FORM = '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b';
const BARE_FORM = FORM.replaceAll('-', '').toUpperCase();

const branch = (asked: unknown) => ({ type: 'branch', if: asked });
const wait = (happening: unknown, more: object = {}) => ({ type: 'wait', for: happening, ...more });
const until = (time: unknown, weekday?: unknown) => ({ type: 'delay', until: { time, weekday } });
const webhook = (url: unknown) => ({ type: 'webhook', url });
const field = (name: unknown, value: unknown) => ({ type: 'field', name, value });
const email = (subject?: unknown) => ({ type: 'email', campaign_mailing_id: 1, subject });
const condition = (terms: unknown) => branch({ field: 'x', terms });
const nothing = wait({ event: 'custom', name: 'x' });

test('what a step does is read from everything that says it', () => {
  const opened = { event: 'opened', campaign_mailing_id: '17' };
  const joined = { event: 'joined', subscription_list_id: '3' };
  const cases: [object, object][] = [
    [{ type: 'exit', position: { x: 1, y: 2 }, colour: 'red' }, { type: 'exit' }],
    [email(), { type: 'email', campaign_mailing_id: '1' }],
    [email(null), { type: 'email', campaign_mailing_id: '1' }],
    [email('  '), { type: 'email', campaign_mailing_id: '1' }],
    [email(' Hi '), { type: 'email', campaign_mailing_id: '1', subject: 'Hi' }],
    [
      { type: 'delay', weeks: 2 },
      { type: 'delay', span: { weeks: 2 } },
    ],
    [
      { type: 'delay', span: { months: 1 }, days: null },
      { type: 'delay', span: { months: 1 } },
    ],
    [until('09:00'), { type: 'delay', until: { time: '09:00' } }],
    [until('23:59', 7), { type: 'delay', until: { weekday: 7, time: '23:59' } }],
    [until('00:00', 'MonDay'), { type: 'delay', until: { weekday: 1, time: '00:00' } }],
    [until('00:00', 'thu'), { type: 'delay', until: { weekday: 4, time: '00:00' } }],
    [
      { type: 'list', add: 3 },
      { type: 'list', add: '3' },
    ],
    [
      { type: 'list', remove: '3', add: null },
      { type: 'list', remove: '3' },
    ],
    [field(' a ', 1.5), field('a', '1.5')],
    [field('a', false), field('a', 'false')],
    [field('a', ''), field('a', '')],
    [webhook('HTTP://example.org/a'), webhook('HTTP://example.org/a')],
    [wait({ event: 'opened', campaign_mailing_id: 17 }), wait(opened)],
    [wait({ opened: '17' }), wait(opened)],
    [wait({ clicked: 17 }), wait({ event: 'clicked', campaign_mailing_id: '17' })],
    [wait({ form_submitted: BARE_FORM }), wait({ event: 'form_submitted', form_id: FORM })],
    [wait({ event: 'form_submitted', form_id: FORM }), wait({ event: 'form_submitted', form_id: FORM })],
    [wait({ event: 'form_submitted', form_id: null }), wait({ event: 'form_submitted' })],
    [wait({ joined: 3 }), wait(joined)],
    [wait({ event: 'subscription_created', subscription_list_id: 3 }), wait(joined)],
    [wait({ event: 'subscription', subscription_list_id: 3 }), wait(joined)],
    [wait({ left: 3 }), wait({ event: 'left', subscription_list_id: '3' })],
    [wait({ event: 'custom', name: 'opened' }), wait({ event: 'custom', name: 'opened' })],
    [wait({ event: 'visit.booked', name: 'x' }), wait({ event: 'custom', name: 'visit.booked' })],
    [wait({ event: '__proto__' }), wait({ event: 'custom', name: '__proto__' })],
    [
      { ...nothing, timeout: { days: 2, hours: 1 } },
      { ...nothing, timeout: { hours: 1, days: 2 } },
    ],
    [branch({ field: ' x ' }), branch({ field: 'x', op: 'is', terms: [] })],
    [branch({ field: 'x', value: 5 }), branch({ field: 'x', op: 'is', terms: ['5'] })],
    [
      branch({ field: 'x', op: 'between', terms: [1, 'b', true] }),
      branch({ field: 'x', op: 'between', terms: ['1', 'b', 'true'] }),
    ],
    [
      branch({ filters: [[{ field: 'x', value: 'y' }]] }),
      branch({ filters: [[{ field: 'x', op: 'is', terms: ['y'] }]] }),
    ],
    [branch({ segment: BARE_FORM }), branch({ segment: FORM })],
    [branch({ dynamic_list_id: FORM }), branch({ segment: FORM })],
    [branch({ opened: 17 }), branch({ opened: '17' })],
    [branch({ clicked: '17', opened: null }), branch({ clicked: '17' })],
  ];
  for (const [wire, own] of cases) assert.deepEqual(readStep('s', { ...wire }), own);
});

test('a step that is malformed is refused by its field', () => {
  const cases: [object, string][] = [
    [{}, 's.type'],
    [{ type: 'goto' }, 's.type'],
    [{ type: 'constructor' }, 's.type'],
    [{ type: ['email'] }, 's.type'],
    [{ type: 'email' }, 's.campaign_mailing_id'],
    ...[0, -1, 1.5, '017', '', '1e3', ' 1', 2 ** 53, '9007199254740992', '99999999999999999', true, [1]].map(
      (id): [object, string] => [{ type: 'email', campaign_mailing_id: id }, 's.campaign_mailing_id'],
    ),
    ...['a\nb', 'a\rb', 'a\0b', 'a\u2028b', '\ud800', 5, {}].map((text): [object, string] => [
      email(text),
      's.subject',
    ]),
    [{ type: 'delay' }, 's'],
    [{ type: 'delay', days: 1, hours: 1 }, 's'],
    [{ type: 'delay', days: 1, until: { time: '09:00' } }, 's'],
    [{ type: 'delay', span: { days: 1, hours: 1 } }, 's.span'],
    [{ type: 'delay', span: 5 }, 's.span'],
    [{ type: 'delay', until: '09:00' }, 's.until'],
    ...[0, -1, 1.5, '1', 2 ** 53, Number.NaN].map((n): [object, string] => [
      { type: 'delay', minutes: n },
      's.minutes',
    ]),
    ...['24:00', '9:00', '09:60', '09:00:00', '09:00\n', 9, null].map((time): [object, string] => [
      until(time),
      's.until.time',
    ]),
    ...[0, 8, 1.5, 'mo', 'mondays', '1', {}].map((day): [object, string] => [until('09:00', day), 's.until.weekday']),
    [{ type: 'list' }, 's'],
    [{ type: 'list', add: 1, remove: 2 }, 's'],
    [{ type: 'list', remove: 'x' }, 's.remove'],
    [field(' ', 'x'), 's.name'],
    [field(undefined, 'x'), 's.name'],
    [field('x', null), 's.value'],
    [field('x', ['y']), 's.value'],
    [field('x', '\0'), 's.value'],
    [field('x\0y', ''), 's.name'],
    ...['ftp://a.org', 'example.org', 'https://', 'https://a.org/{{email}}', '', 5, 'javascript:alert(1)'].map(
      (url): [object, string] => [webhook(url), 's.url'],
    ),
    [{ type: 'wait' }, 's.for'],
    [wait([]), 's.for'],
    [wait({}), 's.for'],
    [wait({ opened: 1, clicked: 1 }), 's.for'],
    [wait({ event: 'opened', left: 1 }), 's.for'],
    [wait({ event: 'opened', campaign_mailing_id: 'x' }), 's.for.campaign_mailing_id'],
    [wait({ event: 'joined' }), 's.for.subscription_list_id'],
    [wait({ opened: 'x' }), 's.for.opened'],
    [wait({ form_submitted: 5 }), 's.for.form_submitted'],
    [wait({ event: 'form_submitted', form_id: 'x' }), 's.for.form_id'],
    [wait({ event: '' }), 's.for.event'],
    [wait({ event: 'a b' }), 's.for.event'],
    [wait({ event: 5 }), 's.for.event'],
    [wait({ event: 'custom' }), 's.for.name'],
    [{ ...nothing, timeout: {} }, 's.timeout'],
    [{ ...nothing, timeout: 5 }, 's.timeout'],
    [{ ...nothing, timeout: { days: 0 } }, 's.timeout.days'],
    [{ type: 'branch' }, 's.if'],
    [branch({}), 's.if'],
    [branch('x'), 's.if'],
    [branch({ field: 'x', opened: 1 }), 's.if'],
    [branch({ segment: FORM, dynamic_list_id: FORM }), 's.if'],
    [branch({ segment: '1' }), 's.if.segment'],
    [branch({ dynamic_list_id: 1 }), 's.if.dynamic_list_id'],
    [branch({ opened: {} }), 's.if.opened'],
    [branch({ clicked: 0 }), 's.if.clicked'],
    [branch({ field: ' ' }), 's.if.field'],
    [branch({ field: 5 }), 's.if.field'],
    [branch({ field: 'x', op: 5 }), 's.if.op'],
    [branch({ field: 'x', terms: [], value: 'y' }), 's.if.value'],
    [branch({ field: 'x', value: {} }), 's.if.value'],
    [condition('y'), 's.if.terms'],
    [condition(['y', null]), 's.if.terms[1]'],
    [branch({ filters: {} }), 's.if.filters'],
    [branch({ filters: [] }), 's.if.filters'],
    [branch({ filters: [[]] }), 's.if.filters[0]'],
    [branch({ filters: [[{ field: 'x' }, 5]] }), 's.if.filters[0][1]'],
    [branch({ filters: [[{ field: 'x' }], [{}]] }), 's.if.filters[1][0].field'],
  ];
  for (const [wire, place] of cases) {
    const refusal = refusalOf(() => readStep('s', { ...wire }));
    assert.deepEqual([refusal?.code, refusal?.field], ['invalid_request', place], JSON.stringify(wire));
  }
});

const long = (length: number) => 'x'.repeat(length);
const terms = (count: number) => Array.from({ length: count }, () => 'y');
const groups = (count: number) => Array.from({ length: count }, () => [{ field: 'x' }]);

test('limits hold at what they say and not beyond', () => {
  const cases: [string, number, (size: number) => object][] = [
    ['s.subject', 255, (size) => email(long(size))],
    ['s.name', 255, (size) => field(long(size), '')],
    ['s.value', 1_000, (size) => field('x', long(size))],
    ['s.url', 2_048, (size) => webhook('https://a.org/'.padEnd(size, 'x'))],
    ['s.for.event', 64, (size) => wait({ event: long(size) })],
    ['s.for.name', 64, (size) => wait({ event: 'custom', name: long(size) })],
    ['s.minutes', 5_256_000, (size) => ({ type: 'delay', minutes: size })],
    ['s.hours', 87_600, (size) => ({ type: 'delay', hours: size })],
    ['s.days', 3_650, (size) => ({ type: 'delay', days: size })],
    ['s.weeks', 521, (size) => ({ type: 'delay', weeks: size })],
    ['s.months', 120, (size) => ({ type: 'delay', months: size })],
    ['s.timeout', 1, (size) => ({ ...nothing, timeout: { days: 3_649, hours: 23 + size } })],
    ['s.if.field', 255, (size) => branch({ field: long(size) })],
    ['s.if.op', 255, (size) => branch({ field: 'x', op: long(size) })],
    ['s.if.terms', 100, (size) => condition(terms(size))],
    ['s.if.terms[0]', 1_000, (size) => condition([long(size)])],
    ['s.if.value', 1_000, (size) => branch({ field: 'x', value: long(size) })],
    ['s.if.filters', 20, (size) => branch({ filters: groups(size) })],
    ['s.if.filters[0]', 20, (size) => branch({ filters: [groups(size).flat()] })],
  ];
  for (const [place, most, wire] of cases) {
    assert.equal(
      refusalOf(() => readStep('s', { ...wire(most) })),
      null,
      place,
    );
    assert.equal(refusalOf(() => readStep('s', { ...wire(most + 1) }))?.field, place);
  }
});
