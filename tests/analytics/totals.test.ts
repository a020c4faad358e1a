import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { addMailing, addSend, addSubscriber, ask, type Mail, type Sent } from './sent.ts';

const TOTALS = 'analytics/campaign_mailing_send_totals';

let app: TestApp;
let customer: TestCustomer;
let first: Sent;
let second: Sent;

before(async (t) => {
  app = await startApp(t as TestContext);
  customer = await app.createCustomer();
  const people: string[] = [];
  for (let at = 0; at < 13; at += 1) people.push(await addSubscriber(app, customer, { email: `p${at}@example.com` }));
  const states: Omit<Mail, 'person'>[] = [
    // Opened by a machine as it came, by a person the next evening, clicked the day after that.
    {
      state: 'delivered',
      settled: '2026-03-01T10:00Z',
      machineOpens: 3,
      opened: '2026-03-02T23:30Z',
      clicked: '2026-03-04T01:00Z',
    },
    { state: 'delivered', settled: '2026-03-01T10:00Z', machineOpens: 1 },
    { state: 'delivered', settled: '2026-03-01T22:30Z', opened: '2026-03-01T22:45Z', left: '2026-03-01T22:50Z' },
    { state: 'delivered', settled: '2026-03-01T10:00Z', left: '2026-03-04T00:00Z', optedOut: true },
    { state: 'bounced', rule: 'soft_bounce', settled: '2026-03-01T10:00Z' },
    { state: 'bounced', rule: 'hard_bounce', settled: '2026-03-01T10:00Z' },
    { state: 'bounced', rule: 'hard_bounce', settled: '2026-03-04T10:00Z' },
    { state: 'suppressed', rule: 'hard_bounce', settled: '2026-03-01T10:00Z' },
    { state: 'excluded', rule: 'opted_out', settled: '2026-03-01T09:00Z' },
    { state: 'uncertain', settled: '2026-03-01T10:00Z' },
    { state: 'sent', rule: 'decided', settled: '2026-03-01T10:00Z' },
    { state: 'cancelled', settled: '2026-03-01T10:00Z' },
  ];
  const mails = states.map((mail, at) => ({ ...mail, person: people[at] as string }));
  first = await addSend(app, customer, mails);
  const open = { state: 'deferred', due: '2030-01-01T00:00Z' };
  const waiting = people.slice(0, 3).map((person) => ({ person, ...open }));
  const rest = [
    { person: people[3] as string, state: 'queued', due: '2030-01-01T00:00Z' },
    { person: people[4] as string, state: 'sending', due: '2030-01-01T00:00Z' },
    { person: people[5] as string, state: 'delivered', settled: '2026-03-10T10:00Z' },
  ];
  second = await addSend(app, customer, [...waiting, ...rest], { state: 'sending' });
});

const totals = async (query: object) => (await ask(app, customer, TOTALS, query)).body.data;

const FIRST = {
  sent: 8,
  delivered: 4,
  viewed: 2,
  machine_viewed: 2,
  clicked: 1,
  bounced: 3,
  soft_bounced: 1,
  hard_bounced: 2,
  unsubscribed: 1,
  global_unsubscribed: 1,
  suppressed: 1,
  excluded: 1,
  uncertain: 1,
};
const NOTHING = Object.fromEntries(Object.keys(FIRST).map((name) => [name, 0]));

test('without dates the kept counts are told, of a send, of a mailing or of all', async () => {
  const ofFirst = { ...FIRST, queued: 0, deferred: 0 };
  const ofSecond = { ...NOTHING, sent: 1, delivered: 1, queued: 2, deferred: 3 };
  assert.deepEqual(await totals({ campaign_mailing_send_id: first.sendId }), ofFirst);
  assert.deepEqual(await totals({ campaign_mailing_id: first.mailingId, email_type: 'campaign' }), ofFirst);
  assert.deepEqual(await totals({ campaign_mailing_send_id: second.sendId }), ofSecond);
  assert.deepEqual(await totals({}), { ...ofFirst, sent: 9, delivered: 5, queued: 2, deferred: 3 });
});

test('counting the ledger tells the same as the kept counts, but for what is of no day yet', async () => {
  assert.deepEqual(await totals({ campaign_mailing_send_id: first.sendId, start_date: '2026-01-01' }), FIRST);
  assert.deepEqual(await totals({ start_date: '2026-01-01' }), { ...FIRST, sent: 9, delivered: 5 });
});

test('a period takes its first and last day, or begins and ends at a moment', async () => {
  const query = { campaign_mailing_send_id: first.sendId };
  const fourth = { ...NOTHING, clicked: 1, global_unsubscribed: 1, sent: 1, bounced: 1, hard_bounced: 1 };
  assert.deepEqual(await totals({ ...query, start_date: '2026-03-04', end_date: '2026-03-04' }), fourth);
  assert.deepEqual(await totals({ ...query, start_date: '2026-03-02', end_date: '2026-03-03' }), {
    ...NOTHING,
    viewed: 1,
  });
  const moments = { start_date: '2026-03-04T00:00:00Z', end_date: '2026-03-04T02:00:00+01:00' };
  assert.deepEqual(await totals({ ...query, ...moments }), { ...NOTHING, global_unsubscribed: 1 });
  assert.deepEqual(await totals({ ...query, end_date: '2026-02-28' }), NOTHING);
});

test('by date there is a row for each day from the first to the last, days without anything too', async () => {
  const days = await totals({ campaign_mailing_send_id: first.sendId, by_date: true });
  assert.deepEqual(
    days.map(({ date, viewed, machine_viewed, clicked, sent }: Record<string, unknown>) => [
      date,
      viewed,
      machine_viewed,
      clicked,
      sent,
    ]),
    [
      ['2026-03-01', 1, 2, 0, 7],
      ['2026-03-02', 1, 0, 0, 0],
      ['2026-03-03', 0, 0, 0, 0],
      ['2026-03-04', 0, 0, 1, 1],
    ],
  );
  for (const name of Object.keys(FIRST) as (keyof typeof FIRST)[]) {
    const sum = days.reduce((all: number, day: typeof FIRST) => all + day[name], 0);
    assert.equal(sum, FIRST[name], name);
  }
  const later = { campaign_mailing_send_id: first.sendId, by_date: true, start_date: '2026-03-04' };
  assert.deepEqual(
    (await totals(later)).map(({ date }: { date: string }) => date),
    ['2026-03-04'],
  );
});

test('days begin where date_offset says', async () => {
  const datesOf = async (offset: string) => {
    const since = { by_date: true, start_date: '2026-02-01' };
    const query = { campaign_mailing_send_id: first.sendId, ...since, date_offset: offset };
    const days = (await totals(query)) as { date: string; viewed: number; clicked: number }[];
    return days.filter(({ viewed }) => viewed > 0).map(({ date }) => date);
  };
  assert.deepEqual(await datesOf('0'), ['2026-03-01', '2026-03-02']);
  for (const ahead of ['120', '+120', '+02:00']) assert.deepEqual(await datesOf(ahead), ['2026-03-02', '2026-03-03']);
  for (const behind of ['-720', '-12:00']) assert.deepEqual(await datesOf(behind), ['2026-03-01', '2026-03-02']);
  const query = { campaign_mailing_send_id: first.sendId, start_date: '2026-03-03', end_date: '2026-03-03' };
  assert.equal((await totals({ ...query, date_offset: '+02:00' })).viewed, 1);
  assert.equal((await totals(query)).viewed, 0);
});

test('without a period a plain number asks for so many days back', async (t) => {
  const clock = createMovableClock(new Date('2026-03-05T12:00:00Z'));
  const then = await startApp(t, { beside: app, clock });
  const datesOf = async (more: object) => {
    const query = { campaign_mailing_send_id: first.sendId, by_date: true, ...more };
    return (await ask(then, customer, TOTALS, query)).body.data.map(({ date }: { date: string }) => date);
  };
  assert.deepEqual(await datesOf({ date_offset: 1 }), ['2026-03-04']);
  assert.deepEqual(await datesOf({ date_offset: 3 }), ['2026-03-02', '2026-03-03', '2026-03-04']);
  const all = ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04'];
  for (const date_offset of ['3650', '0', '+00:00']) assert.deepEqual(await datesOf({ date_offset }), all, date_offset);
});

test('drips send nothing yet: none is known, and their mails are none', async () => {
  assert.equal((await ask(app, customer, TOTALS, { drip_campaign_id: 1 })).status, 404);
  assert.deepEqual(await totals({ email_type: 'drip' }), { ...NOTHING, queued: 0, deferred: 0 });
  assert.deepEqual(await totals({ email_type: 'drip', start_date: '2026-01-01' }), NOTHING);
  assert.deepEqual(await totals({ email_type: 'drip', by_date: 'true' }), []);
});

test('a mailing that was never sent counts nothing', async () => {
  const mailingId = await addMailing(app, customer);
  assert.deepEqual(await totals({ campaign_mailing_id: mailingId }), { ...NOTHING, queued: 0, deferred: 0 });
});

test('what is no date, period, offset, kind or size is refused by name, and never repeated', async () => {
  const wrong = {
    start_date: ['2026-02-30', '2026-1-1', 'yesterday', '2026-01-01T25:00:00Z', '2026-01-01 00:00:00'],
    end_date: ['2026-13-01', '99999-01-01'],
    date_offset: ['841', '+15:00', '02:60', 'Europe/Paris', '1:00'],
    email_type: ['letter'],
    min_cell: ['0', '101', '-1', '1.5', 'eleven'],
  };
  for (const [name, values] of Object.entries(wrong)) {
    for (const value of values) {
      const { status, body, text } = await ask(app, customer, TOTALS, { [name]: value });
      assert.deepEqual([status, Object.keys(body.details)], [400, [name]], value);
      assert.ok(!text.includes(`"${value}"`) && !text.includes(` ${value}`), value);
    }
  }
  const { status, body } = await ask(app, customer, TOTALS, { start_date: '2026-03-02', end_date: '2026-03-01' });
  assert.deepEqual([status, Object.keys(body.details)], [400, ['end_date']]);
});
