import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { loadSigningKey } from '../../src/accounts/index.ts';
import { sweepContents } from '../../src/email/index.ts';
import { sweepDrafts, sweepLinks, sweepSubmissions } from '../../src/forms/index.ts';
import { resumeImports } from '../../src/marketing/index.ts';
import { type Database, openDatabase } from '../../src/platform/db/database.ts';
import { submitted } from '../submissions/submitting.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { addForm } from '../support/forms.ts';
import { messageTo, send } from '../support/mail.ts';
import { asOwner } from '../support/owner.ts';
import { type SignedIn, signIn } from '../support/people-session.ts';
import { createTestTasks } from '../support/tasks.ts';

const DAY = 24 * 3600_000;
const ANN = 'ann@example.com';

const clock = createMovableClock();
let app: TestApp;
let customer: TestCustomer;
let owner: SignedIn;
let worker: Database;
before(async (t) => {
  app = await startApp(t as TestContext, { clock });
  customer = await app.createCustomer();
  owner = await signIn(app, customer, 'owner');
  worker = openDatabase(app.installation, 'worker', 1);
  (t as TestContext).after(() => worker.close());
});

const ask = (method: string, path: string, body?: object) =>
  app.request(method, `/v1${path}`, { key: customer.key, ...(body && { body }) });

async function hold(body: object): Promise<() => Promise<void>> {
  const set = await owner.request('POST', '/app/api/holds', { body: { reason: 'Lee v. Clinic', ...body } });
  assert.equal(set.status, 201, set.text);
  return async () => {
    const path = `/app/api/holds/${set.body.id}/release`;
    assert.equal((await owner.request('POST', path, { body: { reason: 'Settled' } })).status, 200);
  };
}

/** What is refused while a hold stands, and is done once it is released. */
async function keptBy(body: object, remove: () => Promise<{ status: number; text: string }>): Promise<void> {
  const release = await hold(body);
  const refused = await remove();
  assert.equal(refused.status, 409, refused.text);
  assert.match(refused.text, /legal hold/);
  await release();
  const done = await remove();
  assert.ok(done.status < 300, done.text);
}

test('a submission is kept by a hold on itself, on its form, on its submitter and on everything', async () => {
  const formId = await addForm(app, customer.id, { form_json: { fields: [{ type: 'email', name: 'email' }] } });
  for (const about of ['submission', 'form', 'person', 'customer']) {
    const id = await submitted(app, formId, { form_data: { email: ANN } });
    const target = { submission: id, form: formId }[about];
    const held = { kind: about, ...(target === undefined ? {} : { target }), email: ` ${ANN.toUpperCase()}` };
    await keptBy(held, () => ask('DELETE', `/forms/api/forms/${formId}/submissions/${id}`));
  }
});

test('a hold on one person or object keeps nothing of another', async () => {
  const formId = await addForm(app, customer.id, { form_json: { fields: [{ type: 'email', name: 'email' }] } });
  const [one, other] = [
    await submitted(app, formId, { form_data: { email: ANN } }),
    await submitted(app, formId, { form_data: { email: 'bob@example.com' } }),
  ];
  const release = await hold({ kind: 'person', email: ANN });
  assert.equal((await ask('DELETE', `/forms/api/forms/${formId}/submissions/${other}`)).status, 200);
  assert.equal((await ask('DELETE', `/forms/api/forms/${formId}/submissions/${one}`)).status, 409);
  await release();
});

test('retention passes over submissions and drafts that are held, and takes the others', async () => {
  const formId = await addForm(app, customer.id, {
    form_json: { fields: [{ type: 'email', name: 'email' }] },
    retention_days: 10,
  });
  const [held, free] = [
    await submitted(app, formId, { form_data: { email: ANN } }),
    await submitted(app, formId, { form_data: { email: 'bob@example.com' } }),
  ];
  const release = await hold({ kind: 'submission', target: held });
  const later = { now: () => new Date(clock.now().getTime() + 11 * DAY) };
  const sweep = async () =>
    sweepSubmissions({
      db: worker,
      store: app.installation.blobStore,
      clock: later,
      signingKey: await loadSigningKey(app.installation),
    });
  const left = () =>
    asOwner(app, async (client) => {
      const { rows } = await client.query('select id from submissions where id = any($1)', [[held, free]]);
      return rows.map((row) => row.id);
    });
  await sweep();
  assert.deepEqual(await left(), [held]);
  const drafts = () =>
    asOwner(
      app,
      async (client) => (await client.query('select from form_drafts where form_id = $1', [formId])).rowCount,
    );
  await asOwner(app, (client) =>
    client.query(
      `insert into form_drafts (id, customer_id, form_id, held_hash, once_index, sealed, created_at, updated_at, expires_at)
       select gen_random_uuid(), $1, $2, int4send(n), int4send(n), '', now(), now(), now()
       from generate_series(1, 201) n`,
      [customer.id, formId],
    ),
  );
  const releaseForm = await hold({ kind: 'form', target: formId });
  await sweepDrafts({ db: worker, clock: later });
  assert.equal(await drafts(), 201, 'more than a page of drafts that are held does not stop the sweep');
  await releaseForm();
  await sweepDrafts({ db: worker, clock: later });
  assert.equal(await drafts(), 0);
  await release();
  await sweep();
  assert.deepEqual(await left(), []);
});

test('content of messages stays while the message or a recipient is held', async () => {
  const messages: string[] = [];
  for (const to of ['carl@example.com', 'dora@example.com', 'eve@example.com']) {
    messages.push(await send(app, customer.key, messageTo(to)));
  }
  const settle =
    'update message_recipients set state = $2, due_at = null, settled_at = now() where message_id = any($1)';
  await asOwner(app, (client) => client.query(settle, [messages, 'delivered']));
  const releases = [
    await hold({ kind: 'message', target: messages[0] }),
    await hold({ kind: 'person', email: 'dora@example.com' }),
  ];
  const kept = () =>
    asOwner(app, async (client) => {
      const { rows } = await client.query('select id from message_contents where id = any($1) order by id', [messages]);
      return rows.map((row) => row.id);
    });
  const later = { now: () => new Date(clock.now().getTime() + 31 * DAY) };
  await sweepContents({ db: worker, clock: later }, app.installation.config.retention);
  assert.deepEqual(await kept(), messages.slice(0, 2).toSorted());
  for (const release of releases) await release();
  await sweepContents({ db: worker, clock: later }, app.installation.config.retention);
  assert.deepEqual(await kept(), []);
});

test('links of a form stay while the form is held, however old they are', async () => {
  const formId = await addForm(app, customer.id);
  const expires_at = new Date(clock.now().getTime() + DAY).toISOString();
  const made = await ask('POST', `/forms/api/forms/${formId}/links`, { count: 2, expires_at });
  const [first] = made.body.data;
  const left = async () => (await ask('GET', `/forms/api/forms/${formId}/links`)).body.total;
  const later = { now: () => new Date(clock.now().getTime() + 2 * DAY) };
  await keptBy({ kind: 'form', target: formId }, () => ask('DELETE', `/forms/api/forms/${formId}/links/${first.id}`));
  const release = await hold({ kind: 'form', target: formId });
  await sweepLinks({ db: worker, clock: later });
  assert.equal(await left(), 1);
  await release();
  await sweepLinks({ db: worker, clock: later });
  assert.equal(await left(), 0);
});

/** Makes one export of each kind, an import and a dry run; answers the table and id of each. */
async function workThrough(formId: string): Promise<{ table: string; id: string }[]> {
  const tasks = await createTestTasks(app.installation, worker);
  const made: { table: string; id: string }[] = [];
  const work = async (table: string, task: string, id: string) => {
    await tasks[task]?.({ customerId: customer.id, jobId: id, importId: id });
    made.push({ table, id });
  };
  const formExport = await ask('POST', `/forms/api/forms/${formId}/export_jobs`, { format: 'csv' });
  await work('form_export_jobs', 'forms.export', formExport.body.data.id);
  const bulk = await ask('POST', '/marketing/subscribers_export_csv', { email: 'desk@example.org' });
  await work('bulk_jobs', 'marketing.bulk', bulk.body.data.jid);
  for (const dryRun of ['false', 'true']) {
    const { body } = await app.request('POST', `/v1/marketing/imports?dry_run=${dryRun}`, {
      key: customer.key,
      headers: { 'content-type': 'text/csv' },
      raw: 'email\nhan@example.com\n',
    });
    await work('imports', 'marketing.import', body.data.id);
  }
  return made;
}

/** The states of jobs that have a file. */
function keptFiles(jobs: { table: string; id: string }[]): Promise<string[]> {
  return asOwner(app, async (client) => {
    const kept: string[] = [];
    for (const { table, id } of jobs) {
      const { rows } = await client.query(
        `select state from ${table} j join blobs b on b.id = j.blob_id and b.customer_id = j.customer_id where j.id = $1`,
        [id],
      );
      kept.push(...rows.map(({ state }) => `${table}: ${state}`));
    }
    return kept;
  });
}

test('files of exports and imports stay while anything is held, and go with the first sweep after that', async () => {
  const formId = await addForm(app, customer.id);
  const release = await hold({ kind: 'person', email: ANN });
  const jobs = await workThrough(formId);
  const all = ['form_export_jobs: done', 'bulk_jobs: done', 'imports: done', 'imports: done'];
  assert.deepEqual(await keptFiles(jobs), all, 'that of an import too, which needs it no more');
  const installation = { ...app.installation, clock: { now: () => new Date(clock.now().getTime() + 8 * DAY) } };
  const tasks = await createTestTasks(installation, worker);
  await tasks['sweep.hourly']?.({});
  assert.deepEqual(await keptFiles(jobs), all, 'held');
  const deleted = await ask('DELETE', `/forms/api/forms/export_jobs/${jobs[0]?.id}`);
  assert.deepEqual([deleted.status, /legal hold/.test(deleted.text)], [409, true]);

  await release();
  await (await createTestTasks(app.installation, worker))['sweep.hourly']?.({});
  const kept = all.filter((_, place) => place !== 2);
  assert.deepEqual(await keptFiles(jobs), kept, 'the import is over, the others have their seven days');
  await tasks['sweep.hourly']?.({});
  assert.deepEqual(await keptFiles(jobs), []);
  assert.equal(
    (await ask('POST', `/marketing/imports/${jobs[3]?.id}/start`)).status,
    409,
    'a dry run without its file',
  );
});

test('a form export goes with a submission that is destroyed, though something else is held', async () => {
  const formId = await addForm(app, customer.id, { form_json: { fields: [{ type: 'email', name: 'email' }] } });
  const id = await submitted(app, formId, { form_data: { email: 'bob@example.com' } });
  const [made] = await workThrough(formId);
  assert.ok(made !== undefined);
  const release = await hold({ kind: 'person', email: ANN });
  assert.equal((await ask('DELETE', `/forms/api/forms/${formId}/submissions/${id}`)).status, 200);
  assert.deepEqual(await keptFiles([made]), []);
  await release();
});

test('forms, people, lists, segments and suppressions are kept too', async () => {
  const formId = await addForm(app, customer.id);
  await keptBy({ kind: 'form', target: formId }, () => ask('DELETE', `/forms/api/forms/${formId}`));
  const person = await ask('POST', '/marketing/subscribers', { subscriber: { email: 'Fay@example.com' } });
  await keptBy({ kind: 'person', email: 'fay@example.com' }, () =>
    ask('DELETE', `/marketing/subscribers/${person.body.data.id}`),
  );
  const list = await ask('POST', '/marketing/subscription_lists', { name: 'L' });
  await keptBy({ kind: 'customer' }, () => ask('DELETE', `/marketing/subscription_lists/${list.body.data.id}`));
  const filters = [[{ field: 'email', op: 'is', terms: ['fay@example.com'] }]];
  const segment = await ask('POST', '/marketing/dynamic_lists', { name: 'S', filters });
  await keptBy({ kind: 'person', email: ANN }, () => ask('DELETE', `/marketing/dynamic_lists/${segment.body.data.id}`));
  await ask('POST', '/email/suppressions', { address: 'gil@example.com' });
  await keptBy({ kind: 'person', email: 'gil@example.com' }, () =>
    ask('DELETE', '/email/suppressions?address=gil%40example.com'),
  );
});

const addPerson = async (email: string, more: object = {}) =>
  (await ask('POST', '/marketing/subscribers', { subscriber: { email }, ...more })).body.data.id as string;

const rowsOf = async (query: string, ...values: unknown[]) =>
  asOwner(app, async (client) => (await client.query(query, values)).rows);

test('who is held keeps the address by which the hold finds them, and changes else', async () => {
  const path = `/marketing/subscribers/${await addPerson('Gus@example.com', { first_name: 'Gus' })}`;
  const change = (method: string, subscriber: object) => ask(method, path, { subscriber });
  const release = await hold({ kind: 'person', email: 'gus@example.com' });
  for (const email of ['august@example.com', '']) {
    for (const method of ['PATCH', 'PUT']) {
      const refused = await change(method, { email, phone_number: '+14155550123' });
      assert.deepEqual([refused.status, /legal hold/.test(refused.text)], [409, true]);
    }
  }
  const kept = await change('PATCH', { email: 'GUS@example.com', first_name: 'August' });
  assert.deepEqual([kept.status, kept.body.data.attributes.first_name], [200, 'August']);
  await release();
  for (const other of [{ kind: 'person', email: ANN }, { kind: 'customer' }]) {
    const releaseOther = await hold(other);
    const email = `${other.kind}@example.com`;
    assert.equal((await change('PATCH', { email })).status, 200, 'no hold loses them by it');
    await releaseOther();
  }
});

test('a list is emptied but for people who are held, who are named', async () => {
  const subscription_list_id = (await ask('POST', '/marketing/subscription_lists', { name: 'Large' })).body.data.id;
  const held = await addPerson('ida@example.com', { subscription_list_id });
  await addPerson('jim@example.com', { subscription_list_id });
  await rowsOf(
    `insert into subscriptions (id, customer_id, subscription_list_id, subscriber_id, created_at, active)
     select gen_random_uuid(), $1, $2, gen_random_uuid(), now(), true from generate_series(1, 10000)`,
    customer.id,
    subscription_list_id,
  );
  const release = await hold({ kind: 'person', email: 'Ida@example.com' });
  const removed = await ask('DELETE', `/marketing/subscription_lists/${subscription_list_id}`);
  assert.deepEqual([removed.status, removed.body], [200, { held_subscriber_ids: [held] }]);
  assert.equal((await ask('GET', `/marketing/subscription_lists/${subscription_list_id}`)).status, 404);
  const tasks = await createTestTasks(app.installation, worker);
  await tasks['marketing.empty-list']?.({ customerId: customer.id, listId: Number(subscription_list_id) });
  assert.deepEqual(
    await rowsOf(
      'select subscriber_id, active from subscriptions where subscription_list_id = $1',
      subscription_list_id,
    ),
    [{ subscriber_id: held, active: false }],
  );
  assert.deepEqual(
    await rowsOf(
      `select action, details from audit_log where customer_id = $1 and target = $2 and action <> 'list.created'
       order by action`,
      customer.id,
      subscription_list_id,
    ),
    ['list.deleted', 'list.emptied'].map((action) => ({ action, details: { held: [held] } })),
  );
  await release();
});

test('a list that a hold keeps from being emptied is emptied within the hour after it is released', async () => {
  const subscription_list_id = (await ask('POST', '/marketing/subscription_lists', { name: 'Left' })).body.data.id;
  const held = await addPerson('una@example.com', { subscription_list_id });
  await rowsOf(
    `insert into subscriptions (id, customer_id, subscription_list_id, subscriber_id, created_at, active)
     select gen_random_uuid(), $1, $2, gen_random_uuid(), now(), true from generate_series(1, 10001)`,
    customer.id,
    subscription_list_id,
  );
  const releaseHer = await hold({ kind: 'person', email: 'una@example.com' });
  await ask('DELETE', `/marketing/subscription_lists/${subscription_list_id}`);
  const tasks = await createTestTasks(app.installation, worker);
  const peopleOn = async () =>
    (await rowsOf('select subscriber_id from subscriptions where subscription_list_id = $1', subscription_list_id)).map(
      ({ subscriber_id }) => subscriber_id,
    );
  /** Does the job of the list as often as it waits. */
  const work = async () => {
    const key = `empty-list/${subscription_list_id}`;
    const { length } = await rowsOf('select from graphile_worker.jobs where key = $1', key);
    await rowsOf('select graphile_worker.remove_job($1)', key);
    if (length > 0) await tasks['marketing.empty-list']?.({ customerId: customer.id, listId: +subscription_list_id });
    return length;
  };
  const releaseAll = await hold({ kind: 'customer' });
  assert.equal(await work(), 1);
  assert.equal((await peopleOn()).length, 2, 'a job that a hold stops has done what it can, and fails not');
  assert.equal(await work(), 0);
  await releaseAll();
  await tasks['sweep.hourly']?.({});
  assert.equal(await work(), 1);
  assert.deepEqual(await peopleOn(), [held]);
  await tasks['sweep.hourly']?.({});
  await work();
  assert.deepEqual(await peopleOn(), [held]);
  const told = await rowsOf(
    `select from audit_log where action = 'list.emptied' and target = $1`,
    subscription_list_id,
  );
  assert.equal(told.length, 1, 'it is told once who is held');
  await releaseHer();
  await tasks['sweep.hourly']?.({});
  await work();
  assert.deepEqual(await peopleOn(), []);
});

test('a place that a hold keeps on a list that is gone stays quiet, and no undo takes it for somebody’s wish', async () => {
  const listId = (await ask('POST', '/marketing/subscription_lists', { name: 'Gone' })).body.data.id;
  const other = (await ask('POST', '/marketing/subscription_lists', { name: 'There' })).body.data.id;
  const made = await app.request('POST', `/v1/marketing/imports?subscription_list_id=${listId}`, {
    key: customer.key,
    headers: { 'content-type': 'text/csv' },
    raw: 'email\nvic@example.com\nwyn@example.com\n',
  });
  const importId = made.body.data.id as string;
  const tasks = await createTestTasks(app.installation, worker);
  const work = () => tasks['marketing.import']?.({ customerId: customer.id, importId });
  await work();
  const emails = ['vic@example.com', 'wyn@example.com'];
  const known = () => rowsOf('select id, email from subscribers where email = any($1) order by email', emails);
  const people = (await known()).map(({ id }) => id as string);
  const releases = [];
  for (const email of emails) releases.push(await hold({ kind: 'person', email }));
  await ask('DELETE', `/marketing/subscription_lists/${listId}`);
  const places = () => rowsOf('select active from subscriptions where subscription_list_id = $1', listId);
  assert.deepEqual(await places(), [{ active: false }, { active: false }]);
  const joined = await ask('POST', '/marketing/subscriptions', {
    subscription: { subscription_list_id: other, subscriber_id: people[0] },
  });
  assert.equal(joined.status, 200);
  assert.deepEqual(await places(), [{ active: false }, { active: false }], 'who joins another list does not wake it');
  assert.deepEqual(await rowsOf('select from list_counts where subscription_list_id = $1 and active <> 0', listId), []);
  for (const release of releases) await release();
  await ask('POST', `/marketing/imports/${importId}/undo`);
  await work();
  assert.deepEqual(await places(), []);
  assert.deepEqual(
    (await known()).map(({ email }) => email),
    ['vic@example.com'],
    'who is on no other list goes',
  );
});

test('an undo waits for as long as a hold stands that keeps it from going on', async () => {
  const made = await app.request('POST', '/v1/marketing/imports', {
    key: customer.key,
    headers: { 'content-type': 'text/csv' },
    raw: 'email\nwim@example.com\n',
  });
  const importId = made.body.data.id as string;
  const tasks = await createTestTasks(app.installation, worker);
  const work = () => tasks['marketing.import']?.({ customerId: customer.id, importId });
  const standing = async () => {
    const { state, finished_at } = (await ask('GET', `/marketing/imports/${importId}`)).body.data.attributes;
    return [state, finished_at];
  };
  /** The imports that stand still are taken up by the clock of the server. */
  const later = async (ms: number) =>
    resumeImports({ db: worker, clock: { now: () => new Date(clock.now().getTime() + ms) } });
  await work();
  const [, finishedAt] = await standing();
  await ask('POST', `/marketing/imports/${importId}/undo`);
  const release = await hold({ kind: 'customer' });
  await rowsOf('update imports set attempts = 200 where id = $1', importId); // as it is after half an hour
  await work();
  await later(60_000);
  assert.deepEqual(await standing(), ['undoing', finishedAt]);
  await rowsOf('update imports set attempts = 200 where id = $1', importId);
  await later(120_000);
  assert.deepEqual(await standing(), ['failed', finishedAt], 'given up as nobody works on it, it ended when it did');
  await release();
  await ask('POST', `/marketing/imports/${importId}/undo`);
  await work();
  assert.deepEqual(await standing(), ['undone', finishedAt]);
});

test('an import is undone but for people who are held, who are named and stay as it left them', async () => {
  const subscription_list_id = (await ask('POST', '/marketing/subscription_lists', { name: 'Undone' })).body.data.id;
  for (const name of ['kim', 'liz']) await addPerson(`${name}@example.com`);
  const path = `/v1/marketing/imports?subscription_list_id=${subscription_list_id}`;
  const emails = ['kim', 'liz', 'max', 'nan'].map((name) => `${name}@example.com`);
  const raw = `email,first_name\n${emails.map((email) => `${email},Named\n`).join('')}`;
  const made = await app.request('POST', path, { key: customer.key, headers: { 'content-type': 'text/csv' }, raw });
  const importId = made.body.data.id;
  const tasks = await createTestTasks(app.installation, worker);
  const work = () => tasks['marketing.import']?.({ customerId: customer.id, importId });
  await work();
  const releases = [
    await hold({ kind: 'person', email: 'liz@example.com' }),
    await hold({ kind: 'person', email: 'nan@example.com' }),
  ];
  const everything = await hold({ kind: 'customer' });
  assert.equal((await ask('POST', `/marketing/imports/${importId}/undo`)).status, 409);
  await everything();
  assert.equal((await ask('POST', `/marketing/imports/${importId}/undo`)).status, 200);
  await work();
  const { state, removed, restored, kept, held_subscriber_ids } = (await ask('GET', `/marketing/imports/${importId}`))
    .body.data.attributes;
  const left = await rowsOf(
    `select s.id, s.email, s.first_name, c.id is not null as listed from subscribers s
     left join subscriptions c on c.subscriber_id = s.id and c.subscription_list_id = $2
     where s.email = any($1) order by s.email`,
    emails,
    subscription_list_id,
  );
  assert.deepEqual(
    left.map(({ email, first_name, listed }) => [email, first_name, listed]),
    [
      ['kim@example.com', null, false],
      ['liz@example.com', 'Named', true],
      ['nan@example.com', 'Named', true],
    ],
  );
  const ids: string[] = left.flatMap(({ id, listed }) => (listed ? [id] : []));
  assert.deepEqual({ state, removed, restored, kept }, { state: 'undone', removed: 1, restored: 1, kept: 0 });
  assert.deepEqual(held_subscriber_ids.toSorted(), ids.toSorted());
  for (const release of releases) await release();
});

test('only an owner sets holds, with a reason, on what is theirs; the operator’s are the operator’s to release', async () => {
  const admin = await signIn(app, customer, 'admin');
  const set = (body: object, who = owner) => who.request('POST', '/app/api/holds', { body });
  assert.equal((await set({ kind: 'customer', reason: 'x' }, admin)).status, 403);
  assert.deepEqual((await set({ kind: 'customer', reason: ' ' })).body.fields, { reason: ['must not be empty'] });
  assert.deepEqual((await set({ kind: 'person', reason: 'x' })).body.fields, { email: ['takes an email address'] });
  assert.equal((await set({ kind: 'form', target: 'none', reason: 'x' })).status, 404);
  const foreign = await addForm(app, (await app.createCustomer()).id);
  assert.equal((await set({ kind: 'form', target: foreign, reason: 'x' })).status, 403);

  const release = await hold({ kind: 'person', email: ANN });
  const { body } = await owner.request('GET', '/app/api/holds');
  const [first] = body.data;
  assert.deepEqual(
    [first.kind, first.email, first.reason, first.by_operator, first.released_at],
    ['person', ANN, 'Lee v. Clinic', false, null],
  );
  await release();
  const again = await owner.request('POST', `/app/api/holds/${first.id}/release`, { body: { reason: 'x' } });
  assert.equal(again.status, 409);
  await asOwner(app, (client) =>
    client.query(`update legal_holds set set_by_kind = 'cli', released_at = null, release = null where id = $1`, [
      first.id,
    ]),
  );
  const byOwner = await owner.request('POST', `/app/api/holds/${first.id}/release`, { body: { reason: 'x' } });
  assert.equal(byOwner.status, 403);
  const sealed = await asOwner(app, (client) => client.query('select row_to_json(h)::text as h from legal_holds h'));
  assert.equal(
    sealed.rows.some(({ h }) => h.includes(ANN) || h.includes('Lee')),
    false,
    'nothing of it is readable',
  );
  const { rows } = await asOwner(app, (client) =>
    client.query(
      `select action from audit_log where customer_id = $1 and details ->> 'hold' = $2 order by action desc`,
      [customer.id, first.id],
    ),
  );
  assert.deepEqual(rows, [{ action: 'hold.set' }, { action: 'hold.released' }]);
});
