import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { addList, addMailing } from '../mailings/mailing.ts';
import { rowsOf } from '../marketing/support.ts';
import { type Clinic, emailSteps, openApp, refused } from './campaign.ts';

const LISTED = [
  'name',
  'start_trigger',
  'state',
  'subscriber_completed_count',
  'subscriber_count',
  'subscription_list_id',
  'subscription_list_name',
  'updated_at',
];

const dated = (field: string, every: string) => ({ start_trigger: 'date_field', date: { field, every } });

let openClinic: () => Promise<Clinic>;
before(async (t) => {
  openClinic = await openApp(t as TestContext);
});

test('a drip is written as a draft and read as it was written, by its steps and by its nodes', async () => {
  const clinic = await openClinic();
  const { call, take, listId, mailingId, formId } = clinic;
  const { data } = await take('POST', '/drip_campaigns', {
    drip_campaign: {
      name: ' Welcome ',
      subscription_list_id: Number(listId),
      start_trigger: 'form_submitted',
      form_id: formId.toUpperCase(),
      steps: [
        { type: 'email', campaign_mailing_id: Number(mailingId) },
        { type: 'branch', if: { opened: mailingId }, then: [{ type: 'exit' }], else: [{ type: 'delay', weeks: 2 }] },
      ],
      reentry: 'always',
      goal: { event: 'booked' },
      time_zone: 'Europe/Berlin',
      sender_email: 'desk@example.org',
      from_name: 'Desk',
      reply_to: 'Ann <ann@example.org>',
    },
  });
  assert.match(data.id, /^\d+$/);
  assert.equal(data.type, 'drip_campaign');
  const { steps, drip_campaign_nodes: nodes, drip_campaign_tree_blob: tree, ...rest } = data.attributes;
  assert.deepEqual(rest, {
    name: 'Welcome',
    subscription_list_id: listId,
    subscription_list_name: 'Patients',
    state: 'draft',
    start_trigger: 'form_submitted',
    subscriber_count: 0,
    subscriber_completed_count: 0,
    trigger: { form_id: formId, date: null },
    reentry: 'always',
    goal: { event: 'custom', name: 'booked' },
    time_zone: 'Europe/Berlin',
    sender_email: 'desk@example.org',
    from_name: 'Desk',
    reply_to: 'Ann <ann@example.org>',
    outdated_steps: [],
    version: 1,
    live_version: null,
    trial_version: null,
    trial_share: null,
    created_at: '2026-11-16T12:00:00.000Z',
    updated_at: '2026-11-16T12:00:00.000Z',
    started_at: null,
    paused_at: null,
    completed_at: null,
  });
  assert.equal(JSON.parse(nodes).length, 4);
  assert.equal(JSON.parse(tree).edges.length, 3);
  assert.deepEqual(await take('GET', `/drip_campaigns/${data.id}`), { data });

  for (const view of [{ steps }, { drip_campaign_nodes: nodes }, { drip_campaign_tree_blob: tree }]) {
    const drip_campaign = { ...view };
    const { data: same } = await take('PUT', `/drip_campaigns/${data.id}`, { drip_campaign });
    assert.equal(same.attributes.version, 1, `${Object.keys(view).join()} is the same graph`);
    const other = await clinic.addDrip({ steps: undefined, ...view });
    assert.equal((await clinic.read(other)).drip_campaign_nodes, nodes);
  }
  const contradiction = { steps: [{ type: 'exit' }], drip_campaign_nodes: nodes };
  assert.equal((await call('PUT', `/drip_campaigns/${data.id}`, { drip_campaign: contradiction })).status, 400);
});

test('a list says of a drip what the drip says of itself', async () => {
  const { app, take, read, addDrip } = await openClinic();
  const id = await addDrip({ name: '"Wel\\come" für 患者 \u2028 </script>' });
  await rowsOf(app, `update drip_campaigns set updated_at = '2026-11-16T12:00:07.1204Z' where id = $1`, [id]);
  const { data } = await take('GET', '/drip_campaigns');
  const itself = await read(id);
  const attributes = Object.fromEntries(LISTED.map((name) => [name, itself[name]]));
  assert.deepEqual(data, [{ id, type: 'drip_campaign', attributes }]);
  assert.equal(itself.updated_at, '2026-11-16T12:00:07.120Z');
});

test('what is left out of a drip has a default', async () => {
  const { take, read } = await openClinic();
  const { data } = await take('POST', '/drip_campaigns', { drip_campaign: { name: 'Bare' } });
  const drip = await read(data.id);
  assert.equal(drip.subscription_list_name, 'All subscribers');
  assert.equal(drip.start_trigger, 'subscription_created');
  assert.deepEqual([drip.reentry, drip.time_zone, drip.goal, drip.steps], ['never', 'UTC', null, []]);
  const drip_campaign = { name: 'Alias', start_trigger: 'subscription' };
  const { data: alias } = await take('POST', '/drip_campaigns', { drip_campaign });
  assert.equal(alias.attributes.start_trigger, 'subscription_created');
});

test('a drip that is asked for twice under one key is made once', async () => {
  const { app, customer, take } = await openClinic();
  const options = {
    key: customer.key,
    headers: { 'idempotency-key': 'once' },
    body: { drip_campaign: { name: 'Once' } },
  };
  const [one, two] = [
    await app.request('POST', '/v1/marketing/drip_campaigns', options),
    await app.request('POST', '/v1/marketing/drip_campaigns', options),
  ];
  assert.deepEqual(one.body, two.body);
  assert.equal((await take('GET', '/drip_campaigns')).data.length, 1);
});

test('what is wrong with a drip is refused, and the field is named', async () => {
  const { call, formId } = await openClinic();
  const date = { field: 'created_at', every: 'once', days: 1, time: '09:00' };
  const wrong: [object, number, string][] = [
    [{ name: undefined }, 400, 'name'],
    [{ name: null }, 400, 'name'],
    [{ name: '  ' }, 400, 'name'],
    [{ name: 'x'.repeat(256) }, 400, 'name'],
    [{ name: 'New\u001b[2Jcomers' }, 400, 'name'],
    [{ name: 'New\ncomers' }, 400, 'name'],
    [{ name: 'New\u009bcomers' }, 400, 'name'],
    [{ start_trigger: 'whenever' }, 400, 'start_trigger'],
    [{ reentry: 'sometimes' }, 400, 'reentry'],
    [{ time_zone: 'Europe/Atlantis' }, 400, 'time_zone'],
    [{ time_zone: '../../etc' }, 400, 'time_zone'],
    [{ sender_email: 'nobody' }, 422, 'sender_email'],
    [{ reply_to: 'a@' }, 422, 'reply_to'],
    [{ from_name: 'a\nb' }, 400, 'from_name'],
    [{ from_name: 'x'.repeat(501) }, 400, 'from_name'],
    [{ publish_share: 101 }, 400, 'publish_share'],
    [{ publish_share: -1 }, 400, 'publish_share'],
    [{ steps: 'no JSON' }, 400, 'steps'],
    [{ steps: [{ type: 'dance' }] }, 400, 'steps[0].type'],
    [{ goal: 'more' }, 400, 'goal'],
    [{ form_id: formId }, 422, 'form_id'],
    [{ date }, 422, 'date'],
    [{ start_trigger: 'date_field', date: { ...date, every: 'month' } }, 400, 'date.every'],
    [{ start_trigger: 'date_field', date: { ...date, days: 3_651 } }, 400, 'date.days'],
    [{ start_trigger: 'date_field', date: { ...date, days: -3_651 } }, 400, 'date.days'],
    [{ start_trigger: 'date_field', date: { ...date, time: '24:00' } }, 400, 'date.time'],
    [{ start_trigger: 'date_field', date: { ...date, field: 'Unknown' } }, 422, 'date.field'],
    [{ start_trigger: 'date_field', date: { ...date, field: 'email' } }, 422, 'date.field'],
  ];
  for (const [fields, status, name] of wrong) {
    const reply = call('POST', '/drip_campaigns', { drip_campaign: { name: 'Welcome', ...fields } });
    const [was, error, named] = await refused(reply);
    assert.equal(was, status, `${JSON.stringify(fields)}: ${error}`);
    assert.deepEqual(named, [`drip_campaign.${name}`]);
  }
  for (const fields of [
    { name: 'x'.repeat(255), from_name: 'x'.repeat(500), publish_share: 100 },
    { start_trigger: 'date_field', date: { ...date, days: -3_650 } },
    { start_trigger: 'date_field', date: { ...date, days: 3_650, time: '23:59' } },
  ]) {
    const { status, text } = await call('POST', '/drip_campaigns', { drip_campaign: { name: 'Fits', ...fields } });
    assert.equal(status, 200, text);
  }
});

test('a date starts a drip unless it is health data, and a birthday lets people in again', async () => {
  const { call, take, addDrip, read } = await openClinic();
  const addField = async (name: string, kind: string, fieldClass: string) =>
    (await take('POST', '/subscriber_custom_field_types', { name, kind, class: fieldClass })).data.id;
  const born = await addField('Born', 'date', 'personal');
  await addField('Diagnosed', 'date', 'phi');
  await addField('Nickname', 'text', 'personal');

  const id = await addDrip(dated('Born', 'year'));
  const date = { field: 'Born', every: 'year', days: 0, time: '09:00' };
  assert.deepEqual((await read(id)).trigger, { form_id: null, date });
  assert.equal((await read(id)).reentry, 'after_leaving');
  assert.equal((await read(await addDrip(dated('Born', 'once')))).reentry, 'never');
  await take('PATCH', `/subscriber_custom_field_types/${born}`, { name: 'Birthday' });
  assert.equal((await read(id)).trigger.date.field, 'Birthday', 'the field has another name by now');
  await take('PATCH', `/drip_campaigns/${id}`, { drip_campaign: { start_trigger: 'manual' } });
  assert.deepEqual((await read(id)).trigger, { form_id: null, date: null });

  const trying = (field: string) =>
    refused(call('POST', '/drip_campaigns', { drip_campaign: { name: 'No', ...dated(field, 'year') } }));
  const [status, error] = await trying('Diagnosed');
  assert.equal(status, 422);
  assert.match(error, /sealed/);
  assert.equal((await trying('Nickname'))[0], 422);
});

test('drips are listed with what they show, in any order, and by a regular expression', async () => {
  const clinic = await openClinic();
  const { app, clock, customer, call, take, addDrip } = clinic;
  const other = await addList(app, customer, [], 'Another list');
  const ids: Record<string, string> = {};
  for (const name of ['Birthday', 'welcome', 'Welcome back']) {
    ids[name] = await addDrip({ name, ...(name === 'welcome' && { subscription_list_id: other }) });
    clock.advance(1_000);
  }
  const stranger = await openClinic();
  await stranger.addDrip({ name: 'Welcome, stranger' });
  await rowsOf(
    app,
    `insert into drip_counts (drip_id, shard, customer_id, people, completed) values ($1, 0, $2, 3, 1), ($1, 1, $2, 4, 0)`,
    [ids.welcome, customer.id],
  );

  const { data } = await take('GET', '/drip_campaigns');
  assert.deepEqual(Object.keys(data[0].attributes).toSorted(), LISTED);
  assert.equal(data[1].type, 'drip_campaign');
  const { subscriber_count: people, subscriber_completed_count: completed } = data[1].attributes;
  assert.deepEqual([people, completed], [7, 1], 'what the shards count together');
  assert.equal((await clinic.read(ids.welcome as string)).subscriber_count, 7);

  const names = async (query: string) =>
    (await take('GET', `/drip_campaigns${query}`)).data.map((each: typeof data) => each.attributes.name);
  assert.deepEqual(await names(''), ['Welcome back', 'welcome', 'Birthday']);
  assert.deepEqual(await names('?order=asc'), ['Birthday', 'welcome', 'Welcome back']);
  assert.deepEqual(await names('?search=elcom'), ['Welcome back', 'welcome'], 'anywhere in the name');
  assert.deepEqual(await names('?search=Welcome'), ['Welcome back'], 'minding case');
  assert.deepEqual(await names('?search=^(%3Fi)welcome$'), ['welcome']);
  assert.deepEqual(await names('?search=nothing'), []);
  assert.deepEqual(await names('?order_by=subscriber_count'), ['welcome', 'Welcome back', 'Birthday']);
  assert.deepEqual(await names('?order_by=subscriber_completed_count&order=asc'), [
    'Birthday',
    'Welcome back',
    'welcome',
  ]);
  assert.deepEqual((await names('?order_by=subscription_list_name&order=asc')).at(0), 'welcome');
  for (const attribute of [...LISTED, 'created_at']) {
    for (const order of ['asc', 'desc']) {
      const listed = await take('GET', `/drip_campaigns?order_by=${attribute}&order=${order}`);
      const shown = listed.data.map((each: typeof data) => Number(each.id));
      if (attribute !== 'state') continue;
      const ascending = shown.toSorted((a: number, b: number) => a - b);
      assert.deepEqual(shown, order === 'asc' ? ascending : ascending.toReversed(), 'ties by id');
    }
  }
  for (const bad of ['order_by=colour', 'order_by=id', 'order=sideways']) {
    assert.equal((await call('GET', `/drip_campaigns?${bad}`)).status, 400, bad);
  }
  await take('DELETE', `/drip_campaigns/${ids.Birthday}`);
  assert.deepEqual(await names(''), ['Welcome back', 'welcome']);
});

test('a drip that is taken away is gone, and its number names nothing more', async () => {
  const { app, call, take, addDrip } = await openClinic();
  const id = await addDrip();
  assert.deepEqual(await take('DELETE', `/drip_campaigns/${id}`), {});
  for (const [method, path] of [
    ['GET', ''],
    ['DELETE', ''],
    ['POST', '/start'],
    ['GET', '/versions'],
  ] as const) {
    assert.equal((await call(method, `/drip_campaigns/${id}${path}`)).status, 404, `${method} ${path}`);
  }
  const [row] = await rowsOf(app, 'select state, ending from drip_campaigns where id = $1', [id]);
  assert.deepEqual(row, { state: 'completed', ending: false });
});

test('a copy is a draft of its own, with the newest steps and what they name by now', async () => {
  const clinic = await openClinic();
  const { app, customer, mailingId, take, addDrip, read } = clinic;
  const name = 'x'.repeat(255);
  const id = await addDrip({ name, goal: { field: 'first_name', op: 'is', terms: ['Ann'] }, reentry: 'always' });
  await take('POST', `/drip_campaigns/${id}/start`);
  await take('PATCH', `/drip_campaigns/${id}`, { drip_campaign: { steps: emailSteps(mailingId).slice(0, 1) } });
  await take('PATCH', `/campaign_mailings/${mailingId}`, { campaign_mailing: { html_part: '<p>New</p>' } });
  const { data } = await take('POST', `/drip_campaigns/${id}/copy`);
  assert.notEqual(data.id, id);
  const { state, version, reentry, goal, steps, outdated_steps: outdated, live_version: live } = data.attributes;
  assert.equal(data.attributes.name, `Copy of ${name}`.slice(0, 255));
  assert.deepEqual([state, version, live, reentry, outdated], ['draft', 1, null, 'always', []]);
  assert.deepEqual(goal, { field: 'first_name', op: 'is', terms: ['Ann'] });
  assert.equal(steps.length, 1);
  assert.deepEqual((await read(id)).outdated_steps, ['hello']);

  const options = { key: customer.key, headers: { 'idempotency-key': 'copy' } };
  const path = `/v1/marketing/drip_campaigns/${id}/copy`;
  const [one, two] = [await app.request('POST', path, options), await app.request('POST', path, options)];
  assert.equal(one.body.data.id, two.body.data.id);
});

test('every change is on the record', async () => {
  const { app, customer, take, addDrip } = await openClinic();
  const id = await addDrip();
  await take('PATCH', `/drip_campaigns/${id}`, { drip_campaign: { name: 'Other' } });
  for (const move of ['start', 'pause', 'resume']) await take('POST', `/drip_campaigns/${id}/${move}`);
  await take('POST', `/drip_campaigns/${id}/publish`, { share: 100 });
  await take('POST', `/drip_campaigns/${id}/complete`);
  await take('POST', `/drip_campaigns/${id}/copy`);
  await take('DELETE', `/drip_campaigns/${id}`);
  const query = `select action from audit_log where customer_id = $1 and action like 'drip.%'`;
  const actions = (await rowsOf(app, query, [customer.id])).map(({ action }) => String(action)).toSorted();
  const wanted = 'changed completed copied created deleted paused published resumed started';
  assert.deepEqual(
    actions,
    wanted.split(' ').map((each) => `drip.${each}`),
  );
});

test('a mailing that a drip mails stays until the drip is over', async () => {
  const { app, customer, mailingId, call, take, addDrip } = await openClinic();
  const unused = await addMailing(app, customer);
  const id = await addDrip();
  const trying = () => call('DELETE', '/campaign_mailings_bulk_delete', { campaign_mailing_ids: [mailingId] });
  assert.equal((await trying()).status, 409, 'a draft names it');
  await take('PATCH', `/drip_campaigns/${id}`, { drip_campaign: { steps: emailSteps(unused) } });
  await take('POST', `/drip_campaigns/${id}/start`);
  assert.equal((await trying()).status, 200, 'it has not named it since it was a draft');
  const using = { campaign_mailing_ids: [unused] };
  assert.equal((await call('DELETE', '/campaign_mailings_bulk_delete', using)).status, 409);
  await take('POST', `/drip_campaigns/${id}/complete`);
  assert.equal((await call('DELETE', '/campaign_mailings_bulk_delete', using)).status, 200);
});
