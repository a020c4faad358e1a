import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, type TestContext, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { open, SUBMIT } from '../page/visitor.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';
import { addForm } from '../support/forms.ts';
import { asOwner } from '../support/owner.ts';
import { createHook, startReceiver } from '../support/webhook-receiver.ts';
import { base64, growth, idOf, kept, readBack, submit, submitted } from './submitting.ts';

const CREATED = 'forms.submission.created';

const clock = createMovableClock();
let app: TestApp;
before(async (t) => {
  app = await startApp(t as TestContext, { clock, env: { CAREPOST_ROLES: 'http,worker' } });
});

async function addList({ id }: TestCustomer, name = 'News'): Promise<number> {
  const now = new Date();
  const list = { customer_id: id, name, is_default: false, created_at: now, updated_at: now };
  const made = await app.installation.db.tenant([id], (tx) =>
    tx.insertInto('subscription_lists').values(list).returning('id').executeTakeFirstOrThrow(),
  );
  return made.id;
}

/** By which of two forms somebody comes: every fifth by both. */
function formsFor(at: number): (0 | 1)[] {
  if (at % 5 === 0) return [0, 1];
  return at % 2 === 0 ? [0] : [1];
}

function inOrder<Row extends { email: string; list: number }>(rows: Row[]): Row[] {
  return rows.toSorted((one, other) => one.email.localeCompare(other.email) || one.list - other.list);
}

async function countOf(customer: TestCustomer, formId: string): Promise<number> {
  const { body } = await app.request('GET', `/api/forms/${formId}`, { key: customer.key });
  return body.data.submission_count;
}

/** All that a customer's tables of one kind hold, as text. */
async function textOf({ id }: Pick<TestCustomer, 'id'>, ...tables: string[]): Promise<string> {
  const rows = await asOwner(app, async (client) => {
    const found: unknown[] = [];
    for (const table of tables) {
      found.push((await client.query(`select t::text from ${table} t where customer_id = $1`, [id])).rows);
    }
    return found;
  });
  return JSON.stringify(rows);
}

test('fifty submissions at once are all counted', async () => {
  const customer = await app.createCustomer();
  const [one, other] = [await addForm(app, customer.id), await addForm(app, customer.id)];
  const replies = await Promise.all(
    Array.from({ length: 50 }, (_, at) => submit(app, at % 5 === 0 ? other : one, { form_data: { at } })),
  );
  assert.ok(replies.every(({ status }) => status === 201));
  assert.equal(new Set(replies.map(idOf)).size, 50);
  assert.deepEqual([await countOf(customer, one), await countOf(customer, other)], [40, 10]);
  const { body } = await app.request('GET', `/api/forms/${one}/submissions?items=100`, { key: customer.key });
  assert.equal(body.total, 40);
  assert.equal(body.data.length, 40);
});

test('a mail to each address of the form says that there is a submission and where, and nothing else', async () => {
  const customer = await app.createCustomer();
  const mark = `mark${randomUUID().slice(0, 8)}`;
  const recipient = 'one@example.com, Two Too <two@example.com>,three@example.com';
  const formId = await addForm(app, customer.id, { title: `${mark} intake`, description: mark, recipient });
  const id = await submitted(app, formId, {
    form_data: { email: `${mark}@example.com`, [mark]: mark },
    attachments: [{ name: `${mark}.txt`, content: base64(mark) }],
    signature: { confirmed: true, name: mark },
  });
  const mails = await eventually(async () => {
    const { body } = await app.request('GET', '/v1/email/sandbox/messages', { key: customer.key });
    return body.data.length >= 3 && (body.data as Record<string, unknown>[]);
  });
  assert.deepEqual(mails.map(({ to }) => String(to)).toSorted(), [
    'one@example.com',
    'three@example.com',
    'two@example.com',
  ]);
  for (const mail of mails) {
    assert.match(String(mail.text), new RegExp(`https?://\\S+/forms/${formId}/submissions/${id}\\s`));
    assert.equal(mail.subject, 'A form was submitted');
    assert.deepEqual(mail.attachments, []);
    assert.ok(!JSON.stringify(mail).includes(mark), 'neither answer, title nor submitter');
    assert.ok(!JSON.stringify(mail).includes('/t/'), 'nothing is tracked');
  }
  assert.ok(!(await textOf(customer, 'messages', 'message_recipients')).includes(mark));
});

test('an address that a form names twice, however it is written, is told of a submission once', async () => {
  const customer = await app.createCustomer();
  const recipient = 'desk@example.org, Desk@Example.org,The desk <desk@example.org>, other@example.org';
  await submitted(app, await addForm(app, customer.id, { recipient }), { form_data: {} });
  const told = await asOwner(app, (client) =>
    client.query('select count(*)::int as mails from messages where customer_id = $1', [customer.id]),
  );
  assert.deepEqual(told.rows, [{ mails: 2 }]);
});

test('a form without addresses tells nobody', async () => {
  const customer = await app.createCustomer();
  await submitted(app, await addForm(app, customer.id, { recipient: null }), { form_data: {} });
  assert.equal(await textOf(customer, 'messages'), '[[]]');
});

test('a webhook tells of a submission by ids and time, signed, and of no answer', async (t) => {
  const customer = await app.createCustomer();
  const receiver = await startReceiver(t);
  const hook = await createHook(app, customer.key, { url: receiver.url, events: [CREATED] });
  const mark = `mark${randomUUID()}`;
  const formId = await addForm(app, customer.id, { title: mark });
  const id = await submitted(app, formId, { form_data: { email: `${mark}@example.com`, mark } });
  const [received] = await receiver.atLeast(1);
  assert.ok(received);
  const told = new Webhook(hook.secret).verify(received.raw, received.headers as Record<string, string>);
  const { created_at: time } = await readBack(app, customer, formId, id);
  const payload = { form_id: formId, submission_id: id, time };
  assert.deepEqual(told, { event_name: CREATED, payload });
  assert.equal(received.sequence, 1);
  assert.ok(!received.raw.includes(mark) && !JSON.stringify(received.headers).includes(mark));
});

test('a form with a list adds whoever submitted, by name and addresses, and overwrites nothing', async () => {
  for (const type of [null, 'marketing_form']) {
    const customer = await app.createCustomer();
    const subscription_list_id = await addList(customer);
    const mark = `mark${randomUUID()}`;
    const formId = await addForm(app, customer.id, { type, subscription_list_id });
    const form_data = {
      email: 'Ann <Ann@example.com>',
      first_name: 'Ann',
      phone: '+1 (415) 555-0123',
      diagnosis: mark,
      notes: [mark],
      [mark]: 'x',
    };
    await submitted(app, formId, { form_data });
    // Anybody can fill in a form with the address of somebody else.
    await submitted(app, formId, { form_data: { ...form_data, first_name: 'Mallory', lastName: 'Example' } });
    const people = await asOwner(app, async (client) => {
      const { rows } = await client.query(
        `select s.email, s.phone_number, s.first_name, s.last_name, n.subscription_list_id::int as list
         from subscribers s join subscriptions n on n.subscriber_id = s.id
         where s.customer_id = $1 and n.subscription_list_id = $2`,
        [customer.id, subscription_list_id],
      );
      return rows;
    });
    assert.equal(people.length, 1);
    assert.equal(people[0].email.toLowerCase(), 'ann@example.com');
    assert.deepEqual(
      { ...people[0], email: '' },
      { email: '', phone_number: '+14155550123', first_name: 'Ann', last_name: 'Example', list: subscription_list_id },
    );
    const all = await textOf(customer, 'subscribers', 'subscriptions', 'custom_field_types');
    assert.ok(!all.includes(mark) && !all.includes('diagnosis'));
  }
});

test('people who come at once by two forms join the lists of their own form, and every one is told of once', async () => {
  const customer = await app.createCustomer();
  await createHook(app, customer.key, { url: 'http://127.0.0.1:9/', events: [CREATED] });
  const lists = [await addList(customer), await addList(customer, 'Offers')] as const;
  const forms = [
    await addForm(app, customer.id, { subscription_list_id: lists[0] }),
    await addForm(app, customer.id, { subscription_list_id: lists[1] }),
  ] as const;
  const sent = Array.from({ length: 30 }, (_, at) => formsFor(at).map((which) => ({ at, which }))).flat();
  const replies = await Promise.all(
    sent.map(({ at, which }) => submit(app, forms[which], { form_data: { email: `person${at}@example.com` } })),
  );
  assert.ok(replies.every(({ status }) => status === 201));
  const read = (text: string) => asOwner(app, async (client) => (await client.query(text, [customer.id])).rows);
  const joined =
    await read(`select s.email, n.subscription_list_id::int as list, c.change, c.source, c.evidence->>'form' as form
    from subscriptions n join subscribers s on s.id = n.subscriber_id
    join subscription_lists l on l.id = n.subscription_list_id and not l.is_default
    left join consent_changes c on c.subscriber_id = s.id and c.subscription_list_id = l.id
    where n.customer_id = $1 and exists (select from subscriptions d join subscription_lists dl
      on dl.id = d.subscription_list_id and dl.is_default where d.subscriber_id = s.id)`);
  const told = joined.map(({ form, ...rest }) => ({ ...rest, isOneOfTheirs: forms.includes(form) }));
  const wanted = sent.map(({ at, which }) => ({
    email: `person${at}@example.com`,
    list: lists[which],
    change: 'joined',
    source: 'form',
    isOneOfTheirs: true,
  }));
  assert.deepEqual(inOrder(told), inOrder(wanted));
  for (const { email, form } of joined) {
    assert.ok(
      formsFor(Number(/\d+/.exec(email)?.[0])).some((which) => forms[which] === form),
      'the form that they came by',
    );
  }
  const news = await read(`select sequence::int, facts->>'submission_id' as id from webhook_deliveries
    where customer_id = $1 order by sequence`);
  assert.deepEqual(
    news.map(({ sequence }) => sequence),
    sent.map((_, at) => at + 1),
  );
  assert.deepEqual(new Set(news.map(({ id }) => id)), new Set(replies.map(idOf)));
});

test('nobody is added by a form of another type, without a list, or without an address', async () => {
  const customer = await app.createCustomer();
  const subscription_list_id = await addList(customer);
  const form_data = { email: 'ann@example.com', first_name: 'Ann' };
  for (const wanted of [
    { type: 'intake', subscription_list_id },
    { type: '', subscription_list_id },
    { type: 'Marketing_Form', subscription_list_id },
    { type: 'marketing_form', subscription_list_id: null },
    { type: null, subscription_list_id: null },
  ]) {
    await submitted(app, await addForm(app, customer.id, wanted), { form_data });
  }
  const feeding = await addForm(app, customer.id, { subscription_list_id });
  for (const nobody of [{}, { first_name: 'Ann' }, { email: 'not an address' }, { phone: '12' }]) {
    await submitted(app, feeding, { form_data: nobody });
  }
  assert.equal(await textOf(customer, 'subscribers', 'subscriptions'), '[[],[]]');
});

const NEWSLETTER = {
  fields: [
    { name: 'wanted', type: 'yes_no', label: 'Do you want our newsletter?' },
    { name: 'address', type: 'email', label: 'Where to?', show_when: 'wanted' },
    { name: 'phone', type: 'phone', show_when: 'wanted' },
  ],
};

test('an answer that the form took back puts nobody on a list, by the API or by the page without script', async () => {
  const customer = await app.createCustomer();
  const subscription_list_id = await addList(customer);
  const formId = await addForm(app, customer.id, { form_json: NEWSLETTER, subscription_list_id });
  const answers = { wanted: false, address: 'ann@example.com', phone: '+14155550123' };
  const id = await submitted(app, formId, { form_data: answers });
  const read = await readBack(app, customer, formId, id);
  assert.deepEqual([read.answers, read.unasked], [answers, ['address', 'phone']], 'kept all the same');
  assert.equal(read.submitter_email, null);

  const first = await open(app, `/f/${formId}`);
  const asked = await first.press(SUBMIT, { 'q.wanted': 'yes' });
  clock.advance(5_000);
  const thanks = await asked.press(SUBMIT, { 'q.wanted': 'no', 'q.address': 'ann@example.com' });
  assert.match(thanks.title, /Thank you/);
  assert.equal(await textOf(customer, 'subscribers', 'subscriptions'), '[[],[]]');

  const other = { wanted: false, address: 'not an address', email: 'real@example.com' };
  const byName = await submitted(app, formId, { form_data: other });
  assert.equal((await readBack(app, customer, formId, byName)).submitter_email, 'real@example.com');
});

test('a submission whose effects cannot all be written is not there at all, and its neighbours are', async (t) => {
  const customer = await app.createCustomer();
  const neighbour = await app.createCustomer();
  const receiver = await startReceiver(t);
  await createHook(app, customer.key, { url: receiver.url, events: [CREATED] });
  const wanted = { subscription_list_id: await addList(customer), recipient: 'one@example.com' };
  const formId = await addForm(app, customer.id, wanted);
  const elsewhere = await addForm(app, neighbour.id);
  const body = { form_data: { email: 'ann@example.com' }, attachments: [{ name: 'a.txt', content: base64('one') }] };
  const effects = ['messages', 'message_recipients', 'webhook_deliveries', 'subscribers', 'subscriptions'];
  await asOwner(app, (client) =>
    client.query(`create function fail() returns trigger language plpgsql as $$
      begin
        if new.customer_id = ${customer.id} then raise exception 'no'; end if;
        return new;
      end $$`),
  );
  const broken = [...effects, 'submission_keys', 'submission_files', 'blobs', 'form_counts'];
  for (const table of broken) {
    const first = await kept(app);
    await asOwner(app, (client) =>
      client.query(`create trigger fail before insert or update on ${table} for each row execute function fail()`),
    );
    const [failed, fine] = await Promise.all([submit(app, formId, body), submit(app, elsewhere, { form_data: {} })]);
    await asOwner(app, (client) => client.query(`drop trigger fail on ${table}`));
    assert.equal(failed.status, 500, table);
    assert.equal(fine.status, 201, table);
    const { onDisk: _, ...rows } = growth(first, await kept(app));
    assert.deepEqual(rows, { submissions: 1, keys: 1, files: 0, blobs: 0, counted: 1, audited: 1 }, table);
    assert.equal(await textOf(customer, ...effects), '[[],[],[],[],[]]', table);
    assert.equal(await countOf(customer, formId), 0);
  }
  assert.deepEqual(receiver.received, []);
  await submitted(app, formId, { form_data: body.form_data });
  await receiver.atLeast(1);
  assert.equal(await countOf(customer, formId), 1, 'and once nothing is broken it is all there');
});
