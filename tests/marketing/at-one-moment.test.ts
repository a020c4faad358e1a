import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { linkTo, post } from '../consent/mailing.ts';
import { importFile, look, send, settled } from '../imports/support.ts';
import { submitted } from '../submissions/submitting.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { addForm } from '../support/forms.ts';
import { marketingOf, rowsOf, whileHeld } from './support.ts';

let app: TestApp;
before(async (t) => {
  app = await startApp(t as TestContext, { env: { CAREPOST_ROLES: 'http,worker' } });
});

const PLACES = 'select from subscriptions where customer_id = $1 for update';
const COUNTS = 'lock table list_counts in share row exclusive mode';
const PEOPLE_COUNTS = 'lock table people_counts in share row exclusive mode';

/** Everybody with their lists, and how many get what is sent to each list, as they are counted. */
async function standing({ id }: TestCustomer) {
  const [people, places, counts] = await Promise.all([
    rowsOf(app, 'select id, email, unsubscribed_at is not null as out from subscribers where customer_id = $1', [id]),
    rowsOf(
      app,
      'select subscriber_id, subscription_list_id as list, active from subscriptions where customer_id = $1',
      [id],
    ),
    rowsOf(
      app,
      `select subscription_list_id as list, sum(active)::int as active from list_counts where customer_id = $1
      group by 1 having sum(active) <> 0`,
      [id],
    ),
  ]);
  return { people, places, counts };
}

/** Nobody who is out gets anything, no place is of nobody, and what is counted is what there is. */
async function requireSound(customer: TestCustomer) {
  const { people, places, counts } = await standing(customer);
  const known = new Map(people.map(({ id, out }) => [id, out]));
  for (const { subscriber_id: id, active } of places) {
    assert.ok(known.has(id), 'a place of nobody');
    assert.ok(!active || !known.get(id), 'somebody who is out would get mail');
  }
  const active = new Map<string, number>();
  for (const { list, active: isOn } of places) if (isOn) active.set(list, (active.get(list) ?? 0) + 1);
  assert.deepEqual(new Map(counts.map((each) => [each.list, each.active])), active);
}

/** A customer with Ann on a list, and another list. */
async function ann() {
  const customer = await app.createCustomer();
  const marketing = marketingOf(app, customer);
  const [first, second] = [await marketing.addList('First'), await marketing.addList('Second')];
  const id = await marketing.addPerson('ann@example.com', {}, first);
  return { customer, ...marketing, id, second };
}

test('whose address is given anew while they are deleted as somebody who is out comes back out', async () => {
  for (const door of ['one', 'many', 'file', 'form'] as const) {
    const { customer, take, id, second } = await ann();
    await take('POST', '/subscriptions/bulk_global_unsubscribe', { subscriber_ids: [id] });
    // Their address by now is one that nobody has opted out with until they are deleted.
    await take('PATCH', `/subscribers/${id}`, { subscriber: { email: 'new@example.com' } });
    const subscriber = { email: 'NEW@example.com', first_name: 'Ann' };
    const formId = await addForm(app, customer.id, { type: 'marketing_form', subscription_list_id: Number(second) });
    const doors = {
      one: () => take('POST', '/subscribers', { subscriber, subscription_list_id: second }),
      many: () => take('POST', '/subscribers_bulk_create', { subscribers: [subscriber], subscription_list_id: second }),
      file: () => importFile(app, customer, 'email\nnew@example.com\n', { subscription_list_id: second }),
      form: () => submitted(app, formId, { form_data: { email: 'new@example.com' } }),
    };
    await whileHeld(app, [PEOPLE_COUNTS, []], [() => take('DELETE', `/subscribers/${id}`), doors[door]]);
    const people = await eventually(async () => {
      const now = (await standing(customer)).people;
      return now.length > 0 && now;
    });
    assert.deepEqual(
      people.map(({ out }) => out),
      [true],
      door,
    );
    await requireSound(customer);
  }
});

test('who opts out while they are put on a list gets nothing by it', async () => {
  for (const door of ['job', 'file', 'new'] as const) {
    for (const isFirst of [false, true]) {
      const { customer, take, ended, id, second } = await ann();
      const lists = { subscription_list_ids: [second] };
      const doors = {
        job: async () => ended((await take('POST', '/subscriptions/subscribe', { search: 'ann', ...lists })).data.jid),
        file: () => importFile(app, customer, 'email\nann@example.com\n', { subscription_list_id: second }),
        new: () =>
          importFile(app, customer, 'email,first_name\nann@example.com,Ann\n', { subscription_list_id: second }),
      };
      const optOut = () => take('POST', '/subscriptions/bulk_global_unsubscribe', { subscriber_ids: [id] });
      await whileHeld(app, [COUNTS, []], isFirst ? [optOut, doors[door]] : [doors[door], optOut]);
      assert.deepEqual(
        (await standing(customer)).people.map(({ out }) => out),
        [true],
        door,
      );
      await requireSound(customer);
    }
  }
});

test('whom an import made and somebody puts on a list while it is undone stays, on that list', async () => {
  const customer = await app.createCustomer();
  const { take, addList } = marketingOf(app, customer);
  const list = await addList('News');
  const { id: importId } = await importFile(app, customer, 'email\nann@example.com\nbob@example.com\n');
  const [{ id }] = await rowsOf(app, `select id from subscribers where customer_id = $1 and email like 'ann%'`, [
    customer.id,
  ]);
  const join = () =>
    take('POST', '/subscriptions', { subscription: { subscription_list_id: list, subscriber_id: id } });
  const undo = async () => {
    await take('POST', `/imports/${importId}/undo`);
    return settled(app, customer, importId);
  };
  // A place that nobody will ever have seen: whoever would make the same one waits.
  const passing = `insert into subscriptions (id, customer_id, subscription_list_id, subscriber_id, created_at, active)
    values (gen_random_uuid(), ${customer.id}, ${list}, '${id}', now(), false);
    delete from subscriptions where customer_id = ${customer.id} and subscription_list_id = ${list}`;
  await whileHeld(app, [passing, []], [join, undo]);
  const { people, places } = await standing(customer);
  assert.deepEqual(
    people.map(({ email }) => email),
    ['ann@example.com'],
  );
  assert.deepEqual(
    places.map((place) => [place.subscriber_id, place.list, place.active]),
    [[id, Number(list), true]],
  );
  await requireSound(customer);
});

test('who is deleted while a job or a file puts them on a list leaves no place behind', async () => {
  for (const door of ['job', 'file'] as const) {
    const { customer, take, ended, id, second } = await ann();
    const lists = { subscription_list_ids: [second] };
    const doors = {
      job: async () => ended((await take('POST', '/subscriptions/subscribe', { search: 'ann', ...lists })).data.jid),
      file: () => importFile(app, customer, 'email\nann@example.com\n', { subscription_list_id: second }),
    };
    await whileHeld(app, [PLACES, [customer.id]], [() => take('DELETE', `/subscribers/${id}`), doors[door]]);
    await requireSound(customer);
  }
});

test('who opts out while they confirm a list is out', async () => {
  const { customer, take, addList, id } = await ann();
  const list = await addList('Careful', { double_opt_in: true });
  await take('POST', '/subscriptions', { subscription: { subscription_list_id: list, subscriber_id: id } });
  const [place] = await rowsOf(app, 'select id from subscriptions where subscription_list_id = $1', [list]);
  const link = await linkTo(app, 'confirm', place.id);
  const optOut = () => take('POST', '/subscriptions/bulk_global_unsubscribe', { subscriber_ids: [id] });
  await whileHeld(app, [COUNTS, []], [() => post(link, { text: '' }), optOut]);
  assert.deepEqual(
    (await standing(customer)).people.map(({ out }) => out),
    [true],
  );
  const [confirmed] = await rowsOf(app, 'select pending from subscriptions where id = $1', [place.id]);
  assert.equal(confirmed.pending, false);
  await requireSound(customer);
});

function fileOf(name: string, emails: string[]): string {
  return `email,first_name\n${emails.map((each) => `${each},${name}\n`).join('')}`;
}

test('two imports of the same people make each of them once, and taken back both leave nobody', async () => {
  const customer = await app.createCustomer();
  const { take } = marketingOf(app, customer);
  const emails = Array.from({ length: 1_500 }, (_, at) => `person-${at}@example.com`);
  const files = [fileOf('Ann', emails), fileOf('Bob', emails.toReversed())];
  const imported = await Promise.all(files.map((each) => importFile(app, customer, each)));
  const { people } = await standing(customer);
  assert.deepEqual(new Set(people.map(({ email }) => email)), new Set(emails));
  assert.equal(people.length, emails.length);
  const created = imported.map(({ attributes }) => attributes.created).reduce((one, other) => one + other, 0);
  assert.equal(created, emails.length);
  await requireSound(customer);
  await Promise.all(
    imported.map(async ({ id }) => {
      await take('POST', `/imports/${id}/undo`);
      await settled(app, customer, id);
    }),
  );
  await requireSound(customer);
  const left = (await standing(customer)).people;
  const kept = await Promise.all(imported.map(async ({ id }) => (await look(app, customer, id)).attributes.kept));
  assert.equal(left.length, kept[0] + kept[1]);
});

test('an import that is under way is not taken back, and a list that is deleted meanwhile has nobody on it', async () => {
  const customer = await app.createCustomer();
  const { ask, take, addList } = marketingOf(app, customer);
  const list = await addList('News');
  const { body } = await send(app, customer, 'email\nann@example.com\n', { subscription_list_id: list });
  const { id } = body.data;
  const undo = async () => assert.equal((await ask('POST', `/imports/${id}/undo`)).status, 409);
  const work = async () => assert.equal((await settled(app, customer, id)).attributes.state, 'done');
  await whileHeld(app, [COUNTS, []], [work, undo, () => take('DELETE', `/subscription_lists/${list}`)]);
  const { people, places } = await standing(customer);
  assert.deepEqual(
    people.map(({ email }) => email),
    ['ann@example.com'],
  );
  assert.deepEqual(
    places.filter((place) => place.list === Number(list)),
    [],
  );
  await requireSound(customer);
});
