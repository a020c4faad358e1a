import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { addList, addMailing, addPerson } from '../mailings/mailing.ts';
import { rowsOf } from '../marketing/support.ts';
import { eventually } from '../support/eventually.ts';
import { type Clinic, emailSteps, openApp, refused } from './campaign.ts';

let openClinic: () => Promise<Clinic>;
before(async (t) => {
  openClinic = await openApp(t as TestContext);
});

const interestsOf = async ({ app }: Clinic, id: string) =>
  (await rowsOf(app, 'select kind, subject, enters from drip_interests where drip_id = $1', [id]))
    .map(({ kind, subject, enters }) => `${enters ? 'enters by ' : ''}${kind} ${subject}`.trim())
    .toSorted();

const sendsOf = async ({ app }: Clinic, id: string) =>
  rowsOf(app, 'select * from campaign_mailing_sends where drip_id = $1 order by drip_version, drip_step', [id]);

const statesOf = async (clinic: Clinic, id: string) => (await sendsOf(clinic, id)).map(({ state }) => state);

test('a drip goes from draft to running, rests, goes on and is completed; anything else is 409', async () => {
  const clinic = await openClinic();
  const { app, clock, listId, call, take, addDrip, read } = clinic;
  const id = await addDrip();
  const move = (name: string, body?: object) => call('POST', `/drip_campaigns/${id}/${name}`, body);
  const illegal = async (...names: string[]) => {
    for (const name of names)
      assert.equal((await move(name, name === 'publish' ? { share: 50 } : {})).status, 409, name);
  };
  await illegal('pause', 'resume', 'complete', 'publish');

  assert.deepEqual(await take('POST', `/drip_campaigns/${id}/start`), { data: { jids: [] } });
  const running = await read(id);
  const now = clock.now().toISOString();
  assert.deepEqual([running.state, running.started_at, running.live_version], ['running', now, 1]);
  const always = ['deleted', `left ${listId}`, 'opted_out', 'suppressed'];
  assert.deepEqual(await interestsOf(clinic, id), [...always, `enters by joined ${listId}`].toSorted());
  assert.deepEqual(await statesOf(clinic, id), ['scheduled', 'scheduled']);
  await illegal('start', 'resume');

  clock.advance(1_000);
  const paused = { data: { drip_campaign_id: id, status: 'paused' } };
  assert.deepEqual(await take('POST', `/drip_campaigns/${id}/pause`), paused);
  assert.equal((await read(id)).paused_at, clock.now().toISOString());
  assert.deepEqual(await interestsOf(clinic, id), always, 'nobody enters');
  assert.deepEqual(await statesOf(clinic, id), ['paused', 'paused']);
  await illegal('pause');

  const from = clock.now().toISOString();
  clock.advance(60_000);
  assert.equal((await move('resume', { policy: 'whatever' })).status, 400);
  await rowsOf(app, `update campaign_mailing_sends set started_at = now() where drip_id = $1 and drip_step = 'hello'`, [
    id,
  ]);
  const resumed = { data: { drip_campaign_id: id, status: 'running' } };
  assert.deepEqual(await take('POST', `/drip_campaigns/${id}/resume`, { policy: 'shift' }), resumed);
  assert.deepEqual(await statesOf(clinic, id), ['scheduled', 'preparing'], 'again was not begun, hello was');
  await move('pause');
  await take('POST', `/drip_campaigns/${id}/start`);
  const to = clock.now().toISOString();
  const [row] = await rowsOf(app, 'select pauses, paused_at, dates_seen_at from drip_campaigns where id = $1', [id]);
  const pauses = [
    { from, to, policy: 'shift' },
    { from: to, to, policy: 'catch_up' },
  ];
  assert.deepEqual(row, { pauses, paused_at: null, dates_seen_at: new Date(to) });
  assert.ok((await interestsOf(clinic, id)).includes(`enters by joined ${listId}`));

  const completed = { data: { drip_campaign_id: id, status: 'completed' } };
  assert.deepEqual(await take('POST', `/drip_campaigns/${id}/complete`), completed);
  assert.equal((await read(id)).completed_at, to);
  assert.deepEqual(await interestsOf(clinic, id), []);
  const ended = (await sendsOf(clinic, id)).map(({ state, finished_at }) => [state, finished_at === null]);
  const open = ['cancelled', true];
  assert.deepEqual(ended, [open, open], 'mails may wait in both, which the lane takes back');
  const [ending] = await rowsOf(app, 'select ending from drip_campaigns where id = $1', [id]);
  assert.equal(ending.ending, true);
  await illegal('start', 'pause', 'resume', 'complete', 'publish');
  const steps = { drip_campaign: { steps: [{ type: 'exit' }] } };
  assert.equal((await call('PATCH', `/drip_campaigns/${id}`, steps)).status, 409);
  assert.equal((await call('PATCH', `/drip_campaigns/${id}`, { drip_campaign: { name: 'Over' } })).status, 200);
});

test('a start that is asked for again under its key is the same one, and answers its job again', async () => {
  const { app, customer, addDrip } = await openClinic();
  const id = await addDrip();
  const start = (body: object) =>
    app.request('POST', `/v1/marketing/drip_campaigns/${id}/start`, {
      key: customer.key,
      headers: { 'idempotency-key': 'once' },
      body,
    });
  const [first, again] = [await start({ enroll_existing: true }), await start({ enroll_existing: true })];
  assert.deepEqual([first.status, first.body.data.jids.length], [200, 1]);
  assert.deepEqual([again.status, again.body], [200, first.body]);
  assert.equal(again.headers.get('idempotency-replayed'), 'true');
  assert.equal((await start({})).status, 409);
  assert.equal((await rowsOf(app, 'select from bulk_jobs where customer_id = $1', [customer.id])).length, 1);
});

test('a drip that was paused again does not go on by what was asked before under a key', async () => {
  const { app, customer, take, addDrip, read } = await openClinic();
  const id = await addDrip();
  await take('POST', `/drip_campaigns/${id}/start`);
  const replies: string[] = [];
  for (const _ of ['first', 'again']) {
    await take('POST', `/drip_campaigns/${id}/pause`);
    const headers = { 'idempotency-key': 'once' };
    const path = `/v1/marketing/drip_campaigns/${id}/resume`;
    replies.push((await app.request('POST', path, { key: customer.key, headers })).text);
  }
  assert.equal(replies[1], replies[0]);
  assert.equal((await read(id)).state, 'paused');
});

test('what may be left out of a start or a resume may come as null, as nothing or in any type', async () => {
  const { app, customer, call, addDrip } = await openClinic();
  const leftOut: [type: string | null, raw: string][] = [
    ['application/json', 'null'],
    ['application/json', ''],
    [null, 'null'],
    ['application/x-www-form-urlencoded', 'enroll_existing=true'],
    ['text/plain', 'anything'],
    ['multipart/form-data; boundary=x', '--x--'],
  ];
  const id = await addDrip();
  const move = (name: string, type: string | null, raw: string) =>
    app.request('POST', `/v1/marketing/drip_campaigns/${id}/${name}`, {
      key: customer.key,
      raw: Buffer.from(raw),
      ...(type !== null && { headers: { 'content-type': type } }),
    });
  for (const name of ['start', 'resume']) {
    for (const raw of ['{', 'enroll_existing=true', '[]', '"null"']) {
      assert.equal((await move(name, 'application/json', raw)).status, 400, `${name} ${raw}`);
    }
    for (const [type, raw] of leftOut) {
      const reply = await move(name, type, raw);
      assert.equal(reply.status, 200, `${name} ${type} ${raw}: ${reply.text}`);
      assert.deepEqual(reply.body.data.jids ?? [], []);
      assert.equal((await call('POST', `/drip_campaigns/${id}/pause`)).status, 200);
    }
  }
});

test('a send is made for each step that mails, as the drip says or else the mailing', async () => {
  const clinic = await openClinic();
  const { app, customer, clock, mailingId, listId, call, take, addDrip } = clinic;
  const nameless = await addMailing(app, customer, { from: null, reply_to: 'reply@example.org' });
  const steps = [...emailSteps(mailingId), { id: 'last', type: 'email', campaign_mailing_id: nameless }];
  const id = await addDrip({ steps });
  const [status, error] = await refused(call('POST', `/drip_campaigns/${id}/start`));
  assert.equal(status, 422);
  assert.match(error, /step last: .*sender_email/);
  assert.equal((await clinic.read(id)).state, 'draft');

  await take('PATCH', `/drip_campaigns/${id}`, { drip_campaign: { sender_email: 'drip@example.org' } });
  await take('POST', `/drip_campaigns/${id}/start`);
  const sends = await sendsOf(clinic, id);
  const listed = async (query: string) =>
    (await take('GET', `/campaign_mailing_sends?${query}`)).data.map((send: { id: string }) => send.id).toSorted();
  assert.deepEqual(await listed(`drip_campaign_id=${id}`), sends.map((send) => String(send.id)).toSorted());
  assert.deepEqual(await listed(`drip_campaign_id=${await addDrip()}`), []);
  assert.deepEqual(
    sends.map(({ drip_step, drip_version, mailing_id, version, sender_email, from_name, reply_to, subject }) =>
      [drip_step, drip_version, mailing_id, version, sender_email, from_name, reply_to, subject].join('|'),
    ),
    [
      `again|1|${mailingId}|1|drip@example.org|Clinic||Once more`,
      `hello|1|${mailingId}|1|drip@example.org|Clinic||`,
      `last|1|${nameless}|1|drip@example.org||reply@example.org|`,
    ],
  );
  for (const send of sends) {
    const { mode, subscription_list_id: list, audience_complete: complete, send_at: at } = send;
    assert.deepEqual([mode, String(list), complete, at], ['live', listId, true, clock.now()]);
    const counts = await rowsOf(app, 'select people from send_counts where send_id = $1', [send.id]);
    assert.equal(counts.length, 1);
    for (const move of ['pause', 'cancel', 'resume']) {
      assert.equal((await call('POST', `/campaign_mailing_sends/${send.id}/${move}`)).status, 409, move);
    }
    assert.equal((await call('DELETE', `/campaign_mailing_schedules/${send.jid}`)).status, 409);
  }
});

test('a drip is started in the mode of the key that starts it', async () => {
  const clinic = await openClinic();
  const { app, customer, addDrip } = clinic;
  const id = await addDrip();
  const { key } = await app.createKey(customer, ['marketing'], { mode: 'test' });
  assert.equal((await app.request('POST', `/v1/marketing/drip_campaigns/${id}/start`, { key })).status, 200);
  assert.deepEqual(new Set((await sendsOf(clinic, id)).map(({ mode }) => mode)), new Set(['test']));
});

test('a drip without steps is not started, and none that runs is left without', async () => {
  const { call, take, addDrip } = await openClinic();
  const bare = await addDrip({ steps: [] });
  assert.equal((await call('POST', `/drip_campaigns/${bare}/start`)).status, 409);
  const id = await addDrip();
  await take('POST', `/drip_campaigns/${id}/start`);
  assert.equal((await call('PATCH', `/drip_campaigns/${id}`, { drip_campaign: { steps: [] } })).status, 409);
});

test('a draft may leave open what starts it, and a start says what is missing', async () => {
  const { formId, call, take, addDrip, read } = await openClinic();
  const date = { field: 'created_at', every: 'once', days: 1, time: '09:00' };
  const cases: [trigger: string, missing: string, body: object][] = [
    ['form_submitted', 'form_id', { form_id: formId }],
    ['date_field', 'date', { date }],
  ];
  for (const [start_trigger, missing, body] of cases) {
    const id = await addDrip({ start_trigger, steps: [] });
    const start = () => refused(call('POST', `/drip_campaigns/${id}/start`));
    const change = (drip_campaign: object) => take('PATCH', `/drip_campaigns/${id}`, { drip_campaign });
    const named = [`drip_campaign.${missing}`];
    const told = `A drip campaign without steps and ${missing} cannot be started`;
    assert.deepEqual(await start(), [409, told, ['drip_campaign.steps', ...named]]);
    await change({ steps: [{ type: 'exit' }] });
    assert.deepEqual(await start(), [409, `A drip campaign without ${missing} cannot be started`, named]);
    assert.deepEqual((await read(id)).trigger, { form_id: null, date: null });
    await change(body);
    await change({ [missing]: null });
    assert.deepEqual((await start())[0], 409, 'what was said can be taken back');
    const { data: copy } = await take('POST', `/drip_campaigns/${id}/copy`);
    for (const each of [id, copy.id]) {
      await take('PATCH', `/drip_campaigns/${each}`, { drip_campaign: body });
      await take('POST', `/drip_campaigns/${each}/start`);
    }
    const [status, , fields] = await refused(
      call('PATCH', `/drip_campaigns/${id}`, { drip_campaign: { [missing]: null } }),
    );
    assert.deepEqual([status, fields], [409, named], 'but not while it runs');
  }
});

test('of two starts at the same instant one wins', async () => {
  const clinic = await openClinic();
  const { call, addDrip } = clinic;
  const id = await addDrip();
  const starts = await Promise.all(Array.from({ length: 6 }, () => call('POST', `/drip_campaigns/${id}/start`, {})));
  const statuses = starts.map(({ status }) => String(status)).toSorted();
  assert.deepEqual(statuses.join(' '), '200 409 409 409 409 409');
  assert.equal((await sendsOf(clinic, id)).length, 2);
});

test('start takes a body, an empty one, or none', async () => {
  const { app, customer, call, addDrip } = await openClinic();
  const path = async () => `/v1/marketing/drip_campaigns/${await addDrip()}/start`;
  const headers = { 'content-type': 'application/json' };
  const { key } = customer;
  assert.equal((await app.request('POST', await path(), { key })).status, 200);
  assert.equal((await app.request('POST', await path(), { key, headers, raw: '' })).status, 200);
  assert.equal((await app.request('POST', await path(), { key, body: { enroll_existing: false } })).status, 200);
  assert.equal((await call('POST', `/drip_campaigns/${await addDrip()}/start`, { enroll_existing: {} })).status, 400);
});

test('a start takes the mailings as they are by then', async () => {
  const clinic = await openClinic();
  const { mailingId, take, addDrip, read } = clinic;
  const id = await addDrip();
  await take('PATCH', `/campaign_mailings/${mailingId}`, { campaign_mailing: { html_part: '<p>New</p>' } });
  assert.deepEqual((await read(id)).outdated_steps, ['hello', 'again']);
  await take('POST', `/drip_campaigns/${id}/start`);
  const drip = await read(id);
  assert.deepEqual([drip.version, drip.live_version, drip.outdated_steps], [2, 2, []]);
  assert.deepEqual(
    (await sendsOf(clinic, id)).map(({ drip_version, version }) => [drip_version, version]),
    [
      [2, 2],
      [2, 2],
    ],
  );
});

test('a drip wants to be told of what people wait for in it, and of its goal', async () => {
  const clinic = await openClinic();
  const { listId, formId, mailingId, take, addDrip } = clinic;
  const id = await addDrip({
    start_trigger: 'form_submitted',
    form_id: formId,
    goal: { event: 'booked' },
    steps: [
      { type: 'wait', for: { event: 'opened', campaign_mailing_id: mailingId }, timeout: { days: 1 } },
      { type: 'wait', for: { event: 'opened', campaign_mailing_id: mailingId }, timeout: { days: 2 } },
    ],
  });
  assert.deepEqual(await interestsOf(clinic, id), []);
  await take('POST', `/drip_campaigns/${id}/start`);
  const wanted = ['custom booked', 'deleted', `enters by form_submitted ${formId}`, `left ${listId}`];
  assert.deepEqual(await interestsOf(clinic, id), [...wanted, `opened ${mailingId}`, 'opted_out', 'suppressed']);
  await take('PATCH', `/drip_campaigns/${id}`, { drip_campaign: { goal: { event: 'paid' } } });
  assert.ok((await interestsOf(clinic, id)).includes('custom paid'));
  assert.ok(!(await interestsOf(clinic, id)).includes('custom booked'));
  for (const start_trigger of ['manual', 'date_field']) {
    const other = await addDrip({
      start_trigger,
      ...(start_trigger === 'date_field' && { date: { field: 'created_at' } }),
    });
    await take('POST', `/drip_campaigns/${other}/start`);
    assert.ok(
      (await interestsOf(clinic, other)).every((each) => !each.startsWith('enters')),
      start_trigger,
    );
  }
});

test('what a drip that is under way stands on cannot be changed, and the field is named', async () => {
  const { app, customer, listId, formId, call, take, addDrip } = await openClinic();
  const other = await addList(app, customer, [], 'Other');
  const [joined, dated] = [
    await addDrip(),
    await addDrip({ start_trigger: 'date_field', date: { field: 'created_at', days: 1 } }),
  ];
  for (const id of [joined, dated]) await take('POST', `/drip_campaigns/${id}/start`);
  await take('POST', `/drip_campaigns/${dated}/pause`);
  const wrong: [string, object, string][] = [
    [joined, { subscription_list_id: other }, 'subscription_list_id'],
    [joined, { start_trigger: 'manual' }, 'start_trigger'],
    [joined, { form_id: formId }, 'form_id'],
    [dated, { date: { field: 'created_at', days: 2 } }, 'date'],
    [dated, { date: null }, 'date'],
  ];
  for (const [id, drip_campaign, name] of wrong) {
    const [status, , named] = await refused(call('PATCH', `/drip_campaigns/${id}`, { drip_campaign }));
    assert.deepEqual([status, named], [409, [`drip_campaign.${name}`]]);
  }
  const same = { subscription_list_id: listId, start_trigger: 'subscription', form_id: null, date: null };
  await take('PATCH', `/drip_campaigns/${joined}`, { drip_campaign: same });
  const drip_campaign = { date: { field: 'created_at', every: 'once', days: 1, time: '09:00' } };
  await take('PATCH', `/drip_campaigns/${dated}`, { drip_campaign });
});

test('a list that is taken away ends its drips, drafts too', async () => {
  const clinic = await openClinic();
  const { app, customer, call, take, addDrip, read } = clinic;
  const gone = await addList(app, customer, [], 'Gone');
  const [draft, running, elsewhere] = [
    await addDrip({ subscription_list_id: gone }),
    await addDrip({ subscription_list_id: gone }),
    await addDrip(),
  ];
  for (const id of [running, elsewhere]) await take('POST', `/drip_campaigns/${id}/start`);
  await take('DELETE', `/subscription_lists/${gone}`);
  const states = await Promise.all([draft, running, elsewhere].map(async (id) => (await read(id)).state));
  assert.deepEqual(states, ['completed', 'completed', 'running']);
  assert.deepEqual(await statesOf(clinic, running), ['cancelled', 'cancelled']);
  assert.deepEqual(await interestsOf(clinic, running), []);
  const { subscription_list_id: id, subscription_list_name: name } = await read(running);
  assert.deepEqual([id, name], [gone, '']);
  const { data: copy } = await take('POST', `/drip_campaigns/${running}/copy`);
  assert.equal((await call('POST', `/drip_campaigns/${copy.id}/start`)).status, 409, 'its list is gone');
  await take('PATCH', `/drip_campaigns/${copy.id}`, { drip_campaign: { subscription_list_id: clinic.listId } });
  await take('POST', `/drip_campaigns/${copy.id}/start`);
});

test('whoever is on the list already enters where that is asked for', async (t) => {
  const clinic = await (await openApp(t, { CAREPOST_ROLES: 'http,worker' }))();
  const { app, customer, listId, take, addDrip } = clinic;
  const people = [
    await addPerson(app, customer, { email: 'ann@example.com' }, listId),
    await addPerson(app, customer, { email: 'bob@example.com' }, listId),
  ];
  const left = await addPerson(app, customer, { email: 'left@example.com' }, listId);
  await addPerson(app, customer, { email: 'elsewhere@example.com' });
  await take('POST', '/subscriptions/unsubscribe', { subscriber_ids: [left], subscription_list_ids: [listId] });
  const told = async () => {
    const query = `select subscriber_id from drip_facts where kind = 'enter' union select subscriber_id from drip_enrolments`;
    return (await rowsOf(app, query)).map(({ subscriber_id: id }) => String(id)).toSorted();
  };
  const quiet = await addDrip();
  await take('POST', `/drip_campaigns/${quiet}/start`);
  await take('POST', `/drip_campaigns/${quiet}/complete`);
  assert.deepEqual(await told(), []);
  const id = await addDrip();
  const { data } = await take('POST', `/drip_campaigns/${id}/start`, { enroll_existing: true });
  assert.equal(data.jids.length, 1);
  await eventually(async () => (await take('GET', `/bulk_jobs/${data.jids[0]}`)).data.pending === 0);
  assert.deepEqual(await told(), people.toSorted());
});
