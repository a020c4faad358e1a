import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { openFields } from '../../src/marketing/fields/sealed-fields.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { countsOf, createList, IMPORTS, importFile, people, rejectsOf, settled } from './support.ts';

let app: TestApp;
before(async (t) => {
  app = await startApp(t as TestContext, { env: { CAREPOST_ROLES: 'http,worker' } });
});

const FILE = `E-Mail,Vorname,Last Name,Phone,Ward
ann@example.com,Ann,"Größe, Lee",+1 415 555 0123,7
Bob@Example.COM,Bob,,,"=cmd|'/c calc'!A1"
`;

test('a file of people is imported, and again changes nothing', async () => {
  const customer = await app.createCustomer();
  const listId = await createList(app, customer);
  const first = await importFile(app, customer, FILE, { subscription_list_id: String(listId) });
  assert.equal(first.attributes.state, 'done', JSON.stringify(first.attributes));
  assert.deepEqual(first.attributes.columns, ['email', 'first_name', 'last_name', 'phone_number', 'Ward']);
  assert.deepEqual(countsOf(first), { created: 2, updated: 0, unchanged: 0, skipped: 0, opted_out: 0 });
  const [bob, ann] = await people(app, customer);
  assert.deepEqual(
    [ann?.email, ann?.first_name, ann?.last_name, ann?.phone_number, ann?.custom],
    ['ann@example.com', 'Ann', 'Größe, Lee', '+14155550123', { Ward: '7' }],
  );
  assert.deepEqual([bob?.email, bob?.last_name, bob?.custom], ['Bob@example.com', null, { Ward: "=cmd|'/c calc'!A1" }]);
  for (const { subscriptions, import_id } of [ann, bob] as NonNullable<typeof ann>[]) {
    assert.equal(import_id, first.id);
    assert.equal(subscriptions.length, 2);
    assert.ok(subscriptions.every((each) => each.active && each.import_id === first.id));
  }
  const again = await importFile(app, customer, FILE, { subscription_list_id: String(listId) });
  assert.deepEqual(countsOf(again), { created: 0, updated: 0, unchanged: 2, skipped: 0, opted_out: 0 });
  assert.deepEqual(await people(app, customer), [bob, ann]);
});

test('what is known is changed by what a row says, and what it leaves empty stays', async () => {
  const customer = await app.createCustomer();
  await importFile(
    app,
    customer,
    'email,first_name,last_name,Ward,Since\na@example.com,Ann,Lee,7,2001\nb@example.com,Bob,,,\n',
  );
  const told = await importFile(
    app,
    customer,
    'email,first_name,last_name,Ward\nA@example.com,Anna,,8\nb@example.com,,,\nc@example.com,,,\n',
  );
  assert.deepEqual(countsOf(told), { created: 1, updated: 1, unchanged: 1, skipped: 0, opted_out: 0 });
  const [ann] = await people(app, customer);
  assert.deepEqual(
    [ann?.email, ann?.first_name, ann?.last_name, ann?.custom],
    ['A@example.com', 'Anna', 'Lee', { Ward: '8', Since: '2001' }],
  );
});

test('the same address twice in a file is one person, who ends as the last row says', async () => {
  const customer = await app.createCustomer();
  const told = await importFile(
    app,
    customer,
    'email,first_name,last_name\na@example.com,Ann,Lee\nA@EXAMPLE.com,Anna,\na@example.com,Anna,Lee\n+,,\n',
  );
  assert.deepEqual(countsOf(told), { created: 1, updated: 2, unchanged: 0, skipped: 1, opted_out: 0 });
  assert.deepEqual(
    (await people(app, customer)).map(({ first_name, last_name }) => [first_name, last_name]),
    [['Anna', 'Lee']],
  );
});

test('a dry run counts and changes nothing, and can be started', async () => {
  const customer = await app.createCustomer();
  await importFile(app, customer, 'email,first_name\na@example.com,Ann\n');
  const earlier = await people(app, customer);
  const dry = await importFile(
    app,
    customer,
    'email,first_name,Ward\na@example.com,Anna,7\nb@example.com,,\nnobody,,\n',
    { dry_run: 'true' },
  );
  assert.deepEqual([dry.attributes.state, dry.attributes.dry_run], ['done', true]);
  assert.deepEqual(countsOf(dry), { created: 1, updated: 1, unchanged: 0, skipped: 1, opted_out: 0 });
  assert.deepEqual(await people(app, customer), earlier);
  const types = await app.installation.db.tenant([customer.id], (tx) =>
    tx.selectFrom('custom_field_types').select('name').execute(),
  );
  assert.deepEqual(types, []);
  const { status } = await app.request('POST', `${IMPORTS}/${dry.id}/start`, { key: customer.key });
  assert.equal(status, 200);
  const real = await settled(app, customer, dry.id);
  assert.deepEqual(countsOf(real), countsOf(dry));
  assert.deepEqual(
    (await people(app, customer)).map(({ custom }) => custom),
    [{ Ward: '7' }, {}],
  );
  assert.deepEqual(await rejectsOf(app, customer, real), { 4: ['email is not a valid address'] });
  const again = await app.request('POST', `${IMPORTS}/${dry.id}/start`, { key: customer.key });
  assert.deepEqual([again.status, again.body.code], [409, 'conflict']);
});

test('nobody who opted out is brought back', async () => {
  const customer = await app.createCustomer();
  const listId = await createList(app, customer);
  await importFile(app, customer, 'email\nout@example.com\nleft@example.com\nall@example.com\nin@example.com\n', {
    subscription_list_id: String(listId),
  });
  const { db, vault } = app.installation;
  const keys = await vault.of(customer.id);
  const known = await people(app, customer);
  const idOf = (email: string) => known.find((each) => each.email === email)?.id as string;
  await db.tenant([customer.id], async (tx) => {
    await sql`select opt_out(${customer.id}, ${[idOf('out@example.com')]}::uuid[], 'api', '{}', now())`.execute(tx);
    await sql`select leave_lists(${customer.id}, ${[idOf('all@example.com')]}::uuid[], array(select id from subscription_lists
      where customer_id = ${customer.id} and is_default), 'api', '{}', now())`.execute(tx);
    await sql`select leave_lists(${customer.id}, ${[idOf('left@example.com')]}::uuid[], ${[listId]}::bigint[], 'api', '{}', now())`.execute(
      tx,
    );
    for (const address of ['gone@example.com', 'in@example.com']) {
      await tx
        .insertInto('suppressions')
        .values({
          customer_id: customer.id,
          address_index: keys.blindIndex('email address', address),
          reason: 'opt_out',
          sealed: Buffer.alloc(1),
          message_id: null,
          created_at: new Date(),
        })
        .execute();
    }
  });
  const other = await createList(app, customer);
  const file =
    'email,first_name\nout@example.com,O\nleft@example.com,L\nall@example.com,A\nin@example.com,I\nGone@Example.com,G\nnew@example.com,N\n';
  const dry = await importFile(app, customer, file, { subscription_list_id: String(listId), dry_run: 'true' });
  const told = await importFile(app, customer, file, { subscription_list_id: String(listId) });
  assert.deepEqual(countsOf(told), { created: 2, updated: 4, unchanged: 0, skipped: 0, opted_out: 5 });
  assert.deepEqual(countsOf(dry), countsOf(told));
  await importFile(app, customer, file, { subscription_list_id: String(other) });
  const after = new Map((await people(app, customer)).map((each) => [each.email, each]));
  const activeOf = (email: string) => after.get(email)?.subscriptions.filter(({ active }) => active).length;
  assert.deepEqual([activeOf('out@example.com'), after.get('out@example.com')?.first_name], [0, 'O']);
  assert.equal(
    after.get('left@example.com')?.subscriptions.find((each) => each.subscription_list_id === listId)?.active,
    false,
  );
  assert.deepEqual([activeOf('Gone@example.com'), after.get('Gone@example.com')?.unsubscribed_at !== null], [0, true]);
  assert.equal(
    after.get('in@example.com')?.subscriptions.some((each) => each.subscription_list_id === other),
    false,
  );
  assert.equal(activeOf('new@example.com'), 3);
});

test('who has opted out as their row says is out, and stays so when they are deleted and come back', async () => {
  const customer = await app.createCustomer();
  const { key } = customer;
  await importFile(app, customer, 'email\nknown@example.com\nin@example.com\n');
  const file = [
    'email,phone,Unsubscribed',
    'known@example.com,,yes',
    'in@example.com,,no',
    'new@example.com,,2024-03-01T10:00:00Z',
    ',+14155550101,1',
    'never@example.com,,0000-00-00',
    'blank@example.com,,',
  ].join('\n');
  const dry = await importFile(app, customer, file, { dry_run: 'true' });
  const told = await importFile(app, customer, file);
  assert.deepEqual(countsOf(told), { created: 3, updated: 0, unchanged: 2, skipped: 1, opted_out: 3 });
  assert.deepEqual(countsOf(dry), countsOf(told));
  assert.deepEqual(await rejectsOf(app, customer, told), {
    6: ['unsubscribed takes yes, no, or the time of opting out'],
  });
  const standings = async () =>
    Object.fromEntries(
      (await people(app, customer)).map(({ email, unsubscribed_at, subscriptions }) => [
        email ?? 'phone',
        [unsubscribed_at !== null, subscriptions.some(({ active }) => active)],
      ]),
    );
  assert.deepEqual(await standings(), {
    'known@example.com': [true, false],
    'in@example.com': [false, true],
    'new@example.com': [true, false],
    'blank@example.com': [false, true],
    phone: [true, false],
  });
  const gone = (await people(app, customer)).find(({ email }) => email === 'new@example.com')?.id;
  await app.request('DELETE', `/v1/marketing/subscribers/${gone}`, { key });
  await importFile(app, customer, 'email\nnew@example.com\n');
  assert.deepEqual((await standings())['new@example.com'], [true, false]);
});

test('a row with a number alone is about the one person who had it before the import', async () => {
  const customer = await app.createCustomer();
  const numbers = ['+14155550123', '+14155550124', '+14155550125', '+14155550126'];
  const [own, shared, moved, fresh] = numbers;
  const head = 'email,phone,first_name,unsubscribed\n';
  await importFile(
    app,
    customer,
    `${head}own@example.com,${own},,\none@example.com,${shared},,\nother@example.com,${shared},,\nmoved@example.com,${moved},,\n`,
  );
  const rows = [
    `,${own},Owner,yes`,
    `,${shared},Shared,`,
    `moved@example.com,${fresh},,`,
    `,${moved},Mover,`,
    `new@example.com,${fresh},,`,
    `,${fresh},Fresh,`,
  ];
  const apart = 'nobody,,,\n'.repeat(1_000);
  const dry = await importFile(app, customer, `${head}${rows.join(`\n${apart}`)}\n`, { dry_run: 'true' });
  await app.request('POST', `${IMPORTS}/${dry.id}/start`, { key: customer.key });
  const told = await settled(app, customer, dry.id);
  assert.deepEqual(countsOf(told), countsOf(dry));
  assert.deepEqual(countsOf(told), { created: 3, updated: 3, unchanged: 0, skipped: 5_000, opted_out: 1 });
  const known = await people(app, customer);
  assert.deepEqual(known.map(({ email, first_name }) => `${email} ${first_name}`).toSorted(), [
    'moved@example.com Mover',
    'new@example.com null',
    'null Fresh',
    'null Shared',
    'one@example.com null',
    'other@example.com null',
    'own@example.com Owner',
  ]);
  assert.notEqual(known.find(({ email }) => email === 'own@example.com')?.unsubscribed_at, null);
});

test('a list that asks twice gets people who are asked', async () => {
  const customer = await app.createCustomer();
  const listId = await createList(app, customer, { double_opt_in: true });
  await importFile(app, customer, 'email\na@example.com\n', { subscription_list_id: String(listId) });
  const [ann] = await people(app, customer);
  const chosen = ann?.subscriptions.find((each) => each.subscription_list_id === listId);
  assert.deepEqual([chosen?.pending, chosen?.active], [true, false]);
});

test('values about health are sealed, and told apart from what was known', async () => {
  const customer = await app.createCustomer();
  const { db, vault } = app.installation;
  await importFile(app, customer, 'email,Diagnosis,Age\nold@example.com,,\n');
  await db.tenant([customer.id], (tx) =>
    sql`update custom_field_types set class = 'phi', kind = case name when 'Age' then 'number' else kind end where customer_id = ${customer.id}`.execute(
      tx,
    ),
  );
  const file = 'email,Diagnosis,Age\na@example.com,flu,41\nold@example.com,asthma,7\nbad@example.com,x,young\n';
  const told = await importFile(app, customer, file);
  assert.deepEqual(countsOf(told), { created: 1, updated: 1, unchanged: 0, skipped: 1, opted_out: 0 });
  assert.deepEqual(await rejectsOf(app, customer, told), { 4: ['custom field Age takes a number, such as 12.5'] });
  const keys = await vault.of(customer.id);
  const opened = async () =>
    (await people(app, customer)).map(({ id, sealed_fields, fields }) => [
      Object.values(openFields(keys, id, sealed_fields)).toSorted(),
      fields,
    ]);
  assert.deepEqual(await opened(), [
    [['41', 'flu'], {}],
    [['7', 'asthma'], {}],
  ]);
  assert.deepEqual(countsOf(await importFile(app, customer, file)), {
    created: 0,
    updated: 0,
    unchanged: 2,
    skipped: 1,
    opted_out: 0,
  });
  const changed = await importFile(app, customer, 'email,Age\nold@example.com,8\n');
  assert.equal(changed.attributes.updated, 1);
  assert.deepEqual((await opened())[1], [['8', 'asthma'], {}]);
});
