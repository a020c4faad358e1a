import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { withConnection } from '../../src/platform/db/pool.ts';
import { addList, addMailing, addPerson, ask } from '../mailings/mailing.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { addForm } from '../support/forms.ts';
import { createEngine } from './engine.ts';

const MONDAY_NOON = new Date('2026-11-16T12:00:00Z');
const DAY = 24 * 3600_000;

async function start(t: TestContext) {
  const clock = createMovableClock(MONDAY_NOON);
  const app = await startApp(t, { clock });
  const customer = await app.createCustomer();
  return { clock, app, customer };
}

type Fields = Record<string, unknown>;

async function addDrip(app: TestApp, customer: TestCustomer, fields: Fields): Promise<string> {
  const drip_campaign = { name: 'Welcome', ...fields };
  return (await ask(app, customer, 'POST', '/drip_campaigns', { drip_campaign })).body.data.id;
}

async function simulate(app: TestApp, customer: TestCustomer, id: string, body: Fields) {
  return (await ask(app, customer, 'POST', `/drip_campaigns/${id}/simulate`, body)).body.data;
}

/** How many rows each table of the customer has, to see that nothing stays behind. */
async function rowsOf({ installation }: TestApp): Promise<Record<string, number>> {
  return withConnection(installation.ownerUrl, async (client) => {
    const { rows: tables } = await client.query(
      `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition and c.relname not in ('audit_log', 'rate_counts', 'key_usage')
       order by 1`,
    );
    const counts: Record<string, number> = {};
    for (const { name } of tables) {
      await client.query(`alter table ${name} no force row level security`).catch(() => {});
      counts[name] = (await client.query(`select count(*)::int as n from ${name}`)).rows[0].n;
    }
    return counts;
  });
}

test('the time machine tells who would get what and when, and leaves nothing behind', async (t) => {
  const { app, customer } = await start(t);
  const [welcome, reminder, thanks] = [
    await addMailing(app, customer, { default_subject: 'Welcome' }),
    await addMailing(app, customer, { default_subject: 'Still there?' }),
    await addMailing(app, customer, { default_subject: 'Thank you' }),
  ];
  const listId = await addList(app, customer, []);
  const other = await addList(app, customer, [], 'Engaged');
  const known = await addPerson(app, customer, { email: 'known@example.com', time_zone: 'America/New_York' }, listId);
  const id = await addDrip(app, customer, {
    subscription_list_id: listId,
    steps: [
      { id: 'welcome', type: 'email', campaign_mailing_id: welcome },
      { id: 'morning', type: 'delay', until: { weekday: 5, time: '09:00' } },
      {
        id: 'opened',
        type: 'branch',
        if: { opened: welcome },
        then: [
          { id: 'join', type: 'list', add: other },
          { id: 'thanks', type: 'email', campaign_mailing_id: thanks, subject: 'Thanks a lot' },
        ],
        else: [{ id: 'remind', type: 'email', campaign_mailing_id: reminder }],
      },
      { id: 'call', type: 'webhook', url: 'https://example.org/hook' },
    ],
  });
  const before = await rowsOf(app);
  const { people, complete } = await simulate(app, customer, id, {
    start_at: '2027-03-01T08:00:00Z',
    people: [
      { subscriber_id: known },
      { first_name: 'Made up', time_zone: 'Europe/Berlin' },
      { email: 'third@example.com' },
    ],
    events: [{ person: 1, after: { hours: 3 }, event: 'opened', campaign_mailing_id: welcome }],
  });
  assert.equal(complete, true);
  assert.deepEqual(
    people.map(({ mails }: { mails: Fields[] }) => mails),
    [
      [
        { step: 'welcome', at: '2027-03-01T08:00:00.000Z', campaign_mailing_id: welcome, subject: 'Welcome' },
        { step: 'remind', at: '2027-03-05T14:00:00.000Z', campaign_mailing_id: reminder, subject: 'Still there?' },
      ],
      [
        { step: 'welcome', at: '2027-03-01T08:00:00.000Z', campaign_mailing_id: welcome, subject: 'Welcome' },
        { step: 'thanks', at: '2027-03-05T08:00:00.000Z', campaign_mailing_id: thanks, subject: 'Thanks a lot' },
      ],
      [
        { step: 'welcome', at: '2027-03-01T08:00:00.000Z', campaign_mailing_id: welcome, subject: 'Welcome' },
        { step: 'remind', at: '2027-03-05T09:00:00.000Z', campaign_mailing_id: reminder, subject: 'Still there?' },
      ],
    ],
  );
  assert.deepEqual(
    people[1].path.map(({ step, outcome }: Fields) => [step, outcome]),
    [
      ['welcome', null],
      ['morning', null],
      ['opened', 'then'],
      ['join', null],
      ['thanks', null],
      ['call', null],
    ],
  );
  assert.deepEqual(
    people.map(({ subscriber_id, state }: Fields) => [subscriber_id, state]),
    [
      [known, 'completed'],
      [null, 'completed'],
      [null, 'completed'],
    ],
  );
  assert.deepEqual(await rowsOf(app), before);
});

test('what the time machine tells is what the engine does', async (t) => {
  const { app, customer, clock } = await start(t);
  const engine = createEngine(t, app, clock);
  const mailing = await addMailing(app, customer);
  const listId = await addList(app, customer, []);
  const steps = [
    { type: 'delay', days: 1 },
    {
      type: 'wait',
      for: { event: 'booked' },
      timeout: { weeks: 1 },
      else: [{ type: 'email', campaign_mailing_id: mailing }],
    },
    { type: 'delay', until: { time: '07:30' } },
    { type: 'email', campaign_mailing_id: mailing },
  ];
  const id = await addDrip(app, customer, { subscription_list_id: listId, steps, time_zone: 'Asia/Tokyo' });
  await ask(app, customer, 'POST', `/drip_campaigns/${id}/start`);
  const foretold = await simulate(app, customer, id, { people: [{ email: 'a@example.com' }] });
  await addPerson(app, customer, { email: 'a@example.com' }, listId);
  for (let next = await engine.settle(); next !== null; next = await engine.settle()) {
    clock.advance(next.getTime() - clock.now().getTime());
  }
  const { rows } = await withConnection(app.installation.ownerUrl, async (client) => {
    await client.query(`set carepost.customers = '{${customer.id}}'`);
    await client.query('set role carepost_worker');
    return client.query('select step, at, outcome from drip_visits order by number');
  });
  assert.deepEqual(
    foretold.people[0].path,
    rows.map(({ step, at, outcome }) => ({ step, at: at.toISOString(), outcome })),
  );
});

test('a sample of the list, opens and clicks can be assumed, and steps be tried before they are saved', async (t) => {
  const { app, customer } = await start(t);
  const mailing = await addMailing(app, customer);
  const listId = await addList(app, customer, ['one@example.com', 'two@example.com', 'three@example.com']);
  const id = await addDrip(app, customer, { subscription_list_id: listId });
  const steps = [
    { id: 'mail', type: 'email', campaign_mailing_id: mailing },
    { id: 'wait', type: 'wait', for: { clicked: mailing }, timeout: { days: 3 } },
  ];
  const patient = [steps[0], { id: 'read', type: 'wait', for: { opened: mailing }, timeout: { days: 3 } }];
  assert.equal(
    (
      await app.request('POST', `/v1/marketing/drip_campaigns/${id}/simulate`, {
        key: customer.key,
        body: { sample: 1 },
      })
    ).status,
    409,
  );
  const outcomes = async (assumed: Fields) => {
    const { people } = await simulate(app, customer, id, { steps, sample: 2, ...assumed });
    return people.map(({ path, ended_at }: { path: Fields[]; ended_at: string }) => [
      path.at(-1)?.outcome,
      (Date.parse(ended_at) - MONDAY_NOON.getTime()) / 3600_000,
    ]);
  };
  assert.deepEqual(await outcomes({}), [
    ['else', 72],
    ['else', 72],
  ]);
  assert.deepEqual(await outcomes({ opens: true }), [
    ['else', 72],
    ['else', 72],
  ]);
  for (const assumed of [{ clicks: true }, { steps: patient, opens: true }, { steps: patient, clicks: true }]) {
    assert.deepEqual(await outcomes(assumed), [
      ['then', 1],
      ['then', 1],
    ]);
  }
  assert.equal((await ask(app, customer, 'GET', `/drip_campaigns/${id}`)).body.data.attributes.steps.length, 0);
});

const mail = (mailing: string) => ({ type: 'email', campaign_mailing_id: mailing });
const waitFor = (event: string) => ({ id: event, type: 'wait', for: { event }, timeout: { days: 3 } });

test('waits that name no mailing and no form are led on by the mail before them and by any form', async (t) => {
  const { app, customer } = await start(t);
  const [one, other] = [await addMailing(app, customer), await addMailing(app, customer, { subject: 'Other' })];
  const form = await addForm(app, customer.id);
  const listId = await addList(app, customer, ['one@example.com']);
  const id = await addDrip(app, customer, { subscription_list_id: listId });
  const outcomesBy = async (last: string, ...events: Fields[]) => {
    const steps = [mail(one), mail(last), waitFor('opened'), waitFor('form_submitted')];
    const assumed = events.map((event, index) => ({ after: { hours: index + 1 }, ...event }));
    const { people } = await simulate(app, customer, id, { steps, sample: 1, events: assumed });
    return people[0].path.slice(2).map(({ outcome }: Fields) => outcome);
  };
  const opened = { event: 'opened', campaign_mailing_id: one };
  assert.deepEqual(await outcomesBy(one, opened, { event: 'form_submitted', form_id: form }), ['then', 'then']);
  assert.deepEqual(await outcomesBy(one, opened, { event: 'form_submitted' }), ['then', 'then']);
  assert.deepEqual(await outcomesBy(one, opened, { event: 'paid' }), ['then', 'else']);
  assert.deepEqual(await outcomesBy(other, opened), ['else', 'else'], 'the first mail is not the one before it');
});

test('who would not enter is told so, and others are not led', async (t) => {
  const { app, customer } = await start(t);
  const listId = await addList(app, customer, []);
  const stranger = await addPerson(app, customer, { email: 'stranger@example.com' });
  const id = await addDrip(app, customer, { subscription_list_id: listId, steps: [{ type: 'delay', days: 1 }] });
  const { people } = await simulate(app, customer, id, { people: [{ subscriber_id: stranger }] });
  assert.deepEqual([people[0].enters, people[0].path], [false, []]);
});

test('people who are made up are on the list, also where it wants a confirmation', async (t) => {
  const { app, customer } = await start(t);
  const list = { subscription_list: { name: 'Careful', double_opt_in: true } };
  const listId = (await ask(app, customer, 'POST', '/subscription_lists', list)).body.data.id;
  const out = await addPerson(app, customer, { email: 'out@example.com' }, listId);
  await ask(app, customer, 'POST', '/subscriptions/unsubscribe', { subscriber_ids: [out] });
  const id = await addDrip(app, customer, {
    subscription_list_id: listId,
    steps: [{ type: 'email', campaign_mailing_id: await addMailing(app, customer) }],
  });
  const before = await rowsOf(app);
  const { people } = await simulate(app, customer, id, {
    people: [{ first_name: 'Made up' }, { email: 'third@example.com' }, { email: 'out@example.com' }],
  });
  assert.deepEqual(
    people.map(({ state, mails }: { state: string; mails: Fields[] }) => [state, mails.length]),
    [
      ['completed', 1],
      ['completed', 1],
      [null, 0],
    ],
  );
  assert.deepEqual(await rowsOf(app), before);
});

test('the time that a trial runs is bounded', async (t) => {
  const { app, customer } = await start(t);
  const listId = await addList(app, customer, []);
  const id = await addDrip(app, customer, {
    subscription_list_id: listId,
    steps: [
      { id: 'again', type: 'delay', days: 1 },
      { type: 'goto', step: 'again' },
    ],
  });
  const until = new Date(MONDAY_NOON.getTime() + 10 * DAY).toISOString();
  const { people, ran_until } = await simulate(app, customer, id, { people: [{}], until });
  assert.equal(people[0].path.length, 11);
  assert.equal(ran_until, until);
});

test('each mistake in a trial names its field', async (t) => {
  const { app, customer } = await start(t);
  const stranger = await app.createCustomer();
  const id = await addDrip(app, customer, { steps: [{ type: 'delay', days: 1 }] });
  const foreign = await addPerson(app, stranger, { email: 'foreign@example.com' });
  const refusal = async (body: Fields, path = id) => {
    const reply = await app.request('POST', `/v1/marketing/drip_campaigns/${path}/simulate`, {
      key: customer.key,
      body,
    });
    return [reply.status, Object.keys(reply.body.details)[0]];
  };
  const people = [{}];
  assert.deepEqual(await refusal({}), [400, 'people']);
  assert.deepEqual(await refusal({ people: Array.from({ length: 51 }, () => ({})) }), [400, 'people']);
  assert.deepEqual(await refusal({ sample: 51 }), [400, 'sample']);
  assert.deepEqual(await refusal({ people, start_at: '1969-12-31T23:59:59Z' }), [400, 'start_at']);
  assert.deepEqual(await refusal({ people, start_at: '2100-01-01T00:00:01Z' }), [400, 'start_at']);
  assert.deepEqual(await refusal({ people, start_at: 'tomorrow' }), [400, 'start_at']);
  assert.deepEqual(await refusal({ people, start_at: '2027-02-30T08:00:00Z' }), [400, 'start_at']);
  assert.deepEqual(await refusal({ people, until: '2026-01-01T00:00:00Z' }), [400, 'until']);
  assert.deepEqual(await refusal({ people: [{ time_zone: 'Mars/Olympus' }] }), [422, 'people[0].time_zone']);
  assert.deepEqual(await refusal({ people: [{ subscriber_id: foreign }] }), [403, 'people[0].subscriber_id']);
  for (const version of [9, 1e12, 0]) assert.deepEqual(await refusal({ people, version }), [404, 'version']);
  assert.deepEqual(await refusal({ people, steps: [{ type: 'delay' }] }), [400, 'drip_campaign.steps[0]']);
  assert.deepEqual(await refusal({ people, events: [{ after: { days: 0 }, event: 'x' }] }), [
    400,
    'events[0].after.days',
  ]);
  assert.deepEqual(await refusal({ people, events: [{ person: 1, after: { days: 1 }, event: 'x' }] }), [
    400,
    'events[0].person',
  ]);
});
