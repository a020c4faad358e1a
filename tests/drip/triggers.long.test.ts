import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { BULK_TASK } from '../../src/marketing/bulk/bulk-job.ts';
import { openDatabase } from '../../src/platform/db/database.ts';
import { linkTo, post } from '../consent/mailing.ts';
import { rowsOf } from '../marketing/support.ts';
import { submitted } from '../submissions/submitting.ts';
import { addForm } from '../support/forms.ts';
import { createTestTasks } from '../support/tasks.ts';
import {
  addDrip,
  addTo,
  entriesOf,
  mail,
  mailsOf,
  openQuiet,
  type QuietScene,
  setClock,
  startDrip,
  steer,
} from './drip.ts';
import { createEngine } from './engine.ts';

type Fields = Record<string, unknown>;

let enter: (at?: string) => Promise<QuietScene>;
before(async (t) => {
  enter = await openQuiet(t as TestContext);
});

test('whoever joins the list enters, through every door and once; who was on it before does not', async () => {
  const scene = await enter();
  const { app, customer, marketing, list } = scene;
  await addTo(scene, 'before');
  const drip = await startDrip(scene, [mail(scene, 'hello')], { start_trigger: 'subscription' });
  await scene.engine.settle();
  assert.deepEqual(await entriesOf(scene, drip), {});

  const joined = async (name: string, work: () => Promise<unknown>) => {
    await work();
    await scene.engine.settle();
    const { [name]: times, ...others } = await entriesOf(scene, drip);
    assert.equal(times, 1, name);
    assert.ok(Object.values(others).every((each) => each === 1));
  };
  const person = (name: string) => marketing.addPerson(`${name}@example.com`);
  const feeding = await addForm(app, customer.id, { subscription_list_id: Number(list) });
  await joined('subscribers', () => addTo(scene, 'subscribers'));
  await joined('subscriptions', async () => {
    const subscription = { subscription_list_id: list, subscriber_id: await person('subscriptions') };
    await marketing.take('POST', '/subscriptions', { subscription });
  });
  await joined('subscribe', async () => {
    const subscriber_ids = [await person('subscribe')];
    await marketing.take('POST', '/subscriptions/subscribe', { subscriber_ids, subscription_list_ids: [list] });
  });
  await joined('bulk', () => {
    const subscribers = [{ email: 'bulk@example.com' }, { email: 'before@example.com' }];
    return marketing.take('POST', '/subscribers_bulk_create', { subscribers, subscription_list_id: list });
  });
  await joined('form', () => submitted(app, feeding, { form_data: { email: 'form@example.com' } }));
  await joined('form', () => submitted(app, feeding, { form_data: { email: 'form@example.com' } }));
  await addTo(scene, 'before', { first_name: 'Known' });
  await marketing.addPerson('elsewhere@example.com');
  await scene.engine.settle();
  const names = ['bulk', 'form', 'subscribe', 'subscribers', 'subscriptions'];
  assert.deepEqual(Object.keys(await entriesOf(scene, drip)), names);
  assert.deepEqual(
    (await mailsOf(scene, drip)).toSorted(),
    names.map((name) => `${name} hello queued`),
  );
  const { data } = await marketing.take('GET', '/drip_campaigns');
  assert.deepEqual([data[0].attributes.subscriber_count, data[0].attributes.subscriber_completed_count], [5, 5]);
});

test('who has to confirm enters when they do', async () => {
  const scene = await enter();
  const { app, marketing } = scene;
  const careful = await marketing.addList('Careful', { double_opt_in: true });
  const drip = await startDrip(scene, [mail(scene, 'hello')], { subscription_list_id: careful });
  const ann = await marketing.addPerson('ann@example.com', {}, careful);
  await marketing.addPerson('ben@example.com', {}, careful);
  await scene.engine.settle();
  assert.deepEqual(await entriesOf(scene, drip), {});
  const [asked] = await rowsOf(
    app,
    'select id from subscriptions where subscriber_id = $1 and subscription_list_id = $2',
    [ann, careful],
  );
  await post(await linkTo(app, 'confirm', asked.id), { text: '' });
  await scene.engine.settle();
  assert.deepEqual(await entriesOf(scene, drip), { ann: 1 });
});

test('who comes by a form and has to confirm enters when they do, once, and who comes by another way does not', async () => {
  const scene = await enter();
  const { app, customer, marketing } = scene;
  const careful = await marketing.addList('Careful', { double_opt_in: true });
  const form = await addForm(app, customer.id, { subscription_list_id: Number(careful) });
  const start = (start_trigger: object) =>
    startDrip(scene, [mail(scene, 'hello')], { subscription_list_id: careful, ...start_trigger });
  const drip = await start({ start_trigger: 'form_submitted', form_id: form });
  const other = await start({ start_trigger: 'form_submitted', form_id: await addForm(app, customer.id) });
  await submitted(app, form, { form_data: { email: 'ann@example.com' } });
  await marketing.addPerson('ben@example.com', {}, careful);
  await scene.engine.settle();
  assert.deepEqual(await entriesOf(scene, drip), {});
  const asked = await rowsOf(app, 'select id from subscriptions where subscription_list_id = $1 and pending', [
    careful,
  ]);
  assert.equal(asked.length, 2);
  for (const { id } of asked) await post(await linkTo(app, 'confirm', id), { text: '' });
  await scene.engine.settle();
  assert.deepEqual([await entriesOf(scene, drip), await entriesOf(scene, other)], [{ ann: 1 }, {}]);
});

test('whoever submits the form enters where they are on the list, and who joins by other ways does not', async () => {
  const scene = await enter();
  const { app, customer, marketing, list } = scene;
  const [intake, feeding] = [
    await addForm(app, customer.id),
    await addForm(app, customer.id, { subscription_list_id: Number(list) }),
  ];
  const start = (form_id: string) =>
    startDrip(scene, [mail(scene, 'hello')], { start_trigger: 'form_submitted', form_id });
  const [drip, fed] = [await start(intake), await start(feeding)];
  const fillIn = (form: string, name: string) => submitted(app, form, { form_data: { email: `${name}@example.com` } });
  await addTo(scene, 'ann');
  await addTo(scene, 'ben');
  await marketing.addPerson('elsewhere@example.com');
  for (const name of ['ann', 'elsewhere', 'stranger']) await fillIn(intake, name);
  await fillIn(feeding, 'new');
  await scene.engine.settle();
  assert.deepEqual([await entriesOf(scene, drip), await entriesOf(scene, fed)], [{ ann: 1 }, { new: 1 }]);
  await fillIn(intake, 'ann');
  await scene.engine.settle();
  assert.deepEqual(await entriesOf(scene, drip), { ann: 1 }, 'never again, unless it is said otherwise');
});

test('who is on the list already enters where that is asked for, and each once', async (t) => {
  const scene = await enter();
  const { app, customer, marketing, list } = scene;
  const { ownerUrl, log } = app.installation;
  const db = openDatabase({ ownerUrl, log }, 'worker', 1);
  t.after(() => db.close());
  const tasks = await createTestTasks(app.installation, db);
  const [, gone] = [await addTo(scene, 'ann'), await addTo(scene, 'gone')];
  await marketing.addPerson('elsewhere@example.com');
  await marketing.take('POST', '/subscriptions/unsubscribe', { subscriber_ids: [gone], subscription_list_ids: [list] });
  const drip = await addDrip(scene, [mail(scene, 'hello')]);
  const { data } = await marketing.take('POST', `/drip_campaigns/${drip}/start`, { enroll_existing: true });
  assert.equal(data.jids.length, 1);
  await addTo(scene, 'new');
  for (const jobId of [...data.jids, ...data.jids]) await tasks[BULK_TASK]?.({ customerId: customer.id, jobId });
  await scene.engine.settle();
  assert.deepEqual(await entriesOf(scene, drip), { ann: 1, new: 1 });
  assert.equal((await mailsOf(scene, drip)).length, 2);
  assert.equal((await marketing.take('GET', `/bulk_jobs/${data.jids[0]}`)).data.pending, 0);
});

test('nobody enters a drip that is started by hand but those who are named', async () => {
  const scene = await enter();
  const drip = await startDrip(scene, [mail(scene, 'hello')], { start_trigger: 'manual' });
  const [ann] = [await addTo(scene, 'ann'), await addTo(scene, 'ben')];
  const elsewhere = await scene.marketing.addPerson('elsewhere@example.com');
  await scene.engine.settle();
  assert.deepEqual(await entriesOf(scene, drip), {});
  const body = { subscriber_ids: [ann, elsewhere] };
  await scene.marketing.take('POST', `/drip_campaigns/${drip}/enrollments`, body);
  await scene.marketing.take('POST', `/drip_campaigns/${drip}/enrollments`, body);
  await scene.engine.settle();
  assert.deepEqual(await entriesOf(scene, drip), { ann: 1 });
  assert.deepEqual(await mailsOf(scene, drip), ['ann hello queued']);
});

/** A drip around a date that is kept of people, of which a mail is the only step. */
async function startDated(scene: QuietScene, date: Fields, more: Fields = {}): Promise<string> {
  await scene.marketing.take('POST', '/subscriber_custom_field_types', { name: 'Day', kind: 'date' });
  const settings = { start_trigger: 'date_field', date: { field: 'Day', ...date }, ...more };
  return startDrip(scene, [mail(scene, 'wish')], settings);
}

const addDated = (scene: QuietScene, name: string, day: string, more: Fields = {}) =>
  addTo(scene, name, { custom_fields: [{ Day: day }], ...more });

test('a birthday comes every year, at the hour of each person’s own clock, and once', async () => {
  const scene = await enter('2026-11-16T12:00:00Z');
  const drip = await startDated(scene, { every: 'year' });
  const day = '1985-11-17';
  await addDated(scene, 'ann', day);
  await addDated(scene, 'old', '1903-11-17');
  await addDated(scene, 'unborn', '2101-11-17');
  await addDated(scene, 'other', '1985-11-18');
  const far = await addDated(scene, 'kiritimati', day, { time_zone: 'Pacific/Kiritimati' });
  await addDated(scene, 'honolulu', day, { time_zone: 'Pacific/Honolulu' });
  await scene.marketing.addPerson('elsewhere@example.com', { custom_fields: [{ Day: day }] });
  await addTo(scene, 'dateless');
  const at = async (moment: string) => {
    await scene.becomes(moment);
    return entriesOf(scene, drip);
  };
  assert.deepEqual(await at('2026-11-16T18:59:59Z'), {});
  assert.deepEqual(await at('2026-11-16T19:00:00Z'), { kiritimati: 1 });
  // Whoever travels has one birthday all the same.
  await addTo(scene, 'kiritimati', { time_zone: 'Pacific/Honolulu' });
  assert.deepEqual(await at('2026-11-17T08:59:59Z'), { kiritimati: 1 });
  assert.deepEqual(await at('2026-11-17T09:00:00Z'), { ann: 1, kiritimati: 1, old: 1 });
  const all = { ann: 1, honolulu: 1, kiritimati: 1, old: 1 };
  assert.deepEqual(await at('2026-11-17T19:00:00Z'), all);
  assert.deepEqual(await at('2026-11-18T08:00:00Z'), all);
  assert.deepEqual(await at('2026-11-18T09:00:00Z'), { ...all, other: 1 });
  await scene.marketing.take('DELETE', `/subscribers/${far}`);
  // Nobody looked for a year.
  assert.deepEqual(await at('2027-11-17T20:00:00Z'), { ann: 2, honolulu: 2, old: 2, other: 1 });
  const mails = (await mailsOf(scene, drip)).filter((line) => line.startsWith('ann'));
  assert.deepEqual(mails, ['ann wish queued', 'ann wish queued']);
});

test('who was born on the 29th of February is wished well on the 28th where there is no other', async () => {
  const scene = await enter('2027-02-27T12:00:00Z');
  const drip = await startDated(scene, { every: 'year' });
  await addDated(scene, 'leap', '1984-02-29');
  await addDated(scene, 'march', '1984-03-01');
  const at = async (moment: string) => {
    await scene.becomes(moment);
    return entriesOf(scene, drip);
  };
  assert.deepEqual(await at('2027-02-28T09:00:00Z'), { leap: 1 });
  assert.deepEqual(await at('2027-03-01T09:00:00Z'), { leap: 1, march: 1 });
  setClock(scene.clock, '2028-02-27T12:00:00Z');
  assert.deepEqual(await at('2028-02-28T09:00:00Z'), { leap: 1, march: 1 });
  assert.deepEqual(await at('2028-02-29T09:00:00Z'), { leap: 2, march: 1 });
  assert.deepEqual(await at('2028-03-01T09:00:00Z'), { leap: 2, march: 2 });
});

test('a drip may come days before or after a date, and once for each', async () => {
  const scene = await enter();
  const early = await startDated(scene, { days: -7, time: '08:30' });
  const late = await startDrip(scene, [mail(scene, 'how')], {
    start_trigger: 'date_field',
    date: { field: 'Day', days: 1, time: '08:30' },
    time_zone: 'Europe/Berlin',
  });
  await addDated(scene, 'ann', '2026-11-25');
  await addDated(scene, 'past', '2026-11-16');
  await scene.becomes('2026-11-17T07:29:59Z');
  assert.deepEqual(await entriesOf(scene, late), {});
  await scene.becomes('2026-11-17T07:30:00Z');
  assert.deepEqual(await entriesOf(scene, late), { past: 1 }, 'half past eight in Berlin');
  await scene.becomes('2026-11-18T08:29:59Z');
  assert.deepEqual(await entriesOf(scene, early), {});
  await scene.becomes('2026-11-18T08:30:00Z');
  assert.deepEqual(await entriesOf(scene, early), { ann: 1 });
  // The appointment is moved: she was told already, and may not enter again.
  await addDated(scene, 'ann', '2026-11-27');
  await scene.becomes('2026-11-30T12:00:00Z');
  assert.deepEqual([await entriesOf(scene, early), await entriesOf(scene, late)], [{ ann: 1 }, { ann: 1, past: 1 }]);
});

test('what fell into three days without a server is made up for, and what fell into a pause is not', async () => {
  const scene = await enter('2026-11-16T12:00:00Z');
  const drip = await startDated(scene, { every: 'year' });
  const paused = await startDrip(scene, [mail(scene, 'wish')], {
    start_trigger: 'date_field',
    date: { field: 'Day', every: 'year' },
  });
  await addDated(scene, 'today', '1990-11-16');
  for (const day of [17, 18, 19, 20]) await addDated(scene, `on-${day}`, `1990-11-${day}`);
  await scene.engine.settle();
  await steer(scene, paused, 'pause');
  await scene.becomes('2026-11-19T12:00:00Z');
  const made = { 'on-17': 1, 'on-18': 1, 'on-19': 1 };
  assert.deepEqual(await entriesOf(scene, drip), made);
  assert.deepEqual(await entriesOf(scene, paused), {});
  await steer(scene, paused, 'resume');
  await scene.engine.settle();
  assert.deepEqual(await entriesOf(scene, paused), {});
  await scene.becomes('2026-11-20T09:00:00Z');
  assert.deepEqual(
    [await entriesOf(scene, drip), await entriesOf(scene, paused)],
    [{ ...made, 'on-20': 1 }, { 'on-20': 1 }],
  );
});

test('whose day has come by the clock of another zone enters when the drip goes by that one, and nobody twice', async () => {
  const scene = await enter('2026-11-16T12:00:00Z');
  const running = await startDated(scene, { every: 'year' }, { reentry: 'always' });
  const birthdays = { start_trigger: 'date_field', date: { field: 'Day', every: 'year' } };
  const resumed = await startDrip(scene, [mail(scene, 'wish')], birthdays);
  const day = '1985-11-17';
  await addDated(scene, 'ann', day);
  await addDated(scene, 'before', '1985-11-16');
  await addDated(scene, 'kiritimati', day, { time_zone: 'Pacific/Kiritimati' });
  await addDated(scene, 'honolulu', day, { time_zone: 'Pacific/Honolulu' });
  await scene.becomes('2026-11-16T20:00:00Z');
  await steer(scene, resumed, 'pause');
  await scene.becomes('2026-11-17T05:00:00Z');
  await steer(scene, resumed, 'resume');
  const late = await startDrip(scene, [mail(scene, 'wish')], birthdays);
  const goBy = async (time_zone: string) => {
    for (const drip of [running, resumed, late]) {
      await scene.marketing.take('PATCH', `/drip_campaigns/${drip}`, { drip_campaign: { time_zone } });
    }
    await scene.engine.settle();
    return [await entriesOf(scene, running), await entriesOf(scene, resumed), await entriesOf(scene, late)];
  };
  assert.deepEqual(
    await goBy('Asia/Tokyo'),
    [{ ann: 1, kiritimati: 1 }, { kiritimati: 1 }, {}],
    'nine o’clock in Tokyo is over; before it the others did not run',
  );
  await scene.becomes('2026-11-17T12:00:00Z');
  assert.deepEqual(await goBy('UTC'), [{ ann: 1, kiritimati: 1 }, { ann: 1, kiritimati: 1 }, { ann: 1 }]);
  await scene.becomes('2026-11-18T12:00:00Z');
  const [all] = await goBy('America/New_York');
  assert.deepEqual(all, { ann: 1, honolulu: 1, kiritimati: 1 });
});

test('of two who look at once neither lets anybody enter whom the other has', async (t) => {
  const scene = await enter('2026-11-16T12:00:00Z');
  const drip = await startDated(scene, { every: 'year' }, { reentry: 'always' });
  const names = Array.from({ length: 30 }, (_, n) => `person-${n}`);
  const zones = ['Europe/Berlin', 'Europe/Paris', 'Europe/Rome'];
  for (const [n, name] of names.entries()) await addDated(scene, name, '1985-11-17', { time_zone: zones[n % 3] });
  setClock(scene.clock, '2026-11-17T08:00:00Z');
  const engines = Array.from({ length: 3 }, () => createEngine(t, scene.app, scene.clock));
  await Promise.all(engines.map((engine) => engine.settle()));
  await scene.engine.settle();
  assert.deepEqual(await entriesOf(scene, drip), Object.fromEntries(names.toSorted().map((name) => [name, 1])));
});

test('a look that is cut off half way is made up for, and nobody enters twice by it', async () => {
  const scene = await enter('2026-11-16T12:00:00Z');
  const { app } = scene;
  const drip = await startDated(scene, { every: 'year' }, { time_zone: 'Europe/Berlin', reentry: 'always' });
  await addDated(scene, 'first', '1985-11-17');
  const second = await addDated(scene, 'second', '1985-11-17', { time_zone: 'Europe/Rome' });
  await rowsOf(app, `alter table drip_facts add constraint cut_off check (subscriber_id <> '${second}') not valid`);
  await scene.becomes('2026-11-17T08:00:00Z');
  await scene.engine.settle();
  assert.deepEqual(await entriesOf(scene, drip), { first: 1 });
  await rowsOf(app, 'alter table drip_facts drop constraint cut_off');
  await scene.becomes('2026-11-17T08:00:01Z');
  assert.deepEqual(await entriesOf(scene, drip), { first: 1, second: 1 });
  await scene.becomes('2026-11-18T12:00:00Z');
  assert.deepEqual(await entriesOf(scene, drip), { first: 1, second: 1 });
});

test('text that only begins like a date, or is none, holds nobody up', async () => {
  const scene = await enter('2026-11-16T12:00:00Z');
  const drip = await startDated(scene, { every: 'year' });
  const days = {
    day: '1985-11-17',
    hour: '1985-11-17T08:00:00Z',
    leap: '1985-02-29',
    other: 'on 11-17',
    odd: '19x5-11-17',
  };
  for (const [name, day] of Object.entries(days)) {
    const id = await addDated(scene, name, '1985-01-01');
    await rowsOf(
      scene.app,
      `update subscribers set fields = (select jsonb_object_agg(key, $2::text) from jsonb_each(fields)) where id = $1`,
      [id, day],
    );
  }
  await scene.becomes('2026-11-17T09:00:00Z');
  await scene.becomes('2027-02-28T09:00:00Z');
  assert.deepEqual(await entriesOf(scene, drip), { day: 1, hour: 1 });
});

test('dates far from today are dates like any other', async () => {
  const scene = await enter('2101-05-04T12:00:00Z');
  const drip = await startDated(scene, { every: 'year' });
  const once = await startDrip(scene, [{ id: 'nap', type: 'delay', months: 1 }, mail(scene, 'wish')], {
    start_trigger: 'date_field',
    date: { field: 'Day' },
  });
  const days = { born: '1869-05-05', today: '2101-05-05', next: '2102-05-05' };
  for (const [name, day] of Object.entries(days)) await addDated(scene, name, day);
  await scene.becomes('2101-05-05T09:00:00Z');
  assert.deepEqual(await entriesOf(scene, drip), { born: 1, today: 1 });
  assert.deepEqual(await entriesOf(scene, once), { today: 1 });
  await scene.becomes('2101-06-05T09:00:00Z');
  assert.deepEqual(await mailsOf(scene, once), ['today wish queued']);
});

test('the day on which somebody came to be known is a date too', async () => {
  const scene = await enter('2026-11-16T12:00:00Z');
  const drip = await startDrip(scene, [mail(scene, 'thanks')], {
    start_trigger: 'date_field',
    date: { field: 'created_at', days: 30, time: '12:30' },
  });
  await addTo(scene, 'ann');
  await scene.becomes('2026-12-16T12:29:00Z');
  assert.deepEqual(await entriesOf(scene, drip), {});
  await scene.becomes('2026-12-16T12:30:00Z');
  assert.deepEqual(await entriesOf(scene, drip), { ann: 1 });
});
