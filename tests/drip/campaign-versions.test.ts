import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { addMailing, addPerson } from '../mailings/mailing.ts';
import { rowsOf } from '../marketing/support.ts';
import { eventually } from '../support/eventually.ts';
import { type Clinic, emailSteps, openApp, refused } from './campaign.ts';

let openClinic: () => Promise<Clinic>;
before(async (t) => {
  openClinic = await openApp(t as TestContext);
});

type Fields = Record<string, unknown>;

const wait = (id: string, event: string) => ({ id, type: 'wait', for: { event } });

const versionsOf = async ({ take }: Clinic, id: string) => (await take('GET', `/drip_campaigns/${id}/versions`)).data;
const newcomersOf = async ({ read }: Clinic, id: string) => {
  const { version, live_version: live, trial_version: trial, trial_share: share } = await read(id);
  return [version, live, trial, share];
};
const sentVersionsOf = async ({ app }: Clinic, id: string) => {
  const query = 'select distinct drip_version from campaign_mailing_sends where drip_id = $1 order by 1';
  return (await rowsOf(app, query, [id])).map(({ drip_version: version }) => version);
};

test('other steps are another version, and the same steps are not', async () => {
  const clinic = await openClinic();
  const { app, customer, mailingId, clock, call, take, addDrip, read } = clinic;
  const id = await addDrip();
  const save = async (drip_campaign: Fields) =>
    (await take('PUT', `/drip_campaigns/${id}`, { drip_campaign })).data.attributes.version;
  const { steps } = await read(id);
  assert.equal(await save({ steps }), 1);
  assert.equal(await save({ name: 'Renamed', sender_email: 'desk@example.org' }), 1, 'a draft mails nobody yet');
  clock.advance(1_000);
  assert.equal(await save({ steps: emailSteps(mailingId).slice(0, 2) }), 2);
  await take('PATCH', `/campaign_mailings/${mailingId}`, { campaign_mailing: { html_part: '<p>New</p>' } });
  assert.equal(await save({ name: 'Renamed again' }), 2, 'nothing was said of its steps');
  assert.deepEqual((await read(id)).outdated_steps, ['hello']);
  assert.equal(await save({ steps: emailSteps(mailingId).slice(0, 2) }), 3, 'the mailing is another one by now');
  assert.deepEqual((await read(id)).outdated_steps, []);
  const other = await addMailing(app, customer);
  assert.equal(await save({ steps: emailSteps(other).slice(0, 2) }), 4);

  const versions = await versionsOf(clinic, id);
  assert.deepEqual(
    versions.map(({ version, live, trial_share: share, waiting }: Fields) => [version, live, share, waiting]),
    [4, 3, 2, 1].map((version) => [version, false, null, 0]),
  );
  const { data: first } = await take('GET', `/drip_campaigns/${id}/versions/1`);
  assert.deepEqual(first.steps, steps, 'a version stays as it was');
  assert.equal(JSON.parse(first.drip_campaign_nodes).length, 3);
  assert.notEqual(first.created_at, versions[0].created_at);
  for (const number of ['5', '0', 'x', '99999999999']) {
    assert.equal((await call('GET', `/drip_campaigns/${id}/versions/${number}`)).status, 404, number);
  }
});

test('steps that are sent without ids are the same steps as before, and others have ids of their own', async () => {
  const { mailingId, clock, take, addDrip, read } = await openClinic();
  const steps = emailSteps(mailingId).map((step) => ({ ...step, id: null }));
  const id = await addDrip({ steps });
  await take('POST', `/drip_campaigns/${id}/start`);
  const save = async (sent: Fields[]) => {
    clock.advance(1_000);
    await take('PATCH', `/drip_campaigns/${id}`, { drip_campaign: { steps: sent } });
    const { version, steps: saved } = await read(id);
    return [version, ...saved.map((step: Fields) => step.id)];
  };
  assert.deepEqual(await save(steps), [1, 's1', 's2', 's3']);
  const more = [
    { type: 'email', campaign_mailing_id: mailingId, subject: 'Before' },
    { type: 'delay', days: 2 },
  ];
  for (let time = 0; time < 2; time += 1) {
    assert.deepEqual(await save([...more, ...steps]), [2, 's4', 's5', 's1', 's2', 's3']);
  }
  assert.deepEqual(await save(steps.slice(1)), [3, 's2', 's3']);
  assert.deepEqual(await save([...more, ...steps.slice(1)]), [4, 's6', 's7', 's2', 's3'], 'none comes back as another');
});

test('a new version of a running drip is for all newcomers, for a share, or only saved', async () => {
  const clinic = await openClinic();
  const { mailingId, call, take, addDrip } = clinic;
  const id = await addDrip();
  await take('POST', `/drip_campaigns/${id}/start`);
  const save = (count: number, more: Fields = {}) => {
    const steps = Array.from({ length: count }, (_, n) => ({
      type: 'email',
      campaign_mailing_id: mailingId,
      id: `m${n}`,
    }));
    return take('PATCH', `/drip_campaigns/${id}`, { drip_campaign: { steps, ...more } });
  };
  await save(1);
  assert.deepEqual(await newcomersOf(clinic, id), [2, 2, null, null]);
  await save(2, { publish_share: 20 });
  assert.deepEqual(await newcomersOf(clinic, id), [3, 2, 3, 20]);
  await save(3, { publish_share: 0 });
  assert.deepEqual(await newcomersOf(clinic, id), [4, 2, 3, 20]);
  assert.deepEqual(await sentVersionsOf(clinic, id), [1, 2, 3], 'what is only saved is not sent');
  const listed = await versionsOf(clinic, id);
  assert.deepEqual(
    listed.map(({ version, live, trial_share: share }: Fields) => [version, live, share]),
    [
      [4, false, null],
      [3, false, 20],
      [2, true, null],
      [1, false, null],
    ],
  );
  await take('PATCH', `/drip_campaigns/${id}`, { drip_campaign: { from_name: 'Another desk' } });
  assert.deepEqual(await newcomersOf(clinic, id), [5, 5, null, null], 'a send keeps to its sender');

  const publish = (body: Fields) => call('POST', `/drip_campaigns/${id}/publish`, body);
  assert.equal((await publish({ version: 4, share: 99 })).status, 200);
  assert.deepEqual(await newcomersOf(clinic, id), [5, 5, 4, 99]);
  assert.equal((await publish({ share: 0 })).status, 200);
  assert.deepEqual(await newcomersOf(clinic, id), [5, 5, null, null]);
  assert.equal((await publish({ version: '2', share: 100 })).status, 200);
  assert.deepEqual(await newcomersOf(clinic, id), [5, 2, null, null]);
  assert.deepEqual(await sentVersionsOf(clinic, id), [1, 2, 3, 4, 5]);
  for (const body of [{ share: 101 }, { share: -1 }, { share: 1.5 }, { share: null }, {}, { version: 1 }]) {
    assert.equal((await publish(body)).status, 400, JSON.stringify(body));
  }
  assert.equal((await publish({ version: 9, share: 100 })).status, 404);
  assert.equal((await publish({ version: 2, share: 10 })).status, 409, 'all newcomers get it already');
});

test('a version whose mailing is gone is not published', async () => {
  const { app, customer, mailingId, call, take, addDrip } = await openClinic();
  const id = await addDrip();
  await take('POST', `/drip_campaigns/${id}/start`);
  const saved = await addMailing(app, customer);
  for (const steps of [emailSteps(saved), emailSteps(mailingId)]) {
    await take('PATCH', `/drip_campaigns/${id}`, { drip_campaign: { steps, publish_share: 0 } });
  }
  await take('DELETE', '/campaign_mailings_bulk_delete', { campaign_mailing_ids: [saved] });
  const [status, error] = await refused(call('POST', `/drip_campaigns/${id}/publish`, { version: 2, share: 100 }));
  assert.equal(status, 409);
  assert.match(error, /step hello: /);
});

test('a version that would mail what has become health data since is neither published nor moved to', async () => {
  const { app, customer, mailingId, call, take, addDrip } = await openClinic();
  const { data: ward } = await take('POST', '/subscriber_custom_field_types', { name: 'Ward', class: 'personal' });
  const mailed = await addMailing(app, customer, { default_subject: 'About {{Ward}}' });
  const versions = [emailSteps(mailingId), emailSteps(mailed), emailSteps(mailingId).slice(0, 2)];
  const id = await addDrip({ steps: versions[0] });
  for (const steps of versions.slice(1)) await take('PATCH', `/drip_campaigns/${id}`, { drip_campaign: { steps } });
  await take('PATCH', `/campaign_mailings/${mailed}`, { campaign_mailing: { default_subject: 'About you' } });
  const named = [{ ...emailSteps(mailingId)[0], subject: 'About {{Ward}}' }];
  await take('PATCH', `/drip_campaigns/${id}`, { drip_campaign: { steps: named } });
  await take('PATCH', `/subscriber_custom_field_types/${ward.id}`, { class: 'phi' });
  const atStart = await refused(call('POST', `/drip_campaigns/${id}/start`));
  assert.match(atStart.join(' '), /^422 drip_campaign\.steps: step hello: subject: .*PHI/);
  await take('PATCH', `/drip_campaigns/${id}`, { drip_campaign: { steps: versions[0] } });
  await take('POST', `/drip_campaigns/${id}/start`);
  for (const version of [2, 4]) {
    const isPublished = await refused(call('POST', `/drip_campaigns/${id}/publish`, { version, share: 100 }));
    assert.match(isPublished.join(' '), /^422 version: step hello: subject: .*PHI/, `version ${version}`);
    const isMovedTo = await refused(call('POST', `/drip_campaigns/${id}/move`, { to_version: version }));
    assert.match(isMovedTo.join(' '), /^422 to_version: step hello: subject: .*PHI/, `version ${version}`);
  }
  await take('POST', `/drip_campaigns/${id}/publish`, { version: 3, share: 100 });
  await take('POST', `/drip_campaigns/${id}/move`, { to_version: 3 });
});

test('people go on by a newer version where that is asked for, each at a place of its own', async (t) => {
  const clinic = await (await openApp(t, { CAREPOST_ROLES: 'http,worker' }))();
  const { app, customer, clock, listId, call, take, addDrip } = clinic;
  const delay = { id: 'pause', type: 'delay', days: 3 };
  const isAnn = { field: 'first_name', op: 'is', terms: ['Ann'] };
  const fork = (steps: Fields[]) => ({
    id: 'who',
    type: 'branch',
    if: isAnn,
    then: [wait('ann', 'called')],
    else: steps,
  });
  const id = await addDrip({ steps: [fork([delay])] });
  await take('POST', `/drip_campaigns/${id}/start`);
  const people = [
    await addPerson(app, customer, { email: 'ann@example.com', first_name: 'Ann' }, listId),
    await addPerson(app, customer, { email: 'bob@example.com', first_name: 'Bob' }, listId),
  ];
  const placesOf = async () => {
    const query = `select subscriber_id, version, step, inside, due_at from drip_enrolments where drip_id = $1
      and state = 'active' and inside`;
    const rows = await rowsOf(app, query, [id]);
    return people.map((person) => {
      const { version, step, due_at: due } = rows.find((row) => row.subscriber_id === person) ?? {};
      return [version, step, due];
    });
  };
  const inADay = (days: number) => new Date(clock.now().getTime() + days * 24 * 3600_000);
  const first = [
    [1, 'ann', null],
    [1, 'pause', inADay(3)],
  ];
  await eventually(async () => JSON.stringify(await placesOf()) === JSON.stringify(first));
  assert.equal((await versionsOf(clinic, id))[0].waiting, 2);

  // The same delay is no longer there; the wait stays.
  const steps = [fork([{ id: 'longer', type: 'delay', days: 9 }])];
  await take('PATCH', `/drip_campaigns/${id}`, { drip_campaign: { steps } });
  const move = (body: Fields) => call('POST', `/drip_campaigns/${id}/move`, body);
  const [status, error] = await refused(move({ to_version: 2 }));
  assert.equal(status, 422);
  assert.match(error, /stand at pause$/);
  assert.equal((await move({ to_version: 2, steps: { pause: 'nowhere' } })).status, 422);
  assert.equal((await move({ to_version: 2, from_version: 2 })).status, 400);
  assert.equal((await move({ to_version: 3 })).status, 404);
  assert.equal((await move({ to_version: 99_999_999_999 })).status, 404);
  assert.equal((await move({ to_version: 2, from_version: 9 })).status, 400);
  const { data } = (await move({ from_version: 1, to_version: '2', steps: { pause: 'longer' } })).body;
  await eventually(async () => (await take('GET', `/bulk_jobs/${data.jid}`)).data.pending === 0);
  const second = [
    [2, 'ann', null],
    [2, 'longer', inADay(9)],
  ];
  await eventually(async () => JSON.stringify(await placesOf()) === JSON.stringify(second));
  const waiting = (await versionsOf(clinic, id)).map((each: Fields) => each.waiting);
  assert.deepEqual(waiting, [2, 0]);
  const { total_jobs: total, failures } = (await take('GET', `/bulk_jobs/${data.jid}`)).data;
  assert.deepEqual([total, failures], [2, 0]);
  await take('POST', `/drip_campaigns/${id}/complete`);
  assert.equal((await move({ to_version: 2 })).status, 409);
});

test('a move that is asked for again under its key is the same one', async () => {
  const { app, customer, mailingId, take, addDrip } = await openClinic();
  const id = await addDrip();
  await take('POST', `/drip_campaigns/${id}/start`);
  await take('PATCH', `/drip_campaigns/${id}`, { drip_campaign: { steps: emailSteps(mailingId).slice(0, 2) } });
  const move = () =>
    app.request('POST', `/v1/marketing/drip_campaigns/${id}/move`, {
      key: customer.key,
      headers: { 'idempotency-key': 'once' },
      body: { to_version: 2 },
    });
  const [first, again] = [await move(), await move()];
  assert.deepEqual([first.status, again.status, again.text], [200, 200, first.text]);
});

test('a publication that is asked for again under its key does not publish what was saved since', async () => {
  const clinic = await openClinic();
  const { app, customer, mailingId, take, addDrip } = clinic;
  const id = await addDrip();
  await take('POST', `/drip_campaigns/${id}/start`);
  const save = (steps: object[]) =>
    take('PATCH', `/drip_campaigns/${id}`, { drip_campaign: { steps, publish_share: 0 } });
  const publish = () =>
    app.request('POST', `/v1/marketing/drip_campaigns/${id}/publish`, {
      key: customer.key,
      headers: { 'idempotency-key': 'once' },
      body: { share: 100 },
    });
  await save(emailSteps(mailingId).slice(0, 2));
  const first = await publish();
  await save(emailSteps(mailingId));
  assert.deepEqual(await publish().then(({ status, text }) => [status, text]), [200, first.text]);
  assert.deepEqual(await newcomersOf(clinic, id), [3, 2, null, null]);
});

test('reports can be asked for what a drip sent', async () => {
  const [clinic, stranger] = [await openClinic(), await openClinic()];
  const { call, take, addDrip } = clinic;
  const id = await addDrip();
  await take('POST', `/drip_campaigns/${id}/start`);
  const table = '/analytics/campaign_mailing_sends_table';
  const sends = async (query: string) => (await take('GET', `${table}?${query}`)).data.length;
  assert.deepEqual([await sends(`drip_campaign_id=${id}`), await sends('email_type=drip')], [2, 2]);
  assert.equal(await sends('email_type=campaign'), 0);
  assert.equal(await sends(`drip_campaign_id=${await addDrip()}`), 0);
  assert.equal((await call('GET', `${table}?drip_campaign_id=999999`)).status, 404);
  assert.equal((await call('GET', `${table}?drip_campaign_id=${await stranger.addDrip()}`)).status, 403);
});
