import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { asOwner } from '../support/owner.ts';
import { signIn } from '../support/people-session.ts';

const PLACES = ['customers', 'queues', 'nodes', 'jobs', 'storage', 'health'];

test('an operator makes a customer, whose owner comes in by the link and finds everything but an agreement', async (t) => {
  const app = await startApp(t);
  const operator = await signIn(app, null, 'operator');
  const wanted = { name: 'Elm Street Clinic', username: 'elm', owner_email: 'dana@example.org' };
  const make = (body: object) => operator.request('POST', '/app/api/operator/customers', { body });
  const made = await make(wanted);
  assert.equal(made.status, 201);
  assert.equal((await make({ ...wanted, owner_email: 'other@example.org' })).status, 409, 'the username is taken');
  assert.deepEqual((await make({ ...wanted, username: 'oak' })).body.fields, { owner_email: ['is taken'] });
  assert.equal((await make({ ...wanted, username: 'Not one', owner_email: 'x@example.org' })).status, 400);
  assert.deepEqual((await make({ ...wanted, username: 'oak', owner_email: 'dana' })).body.fields, {
    owner_email: ['takes an email address'],
  });
  assert.equal((await make({ ...wanted, username: 'oak', owner_email: 'o@example.org' })).status, 201, 'still free');
  const token = new URL(made.body.setup_url).hash.slice(1);
  const password = 'seven quiet lanterns float';
  assert.equal((await app.request('POST', '/app/api/setup', { body: { token, password } })).status, 200);
  const { body, headers } = await operator.request('GET', '/app/api/operator/customers');
  assert.equal(headers.get('cache-control'), 'no-store');
  const [line] = body.data;
  assert.equal(line.id, made.body.id);
  assert.deepEqual(
    [line.name, line.username, line.users, line.keys, line.agreement_in_force],
    ['Elm Street Clinic', 'elm', 1, 0, false],
  );
});

test('an operator sees counts of customers and nothing that they hold', async (t) => {
  const app = await startApp(t);
  const customer = await app.createCustomer();
  const operator = await signIn(app, null, 'operator');
  const secret = 'Very private matter';
  const form = {
    customer_id: customer.id,
    title: secret,
    active: true,
    form_json: { fields: [{ name: 'answer', type: 'text' }] },
  };
  const { body: made } = await app.request('POST', '/v1/forms/api/forms', { key: customer.key, body: form });
  const sent = { form_data: { answer: secret } };
  await app.request('POST', `/api/forms/${made.id}/submissions`, { body: sent });
  const subscriber = { email: 'robin@example.com', last_name: secret };
  await app.request('POST', '/v1/marketing/subscribers', { key: customer.key, body: { subscriber } });
  for (const place of PLACES) {
    const { status, text, headers } = await operator.request('GET', `/app/api/operator/${place}`);
    assert.equal(status, 200, place);
    assert.equal(headers.get('cache-control'), 'no-store', place);
    assert.ok(!text.includes(secret) && !text.includes('robin@'), place);
  }
  const { body } = await operator.request('GET', '/app/api/operator/customers');
  const [line] = body.data;
  assert.deepEqual([line.forms, line.submissions, line.subscribers, line.agreement_in_force], [1, 1, 1, true]);
});

test('nobody of a customer opens what is for operators, and no operator what is for customers', async (t) => {
  const app = await startApp(t);
  const customer = await app.createCustomer();
  const owner = await signIn(app, customer, 'owner');
  const operator = await signIn(app, null, 'operator');
  for (const place of PLACES) {
    assert.equal((await owner.request('GET', `/app/api/operator/${place}`)).status, 403, place);
  }
  for (const path of [
    '/app/api/team',
    '/app/api/home',
    '/app/api/audit_log',
    '/app/api/customer',
    '/v1/forms/api/forms',
  ]) {
    assert.ok([401, 403].includes((await operator.request('GET', path)).status), path);
  }
});

test('queues count what waits and what is late, whoever it belongs to', async (t) => {
  const app = await startApp(t);
  const customer = await app.createCustomer();
  const operator = await signIn(app, null, 'operator');
  const message = {
    recipients: ['a@example.com', 'b@example.com'],
    headers: { from: 'c@example.org', subject: 'Hello' },
  };
  await app.request('POST', '/v1/email/messages', { key: customer.key, body: { data: { message } } });
  const queue = async () => {
    const { body } = await operator.request('GET', '/app/api/operator/queues');
    return body.data.find(({ name }: { name: string }) => name === 'messages');
  };
  const fresh = await queue();
  assert.deepEqual([fresh.waiting, fresh.due, fresh.late, fresh.more], [2, 2, 0, false]);
  await asOwner(app, (client) =>
    client.query(`update message_recipients set due_at = now() - interval '1 hour' where ordinal = 0`),
  );
  assert.equal((await queue()).late, 1);
  const { body: health } = await operator.request('GET', '/app/api/operator/health');
  const check = (name: string) => health.checks.find((each: { name: string }) => each.name === name);
  assert.deepEqual(check('queues'), { name: 'queues', state: 'poor', measured: 1 });
  assert.equal(check('database').state, 'good');
  assert.equal(check('worker').state, 'poor', 'no worker runs here');
  assert.equal(check('certificate').state, 'unknown');
  assert.ok(check('disk').measured > 0);
});

test('every node that runs is listed, and leaves the list when it stops', async (t) => {
  const app = await startApp(t);
  const beside = await startApp(t, { beside: app, env: { CAREPOST_ROLES: 'worker' } });
  const operator = await signIn(app, null, 'operator');
  const nodes = async (): Promise<{ roles: string[]; state: string }[]> =>
    (await operator.request('GET', '/app/api/operator/nodes')).body.data;
  const both = await nodes();
  assert.deepEqual(both.map(({ roles }) => roles.join()).toSorted(), ['http', 'worker']);
  assert.ok(both.every(({ state }) => state === 'there'));
  const { body: health } = await operator.request('GET', '/app/api/operator/health');
  assert.equal(health.checks.find(({ name }: { name: string }) => name === 'worker').state, 'good');
  await beside.stop();
  assert.deepEqual(
    (await nodes()).map(({ roles }) => roles.join()),
    ['http'],
  );
  await asOwner(app, (client) => client.query(`update nodes set seen_at = now() - interval '1 minute'`));
  const [silent] = await nodes();
  assert.equal(silent?.state, 'away');
});

test('a job that failed is listed without its words, and begins again when it is asked to', async (t) => {
  const app = await startApp(t);
  const operator = await signIn(app, null, 'operator');
  const secret = 'Ann Lee has measles';
  await asOwner(app, async (client) => {
    await client.query(`select graphile_worker.add_job('webhook.tell-owner', '{"customerId": 1}')`);
    await client.query(`update graphile_worker._private_jobs set attempts = 25, max_attempts = 25,
      run_at = now() + interval '1 hour', last_error = '${secret}: ECONNREFUSED 10.0.0.1'`);
  });
  const jobs = async () => (await operator.request('GET', '/app/api/operator/jobs')).body.data;
  const [failed] = await jobs();
  assert.deepEqual(
    [failed.task, failed.state, failed.attempts, failed.error],
    ['webhook.tell-owner', 'given_up', 25, 'ECONNREFUSED'],
  );
  assert.ok(!JSON.stringify(await jobs()).includes('Ann'));
  assert.equal((await operator.request('POST', `/app/api/operator/jobs/${failed.id}/retry`)).status, 200);
  const [again] = await jobs();
  assert.equal(again.attempts, 0);
  assert.ok(Date.parse(again.run_at) <= Date.now() + 1_000);
  for (const id of ['999999', '0', 'x', '9'.repeat(30)]) {
    assert.equal((await operator.request('POST', `/app/api/operator/jobs/${id}/retry`)).status, 404, id);
  }
  const recorded = await eventually(() =>
    asOwner(app, async (client) => {
      const { rows } = await client.query(
        `select target from audit_log where customer_id = 0 and action = 'job.retried'`,
      );
      return rows[0];
    }),
  );
  assert.equal(recorded.target, failed.id);
});

test('storage tells sizes of the database, its tables and the disk', async (t) => {
  const app = await startApp(t);
  const operator = await signIn(app, null, 'operator');
  const { body } = await operator.request('GET', '/app/api/operator/storage');
  assert.ok(body.database_bytes > 1_000_000);
  assert.ok(body.tables.length > 5);
  assert.ok(
    body.tables.every(({ name }: { name: string }) => !/_\d{4}/.test(name)),
    'parts are counted as one table',
  );
  assert.ok(body.disk_free_bytes > 0 && body.disk_free_bytes <= body.disk_total_bytes);
});
