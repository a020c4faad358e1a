import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { changesOf } from '../consent/mailing.ts';
import { submitted } from '../submissions/submitting.ts';
import { addForm } from '../support/forms.ts';
import { addTo, HOUR, mail, mailsOf, openQuiet, type QuietScene, setClock, startDrip, whereIs } from './drip.ts';

type Fields = Record<string, unknown>;

let enter: (at?: string) => Promise<QuietScene>;
before(async (t) => {
  enter = await openQuiet(t as TestContext);
});

/** When somebody who begins to wait now, in a zone of theirs, is done with it. */
async function waitsUntil(scene: QuietScene, delay: Fields, zone: string | null, drip: Fields = {}): Promise<string> {
  const { marketing, engine } = scene;
  const list = await marketing.addList('One of many');
  const id = await startDrip(scene, [{ ...delay, id: 'nap', type: 'delay' }], { subscription_list_id: list, ...drip });
  const person = await marketing.addPerson(`somebody-${id}@example.com`, { time_zone: zone }, list);
  await engine.settle();
  return (await whereIs(scene, id, person)).replace('in nap until ', '');
}

test('a delay takes as long as it says, by the calendar of whoever waits', async () => {
  const scene = await enter('2026-10-31T05:30:00Z');
  const cases: [at: string, zone: string | null, delay: Fields, over: string][] = [
    // New York puts its clocks back in the night after this one.
    ['2026-10-31T05:30:00Z', 'America/New_York', { days: 1 }, '2026-11-01T05:30:00Z'],
    ['2026-10-31T16:00:00Z', 'America/New_York', { days: 1 }, '2026-11-01T17:00:00Z'],
    ['2026-10-31T16:00:00Z', 'America/New_York', { hours: 24 }, '2026-11-01T16:00:00Z'],
    ['2026-10-31T16:00:00Z', 'America/New_York', { weeks: 1 }, '2026-11-07T17:00:00Z'],
    ['2026-11-16T12:00:00Z', null, { minutes: 5 }, '2026-11-16T12:05:00Z'],
    ['2026-11-16T12:00:00Z', null, { hours: 3 }, '2026-11-16T15:00:00Z'],
    ['2026-11-16T12:00:00Z', null, { days: 2 }, '2026-11-18T12:00:00Z'],
    ['2026-11-16T12:00:00Z', null, { weeks: 2 }, '2026-11-30T12:00:00Z'],
    ['2026-11-16T12:00:00Z', null, { months: 3 }, '2027-02-16T12:00:00Z'],
    ['2027-01-31T12:00:00Z', null, { months: 1 }, '2027-02-28T12:00:00Z'],
    ['2027-01-31T12:00:00Z', null, { months: 2 }, '2027-03-31T12:00:00Z'],
    // The last of January is already the first of February in Tokyo.
    ['2027-01-31T20:00:00Z', 'Asia/Tokyo', { months: 1 }, '2027-02-28T20:00:00Z'],
    // There is no half past two on the day after this one in New York, which puts its clocks forward.
    ['2027-03-13T07:30:00Z', 'America/New_York', { days: 1 }, '2027-03-14T07:00:00Z'],
    ['2027-03-13T17:00:00Z', 'America/New_York', { days: 1 }, '2027-03-14T16:00:00Z'],
    ['2028-01-31T12:00:00Z', null, { months: 1 }, '2028-02-29T12:00:00Z'],
  ];
  for (const [at, zone, delay, over] of cases) {
    setClock(scene.clock, at);
    assert.equal(await waitsUntil(scene, delay, zone), over, `${JSON.stringify(delay)} from ${at} in ${zone}`);
  }
});

test('a delay until a time of day ends when the clock of whoever waits shows it', async () => {
  const scene = await enter('2026-10-31T16:00:00Z');
  const friday = { until: { weekday: 'friday', time: '09:00' } };
  const cases: [at: string, zone: string | null, delay: Fields, over: string][] = [
    ['2026-10-31T16:00:00Z', 'America/New_York', { until: { time: '09:00' } }, '2026-11-01T14:00:00Z'],
    // The clocks show half past one twice, and the first time counts.
    ['2026-10-31T16:00:00Z', 'America/New_York', { until: { time: '01:30' } }, '2026-11-01T05:30:00Z'],
    ['2026-11-16T12:00:00Z', 'America/New_York', friday, '2026-11-20T14:00:00Z'],
    ['2026-11-16T12:00:00Z', 'Europe/Berlin', friday, '2026-11-20T08:00:00Z'],
    ['2026-11-16T12:00:00Z', null, friday, '2026-11-20T00:00:00Z'],
    ['2026-11-16T12:00:00Z', 'Asia/Kolkata', { until: { time: '17:29' } }, '2026-11-17T11:59:00Z'],
    ['2026-11-16T12:00:00Z', 'Asia/Kolkata', { until: { time: '17:31' } }, '2026-11-16T12:01:00Z'],
    // Now is not later than now.
    ['2026-11-16T12:00:00Z', 'UTC', { until: { weekday: 1, time: '12:00' } }, '2026-11-23T12:00:00Z'],
    ['2027-03-13T17:00:00Z', 'America/New_York', { until: { time: '02:30' } }, '2027-03-14T07:00:00Z'],
  ];
  for (const [at, zone, delay, over] of cases) {
    setClock(scene.clock, at);
    const found = await waitsUntil(scene, delay, zone, { time_zone: 'Asia/Tokyo' });
    assert.equal(found, over, `${JSON.stringify(delay)} from ${at} in ${zone}`);
  }
});

test('nobody goes on before the delay is over, and everybody then', async () => {
  const scene = await enter();
  const drip = await startDrip(scene, [
    mail(scene, 'hello'),
    { id: 'nap', type: 'delay', hours: 2 },
    mail(scene, 'two'),
  ]);
  await addTo(scene, 'ann');
  await scene.engine.settle();
  await scene.becomes('2026-11-16T13:59:59.999Z');
  assert.deepEqual(await mailsOf(scene, drip), ['ann hello queued']);
  assert.equal((await scene.engine.settle())?.toISOString(), '2026-11-16T14:00:00.000Z', 'when to look again');
  await scene.becomes('2026-11-16T14:00:00Z');
  assert.deepEqual(await mailsOf(scene, drip), ['ann hello queued', 'ann two queued']);
  const { data } = await scene.marketing.take('GET', `/drip_campaigns/${drip}`);
  assert.deepEqual([data.attributes.subscriber_count, data.attributes.subscriber_completed_count], [1, 1]);
});

test('a branch parts people by what is true of them when they come to it', async () => {
  const scene = await enter();
  const { marketing } = scene;
  const fields = ['Ward', 'Age'].map((name, index) => ({ name, kind: index === 0 ? 'text' : 'number' }));
  for (const field of fields) await marketing.take('POST', '/subscriber_custom_field_types', field);
  const rule = { name: 'Old', rule: '"Age" is more than 60' };
  const segment = (await marketing.take('POST', '/dynamic_lists', rule)).data.id;
  const arms = (id: string) => ({ then: [mail(scene, `${id}-yes`)], else: [mail(scene, `${id}-no`)] });
  const fork = (id: string, asked: Fields) => ({ id, type: 'branch', if: asked, ...arms(id) });
  const drip = await startDrip(scene, [
    { id: 'nap', type: 'delay', days: 1 },
    fork('name', { field: 'first_name', op: 'is', terms: ['Ann'] }),
    fork('ward', { field: 'Ward', value: '7' }),
    fork('either', {
      filters: [
        [{ field: 'Ward', op: 'is', terms: ['7'] }],
        [
          { field: 'first_name', op: 'is', terms: ['Ben'] },
          { field: 'Age', op: 'more_than', terms: ['60'] },
        ],
      ],
    }),
    fork('old', { segment }),
  ]);
  const ann = await addTo(scene, 'ann', { first_name: 'Ann', custom_fields: [{ Ward: '6' }, { Age: '60' }] });
  await addTo(scene, 'ben', { first_name: 'Ben', custom_fields: [{ Age: '61' }] });
  await scene.engine.settle();
  await addTo(scene, 'ann', { custom_fields: [{ Ward: '7' }] });
  // Whoever is on their way goes by the rule as it was.
  await marketing.take('PATCH', `/dynamic_lists/${segment}`, { name: 'Old', rule: '"Age" is more than 0' });
  await scene.becomes('2026-11-17T12:00:00Z');
  const mails = (await mailsOf(scene, drip)).map((line) => line.replace(' queued', ''));
  const of = (name: string) => mails.filter((line) => line.startsWith(name)).map((line) => line.split(' ')[1]);
  assert.deepEqual(of('ann'), ['name-yes', 'ward-yes', 'either-yes', 'old-no']);
  assert.deepEqual(of('ben'), ['name-no', 'ward-no', 'either-yes', 'old-yes']);
  assert.equal(await whereIs(scene, drip, ann), 'through');
});

test('a wait goes on one way when it happens and the other way when it does not', async () => {
  const scene = await enter();
  const { app, customer, marketing } = scene;
  const [other, third] = [await marketing.addList('Other'), await marketing.addList('Third')];
  const [form, another] = [await addForm(app, customer.id), await addForm(app, customer.id)];
  const [ann, ben] = [await addTo(scene, 'ann'), await addTo(scene, 'ben')];
  await marketing.take('POST', '/subscriptions', { subscription: { subscription_list_id: third, subscriber_id: ann } });
  const waits: [string, Fields, () => Promise<unknown>][] = [
    ['any-form', { event: 'form_submitted' }, () => fillIn(another)],
    ['form', { event: 'form_submitted', form_id: form }, () => fillIn(form)],
    ['joined', { event: 'joined', subscription_list_id: other }, () => join(other, ann)],
    ['left', { left: third }, () => leave(third, ann)],
    ['visit', { event: 'visit.booked' }, () => marketing.take('POST', '/drip_events', booked)],
    ['custom', { event: 'custom', name: 'paid' }, () => marketing.take('POST', '/drip_events', paid)],
  ];
  const fillIn = (id: string) => submitted(app, id, { form_data: { email: 'ann@example.com' } });
  const booked = { event: 'visit.booked', subscriber_id: ann };
  const paid = { event: 'paid', email: 'ann@example.com' };
  const join = (list: string, id: string) =>
    marketing.take('POST', '/subscriptions', { subscription: { subscription_list_id: list, subscriber_id: id } });
  const leave = (list: string, id: string) =>
    marketing.take('POST', '/subscriptions/unsubscribe', { subscriber_ids: [id], subscription_list_ids: [list] });

  // What happened before they waited for it does not count.
  await marketing.take('POST', '/drip_events', booked);
  const drips: string[] = [];
  for (const [id, what] of waits) {
    const step = { id, type: 'wait', for: what, timeout: { days: 2 } };
    const steps = [{ ...step, then: [mail(scene, 'yes')], else: [mail(scene, 'no')] }];
    const drip = await startDrip(scene, steps, { start_trigger: 'subscription_created' });
    drips.push(drip);
  }
  const endless = await startDrip(scene, [{ id: 'ever', type: 'wait', for: { event: 'never' } }, mail(scene, 'late')]);
  await leave(scene.list, ann);
  await marketing.take('POST', '/subscriptions/subscribe', {
    subscriber_ids: [ann],
    subscription_list_ids: [scene.list],
  });
  await addTo(scene, 'cara');
  await scene.engine.settle();
  for (const [index, [id, , happen]] of waits.entries()) {
    const drip = drips[index] as string;
    assert.equal(await whereIs(scene, drip, ann), `in ${id} until 2026-11-18T12:00:00Z`);
    assert.equal(await whereIs(scene, drip, ben), 'nowhere');
    scene.clock.advance(HOUR);
    await happen();
    await happen().catch(() => {});
    await scene.engine.settle();
    assert.deepEqual(await mailsOf(scene, drip), ['ann yes queued'], id);
    assert.equal(await whereIs(scene, drip, ann), 'through', id);
  }
  await scene.becomes('2026-11-18T11:59:59Z');
  for (const drip of drips) assert.equal((await mailsOf(scene, drip)).length, 1);
  await scene.becomes('2026-11-18T12:00:00Z');
  for (const drip of drips) assert.deepEqual(await mailsOf(scene, drip), ['ann yes queued', 'cara no queued']);
  // What comes too late changes nothing.
  await marketing.take('POST', '/drip_events', { event: 'paid', email: 'cara@example.com' });
  await scene.becomes('2030-01-01T00:00:00Z');
  assert.equal((await mailsOf(scene, drips.at(-1) as string)).length, 2);
  assert.equal(await whereIs(scene, endless, ann), 'in ever', 'nothing but the event takes them on');
  await marketing.take('POST', '/drip_events', { event: 'never', subscriber_id: ann });
  await scene.engine.settle();
  assert.deepEqual(await mailsOf(scene, endless), ['ann late queued']);
});

test('a step puts people on a list or takes them off, and brings nobody back who left', async () => {
  const scene = await enter();
  const { app, customer, marketing } = scene;
  const [other, third] = [await marketing.addList('Other'), await marketing.addList('Third')];
  const [ann, ben] = [await addTo(scene, 'ann'), await addTo(scene, 'ben')];
  const subscribe = { subscriber_ids: [ann, ben], subscription_list_ids: [other, third] };
  await marketing.take('POST', '/subscriptions/subscribe', subscribe);
  await marketing.take('POST', '/subscriptions/unsubscribe', { subscriber_ids: [ben], subscription_list_ids: [other] });
  await marketing.take('POST', '/subscriptions/unsubscribe', {
    subscriber_ids: [ann],
    subscription_list_ids: [scene.list],
  });
  const following = await startDrip(scene, [mail(scene, 'there')], { subscription_list_id: other });
  const drip = await startDrip(
    scene,
    [
      { id: 'on', type: 'list', add: other },
      { id: 'off', type: 'list', remove: third },
      mail(scene, 'told'),
      { id: 'away', type: 'list', remove: scene.list },
      { id: 'nap', type: 'delay', minutes: 1 },
      mail(scene, 'never'),
    ],
    { reentry: 'after_leaving' },
  );
  const again = { subscriber_ids: [ben], subscription_list_ids: [scene.list] };
  await marketing.take('POST', '/subscriptions/unsubscribe', again);
  await marketing.take('POST', '/subscriptions/subscribe', again);
  const cara = await addTo(scene, 'cara');
  await scene.becomes('2026-11-16T13:00:00Z');
  const listsOf = async (id: string) =>
    (await marketing.take('GET', `/subscribers/${id}`)).data.attributes.subscription_lists
      .filter((each: Fields) => each.unsubscribed === false)
      .map((each: Fields) => each.name)
      .filter((name: string) => name === 'Other' || name === 'Third');
  assert.deepEqual(await listsOf(cara), ['Other']);
  assert.deepEqual(await listsOf(ben), [], 'who left is not brought back');
  assert.deepEqual(await listsOf(ann), ['Other', 'Third'], 'who did not come to the step is left alone');
  assert.deepEqual((await mailsOf(scene, drip)).toSorted(), ['ben told excluded', 'cara told excluded']);
  assert.equal(await whereIs(scene, drip, cara), 'left as left_list');
  assert.deepEqual(await mailsOf(scene, following), ['cara there queued'], 'another drip hears of who joined');
  const byDrip = (await changesOf(app, customer)).filter(({ source }) => source === 'drip');
  assert.deepEqual(
    byDrip.map(({ change, list, evidence }) => [change, String(list), evidence]).filter(([, list]) => list === other),
    [['joined', other, { drip: Number(drip), step: 'on' }]],
  );
  const story = await marketing.take('GET', `/subscribers/${ben}/story`);
  assert.deepEqual(
    story.data.consent.filter((each: Fields) => each.source === 'drip').map((each: Fields) => each.change),
    ['left', 'left'],
  );
});

test('a step sets a field, or takes the value away, also of one about health', async () => {
  const scene = await enter();
  const { marketing } = scene;
  const make = (name: string, more: Fields = {}) =>
    marketing.take('POST', '/subscriber_custom_field_types', { name, ...more });
  await make('Stage');
  await make('Gone');
  await make('Finding', { class: 'phi' });
  const drip = await startDrip(scene, [
    { id: 'stage', type: 'field', name: 'Stage', value: 'welcomed' },
    { id: 'empty', type: 'field', name: 'Gone', value: '' },
    { id: 'finding', type: 'field', name: 'Finding', value: '' },
  ]);
  const ann = await addTo(scene, 'ann', {
    custom_fields: [{ Stage: 'new' }, { Gone: 'soon' }, { Finding: 'zq7-finding' }],
  });
  const ben = await marketing.addPerson('ben@example.com', { custom_fields: [{ Stage: 'new' }] });
  await scene.engine.settle();
  assert.equal(await whereIs(scene, drip, ann), 'through');
  const valuesOf = async (id: string) =>
    Object.fromEntries(
      (await marketing.take('GET', `/subscribers/${id}`)).data.attributes.custom_fields
        .filter((each: Fields) => each.custom_field_value !== null && each.custom_field_value !== '')
        .map((each: Fields) => [each.custom_field_name, each.custom_field_value]),
    );
  assert.deepEqual(await valuesOf(ann), { Stage: 'welcomed' });
  assert.deepEqual(await valuesOf(ben), { Stage: 'new' });
});

test('an exit ends the way of whoever comes to it', async () => {
  const scene = await enter();
  const drip = await startDrip(scene, [
    {
      id: 'known',
      type: 'branch',
      if: { field: 'first_name', op: 'is', terms: ['Ann'] },
      then: [mail(scene, 'bye'), { id: 'out', type: 'exit' }],
    },
    mail(scene, 'welcome'),
  ]);
  const [ann, ben] = [await addTo(scene, 'ann', { first_name: 'Ann' }), await addTo(scene, 'ben')];
  await scene.engine.settle();
  assert.deepEqual((await mailsOf(scene, drip)).toSorted(), ['ann bye queued', 'ben welcome queued']);
  assert.deepEqual(
    [await whereIs(scene, drip, ann), await whereIs(scene, drip, ben)],
    ['left as exit_step', 'through'],
  );
  const { data } = await scene.marketing.take('GET', `/drip_campaigns/${drip}`);
  assert.deepEqual([data.attributes.subscriber_count, data.attributes.subscriber_completed_count], [2, 1]);
});

test('whoever goes round a loop gets its mail each time, and once each time', async () => {
  const scene = await enter();
  const steps = [mail(scene, 'daily'), { id: 'nap', type: 'delay', days: 1 }, { type: 'goto', step: 'daily' }];
  const drip = await startDrip(scene, steps);
  const ann = await addTo(scene, 'ann');
  for (const day of [16, 17, 18]) {
    await scene.becomes(`2026-11-${day}T12:00:00Z`);
    await scene.engine.settle();
  }
  assert.deepEqual(await mailsOf(scene, drip), Array(3).fill('ann daily queued'));
  assert.equal(await whereIs(scene, drip, ann), 'in nap until 2026-11-19T12:00:00Z');
});
