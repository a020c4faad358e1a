import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { refusalOf } from '../marketing/support.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { asOwner } from '../support/owner.ts';
import { addList, addMailing, addPerson, ask, inbox, sendIn, startSend } from './mailing.ts';

let app: TestApp;
before(async (t) => {
  app = await startApp(t as TestContext, { env: { CAREPOST_ROLES: 'http,worker' } });
});

test('a mailing to a list reaches everybody on it once, each with their own words', async () => {
  const customer = await app.createCustomer();
  const listId = await addList(app, customer, ['ben@example.com']);
  await addPerson(app, customer, { email: 'ann@example.com', first_name: 'Ann' }, listId);
  await addPerson(app, customer, { email: 'elsewhere@example.com' });
  const mailing = await addMailing(app, customer);
  const send = await startSend(app, customer, mailing, { subscription_list_id: listId });
  const done = await sendIn(app, customer, send, 'finished');
  assert.deepEqual([done.people, done.sent, done.delivered], [2, 2, 2]);
  const listed = await ask(app, customer, 'GET', '/campaign_mailings');
  assert.equal(listed.body.data[0].attributes.sent_count, done.sent, 'the same as in the list of mailings');
  const mails = await inbox(app, customer);
  assert.deepEqual(mails.flatMap(({ to }) => to).toSorted(), ['ann@example.com', 'ben@example.com']);
  const ann = mails.find(({ to }) => to[0] === 'ann@example.com');
  assert.match(ann?.html ?? '', /Hello Ann/);
  assert.match(ann?.text ?? '', /Hello Ann/);
  assert.equal(ann?.subject, 'News of the clinic');
});

test('who has left every list that is still there gets nothing for one that was deleted', async () => {
  const customer = await app.createCustomer();
  const { body } = await ask(app, customer, 'GET', '/subscription_lists/default');
  const lists = [await addList(app, customer, []), body.data.id];
  const ann = await addPerson(app, customer, { email: 'ann@example.com' }, lists[0]);
  await addPerson(app, customer, { email: 'ben@example.com' });
  await ask(app, customer, 'POST', '/subscriptions/unsubscribe', {
    subscriber_ids: [ann],
    subscription_list_ids: [lists[1]],
  });
  // As somebody leaves it who joined at the moment of the deletion.
  await asOwner(app, (client) => client.query('delete from subscription_lists where id = $1', [lists[0]]));
  const recipient_emails = ['ann@example.com', 'ben@example.com'];
  const send = await startSend(app, customer, await addMailing(app, customer), { recipient_emails });
  const { people, excluded, sent } = await sendIn(app, customer, send, 'finished');
  assert.deepEqual([people, excluded, sent], [2, 1, 1]);
  assert.deepEqual(
    (await inbox(app, customer)).flatMap(({ to }) => to),
    ['ben@example.com'],
  );
});

test('a body that tells of health by now stays out of the preview, once', async () => {
  const customer = await app.createCustomer();
  const types = '/subscriber_custom_field_types';
  const made = await ask(app, customer, 'POST', types, { name: 'Diagnosis' });
  const listId = await addList(app, customer, ['ann@example.com']);
  const mailing = await addMailing(app, customer, { html_part: '<body><p>It is {{Diagnosis}}.</p></body>' });
  await ask(app, customer, 'PATCH', `${types}/${made.body.data.id}`, { class: 'phi' });
  for (const count of [1, 2]) {
    const send = await startSend(app, customer, mailing, { subscription_list_id: listId });
    await sendIn(app, customer, send, 'finished');
    const mails = await inbox(app, customer);
    assert.equal(mails.length, count);
    for (const { html } of mails)
      assert.match(html ?? '', /^(?:(?!display:none).)*<div style="display:none(?:(?!display:none).)*It is/s);
    // Saved anew, it is kept out from the beginning.
    await ask(app, customer, 'PATCH', `/campaign_mailings/${mailing}`, {
      campaign_mailing: { html_part: '<body><p>It is still {{Diagnosis}}.</p></body>' },
    });
  }
});

test('a send is scheduled for a moment that there is', async () => {
  const customer = await app.createCustomer();
  const campaign_mailing_id = await addMailing(app, customer);
  const campaign_mailing_send = { sender_email: 'clinic@example.org', recipient_emails: ['ann@example.com'] };
  const texts = ['2127-02-30T10:00:00Z', '2127-02-28T24:00:00Z', '2127-02-28', 'tomorrow', ''];
  for (const send_at of [...texts, 1893456000, [], ['2127-02-28T10:00:00Z'], {}, true, null, undefined]) {
    const { status, body } = await app.request('POST', '/v1/marketing/campaign_mailing_schedules', {
      key: customer.key,
      body: { campaign_mailing_id, send_at, campaign_mailing_send },
    });
    assert.deepEqual([status, body.error], [400, 'Invalid time format provided, please use RFC3339 format.']);
    assert.deepEqual(Object.keys(body.details), ['send_at'], JSON.stringify(send_at));
  }
});

test('what says how a send is to be made may stand beside the moment', async () => {
  const customer = await app.createCustomer();
  const campaign_mailing_id = await addMailing(app, customer);
  const listId = await addList(app, customer, ['ann@example.com']);
  const beside = {
    sender_email: 'staff@example.org',
    from_email: 'clinic@example.org',
    from_name: 'Clinic',
    subject: 'Spring',
    subscription_list_id: listId,
  };
  const send_at = '2127-02-28T10:00:00Z';
  const schedule = (more: object) =>
    ask(app, customer, 'POST', '/campaign_mailing_schedules', { campaign_mailing_id, send_at, ...more });
  for (const how of [beside, { campaign_mailing_send: beside }, { ...beside, campaign_mailing_send: {} }]) {
    const { jid } = (await schedule(how)).body.data;
    const { attributes } = (await ask(app, customer, 'GET', '/campaign_mailing_sends')).body.data[0];
    const { jid: made, sender_email, from_name, subject, subscription_list_id } = attributes;
    assert.deepEqual(
      [made, sender_email, from_name, subject, subscription_list_id],
      [jid, 'clinic@example.org', 'Clinic', 'Spring', listId],
    );
  }
});

test('a send takes a thousand addresses and ten thousand mails in a second, and no more', async () => {
  const customer = await app.createCustomer();
  const campaign_mailing_id = await addMailing(app, customer);
  const addresses = Array.from({ length: 1_001 }, (_, number) => `person-${number}@example.com`);
  const schedule = (wish: object) => {
    const send = { sender_email: 'clinic@example.org', recipient_emails: ['ann@example.com'], ...wish };
    const body = { campaign_mailing_id, send_at: '2127-02-28T10:00:00Z', campaign_mailing_send: send };
    return app.request('POST', '/v1/marketing/campaign_mailing_schedules', { key: customer.key, body });
  };
  const most = { recipient_emails: addresses.slice(1), per_second: 10_000, per_domain_per_minute: 10_000 };
  assert.equal((await schedule(most)).status, 200);
  for (const [name, value, status, code] of [
    ['recipient_emails', addresses, 422, 'unprocessable'],
    ['per_second', 10_001, 400, 'invalid_request'],
    ['per_second', 0, 400, 'invalid_request'],
    ['per_domain_per_minute', 10_001, 400, 'invalid_request'],
  ] as const) {
    assert.deepEqual(refusalOf(await schedule({ [name]: value })), [status, code, [`campaign_mailing_send.${name}`]]);
  }
});

test('a send says whom it is from, also where its mailing does', async () => {
  const customer = await app.createCustomer();
  const campaign_mailing_id = await addMailing(app, customer);
  const send_at = '2127-02-28T10:00:00Z';
  for (const path of ['/campaign_mailing_sends', '/campaign_mailing_schedules']) {
    for (const sender of [{}, { sender_email: null }, { sender_email: '' }, { sender_email: ' ' }]) {
      const campaign_mailing_send = { recipient_emails: ['ann@example.com'], ...sender };
      const body = { campaign_mailing_id, send_at, campaign_mailing_send };
      const reply = await app.request('POST', `/v1/marketing${path}`, { key: customer.key, body });
      assert.deepEqual(refusalOf(reply), [422, 'unprocessable', ['campaign_mailing_send.sender_email']], path);
    }
  }
  assert.deepEqual((await ask(app, customer, 'GET', '/campaign_mailing_sends')).body.data, []);
});

test('readers see the address that a send is from, and not who has sent it', async () => {
  const customer = await app.createCustomer();
  const mailing = await addMailing(app, customer);
  const sent = { sender_email: 'staff@elsewhere.example', recipient_emails: ['ann@example.com'] };
  const send = await startSend(app, customer, mailing, { ...sent, from_email: 'news@example.org', from_name: 'News' });
  await sendIn(app, customer, send, 'finished');
  const [mail] = await inbox(app, customer);
  assert.equal(mail?.headers.From, '"News" <news@example.org>');
  const post = (more: object) =>
    app.request('POST', '/v1/marketing/campaign_mailing_sends', {
      key: customer.key,
      body: { campaign_mailing_id: mailing, campaign_mailing_send: { ...sent, ...more } },
    });
  for (const from_email of [null, '', ' ']) assert.equal((await post({ from_email })).status, 200, 'says nothing');
  const refused = refusalOf(await post({ from_email: 'nobody' }));
  assert.deepEqual(refused, [422, 'unprocessable', ['campaign_mailing_send.from_email']]);
});

test('a subject that is no template is named where it was sent', async () => {
  const customer = await app.createCustomer();
  const campaign_mailing_id = await addMailing(app, customer);
  const campaign_mailing_send = { sender_email: 'clinic@example.org', recipient_emails: ['ann@example.com'] };
  const post = (subject: string) =>
    app.request('POST', '/v1/marketing/campaign_mailing_sends', {
      key: customer.key,
      body: { campaign_mailing_id, campaign_mailing_send: { ...campaign_mailing_send, subject } },
    });
  const reply = await post('{{#if');
  assert.deepEqual(refusalOf(reply), [422, 'unprocessable', ['campaign_mailing_send.subject']]);
  assert.equal((await post('For {{first_name}}')).status, 200);
});

test('a send that is asked for again under its key is the same one, and its job is named again', async () => {
  const customer = await app.createCustomer();
  const campaign_mailing_id = await addMailing(app, customer);
  const campaign_mailing_send = { sender_email: 'clinic@example.org', recipient_emails: ['ann@example.com'] };
  const post = () =>
    app.request('POST', '/v1/marketing/campaign_mailing_sends', {
      key: customer.key,
      headers: { 'idempotency-key': 'once' },
      body: { campaign_mailing_id, campaign_mailing_send },
    });
  const [first, again] = [await post(), await post()];
  assert.deepEqual([first.text, again.text, again.headers.get('idempotency-replayed')], ['{}', '{}', 'true']);
  const { body } = await ask(app, customer, 'GET', '/campaign_mailing_sends');
  assert.equal(body.data.length, 1);
  for (const { headers } of [first, again]) assert.equal(headers.get('x-job-id'), body.data[0].attributes.jid);
});

test('sends are found by the subject of their mailing, in either order', async () => {
  const customer = await app.createCustomer();
  const sends = [];
  for (const subject of ['Spring news', 'Autumn news', 'A reminder']) {
    const mailing = await addMailing(app, customer, { subject });
    sends.push(await startSend(app, customer, mailing, { recipient_emails: ['ann@example.com'] }));
  }
  const [spring, autumn, reminder] = sends;
  const found = async (query: string) => {
    const { body } = await ask(app, customer, 'GET', `/campaign_mailing_sends?${query}`);
    return [body.data.map(({ id }: { id: string }) => id), body.page_info.count];
  };
  assert.deepEqual(await found('search=NEWS'), [[autumn, spring], 2]);
  assert.deepEqual(await found('search=news&order=asc&items=1'), [[spring], 2]);
  assert.deepEqual(await found('search=%25'), [[], 0]);
  assert.deepEqual(await found('order=asc'), [[spring, autumn, reminder], 3]);
});

test('the sends of a mailing are told when it is deleted, and those of an unknown one are 404', async () => {
  const customer = await app.createCustomer();
  const mailing = await addMailing(app, customer);
  const send = await startSend(app, customer, mailing, { recipient_emails: ['ann@example.com'] });
  await sendIn(app, customer, send, 'finished');
  await ask(app, customer, 'DELETE', '/campaign_mailings_bulk_delete', { campaign_mailing_ids: [mailing] });
  const { body } = await ask(app, customer, 'GET', `/campaign_mailing_sends?campaign_mailing_id=${mailing}`);
  assert.deepEqual(
    body.data.map(({ id }: { id: string }) => id),
    [send],
  );
  const path = '/v1/marketing/campaign_mailing_sends?campaign_mailing_id=999999';
  assert.equal((await app.request('GET', path, { key: customer.key })).status, 404);
});

test('an unknown send is 404', async () => {
  const customer = await app.createCustomer();
  const { status } = await app.request('GET', '/v1/marketing/campaign_mailing_sends/999', { key: customer.key });
  assert.equal(status, 404);
  await ask(app, customer, 'GET', '/campaign_mailing_sends');
});
