import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Reply, startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { asOwner } from '../support/owner.ts';
import { signIn } from '../support/people-session.ts';

interface Entry {
  id: string;
  at: string;
  action: string;
  target: string | null;
  actor: { kind: string; id: string; name: string | null };
}

async function addForms(app: TestApp, { id, key }: TestCustomer, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const { body } = await app.request('POST', '/v1/forms/api/forms', {
      key,
      body: { customer_id: id, title: `Form ${n}`, form_json: {} },
    });
    ids.push(body.id);
  }
  return ids;
}

test('the log is read newest first, page by page, with names and filters, and never that of another customer', async (t) => {
  const app = await startApp(t);
  const customer = await app.createCustomer();
  const other = await app.createCustomer();
  const admin = await signIn(app, customer, 'admin');
  const [formId] = await addForms(app, customer, 3);
  await addForms(app, other, 2);
  const read = async (query = ''): Promise<Reply['body']> =>
    (await admin.request('GET', `/app/api/audit_log${query}`)).body;
  const all: Entry[] = (await read('?limit=200')).data;
  assert.deepEqual(
    all.map(({ id }) => id),
    all.map(({ id }) => id).toSorted((one, two) => (one < two ? 1 : -1)),
  );
  const pages: Entry[] = [];
  for (let next: string | null = ''; next !== null; ) {
    const page: { data: Entry[]; next: string | null } = await read(`?limit=2${next === '' ? '' : `&after=${next}`}`);
    pages.push(...page.data);
    next = page.next;
  }
  assert.deepEqual(pages, all);
  const byKey: Entry[] = (await read(`?actor=${customer.keyId}`)).data;
  assert.equal(byKey.length, 3);
  assert.ok(byKey.every(({ actor }) => actor.kind === 'key' && actor.name === 'test'));
  const made: Entry[] = (await read('?action=form.')).data;
  assert.equal(made.length, 3);
  const one: Entry[] = (await read(`?target=${formId}`)).data;
  assert.deepEqual(
    one.map(({ target }) => target),
    [formId],
  );
  assert.deepEqual((await read(`?to=${all.at(-1)?.at}`)).data, []);
  assert.equal((await read(`?from=${encodeURIComponent('2001-01-01T00:00:00Z')}`)).data.length, all.length);
  assert.equal((await admin.request('GET', '/app/api/audit_log?from=yesterday')).status, 400);
  assert.equal((await admin.request('GET', '/app/api/audit_log?after=there')).status, 400);
  const { body: actions } = await admin.request('GET', '/app/api/audit_log/actions');
  assert.ok(actions.data.includes('form.created'));
});

test('an act is found at the moment that the log tells, however long the clock has gone on meanwhile', async (t) => {
  let reads = 0;
  const startedAt = Date.now();
  const app = await startApp(t, { clock: { now: () => new Date(startedAt + reads++) } });
  const customer = await app.createCustomer();
  const admin = await signIn(app, customer, 'admin');
  await addForms(app, customer, 3);
  const all: Entry[] = (await admin.request('GET', '/app/api/audit_log?limit=200')).body.data;
  assert.ok(all.length > 3);
  for (const { id, at } of all) {
    const { body } = await admin.request('GET', `/app/api/audit_log?limit=200&from=${at}`);
    assert.ok(body.data.some((each: Entry) => each.id === id));
    const { body: before } = await admin.request('GET', `/app/api/audit_log?limit=200&to=${at}`);
    assert.ok(before.data.every((each: Entry) => each.id !== id));
  }
});

test('the export holds every row that fits, is safe for spreadsheets, and stands in the log itself', async (t) => {
  const app = await startApp(t);
  const customer = await app.createCustomer();
  const admin = await signIn(app, customer, 'admin');
  await asOwner(app, (client) =>
    client.query(
      `insert into audit_log (id, customer_id, at, actor_kind, actor_id, action, target)
       select gen_random_uuid(), $1, now(), 'cli', 'test', 'bulk.tested', '=1+1' from generate_series(1, 2500)`,
      [customer.id],
    ),
  );
  const { status, text, headers } = await admin.request('GET', '/app/api/audit_log/csv?action=bulk.');
  assert.equal(status, 200);
  assert.match(headers.get('content-disposition') ?? '', /audit-log-\d{4}-\d\d-\d\d\.csv/);
  const lines = text.trimEnd().split('\r\n');
  assert.equal(lines.length, 2501);
  assert.ok(lines.slice(1).every((line) => line.includes(",'=1+1,")));
  const { body } = await admin.request('GET', '/app/api/audit_log?action=audit-log.exported');
  assert.equal(body.data[0].actor.name, admin.email);
});

test('a verification runs in the background and tells what it found', async (t) => {
  const app = await startApp(t, { env: { CAREPOST_ROLES: 'http,worker' } });
  const customer = await app.createCustomer();
  const admin = await signIn(app, customer, 'admin');
  const path = '/app/api/audit_log/verification';
  assert.equal((await admin.request('GET', path)).body.state, 'never');
  await addForms(app, customer, 2);
  const sealed = () =>
    asOwner(app, async (client) => {
      const { rows } = await client.query(
        `select count(*)::int as sealed from audit_log join audit_chain on audit_id = id
         where audit_log.customer_id = $1 and action = 'form.created'`,
        [customer.id],
      );
      return rows[0].sealed === 2;
    });
  await eventually(sealed);
  assert.equal((await admin.request('POST', path)).body.state, 'running');
  const sound = await eventually(async () => {
    const { body } = await admin.request('GET', path);
    return body.state !== 'running' && body;
  });
  assert.equal(sound.state, 'sound');
  assert.ok(sound.checked >= 2);
  assert.equal(sound.fault, null);
  await asOwner(app, async (client) => {
    await client.query('alter table audit_log disable trigger all');
    await client.query(
      `update audit_log set action = 'form.deleted' where customer_id = $1 and action = 'form.created'`,
      [customer.id],
    );
    await client.query('alter table audit_log enable trigger all');
  });
  await admin.request('POST', path);
  const broken = await eventually(async () => {
    const { body } = await admin.request('GET', path);
    return body.state !== 'running' && body;
  });
  assert.equal(broken.state, 'broken');
  assert.match(broken.fault.reason, /changed/);
});
