import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { endAgreements } from '../../src/accounts/index.ts';
import type { TestCustomer } from '../support/app.ts';
import { comeIn, DAY, type Office, openOffice } from './visitor.ts';

let office: Office;
let customer: TestCustomer;

before(async (context) => {
  office = await openOffice(context as TestContext);
  customer = await office.app.createCustomer();
});

/** The last message to an address, with its content. */
async function lastTo(address: string) {
  const { app } = office;
  const { key } = customer;
  const { body } = await app.request('GET', `/v1/email/message_log?to=${address}&limit=1`, { key });
  const id = body.data[0]?.sourceTrackingId;
  return id === undefined ? null : (await app.request('GET', `/v1/email/message_log/${id}`, { key })).body.data;
}

async function reader(address: string, headers: Record<string, string>) {
  const { id, path } = await office.leave(customer, { recipients: [address], headers });
  return { id, path, visitor: await comeIn(office, customer, { path, address }) };
}

test('a reply goes to the sender as a message of its own, with the way back to whoever wrote it', async () => {
  const headers = { from: 'Clinic <clinic@example.org>', subject: 'Your visit', 'reply-to': 'Desk <desk@example.org>' };
  const { id, path, visitor } = await reader('ann@example.com', headers);
  assert.ok((await visitor.get()).text.includes('Your reply, up to 20,000 characters'));
  const answer = await visitor.post('/reply', { reply: 'Thank you.\r\n<b>Ann</b>' });
  assert.deepEqual([answer.status, answer.headers.get('location')], [303, `${path}/replied`]);
  assert.ok((await visitor.get('/replied')).text.includes('Your reply was sent'));

  const reply = await lastTo('desk@example.org');
  assert.equal(reply.subject, 'Re: Your visit');
  assert.equal(reply.from, office.app.installation.config.systemFrom);
  assert.equal(reply.content.text, 'Thank you.\n<b>Ann</b>');
  assert.equal(reply.headers['In-Reply-To'], `<${id}@example.org>`);
  const acts = await office.query(`select actor_kind, target from audit_log where action = 'pickup.replied'`);
  assert.deepEqual(acts, [{ actor_kind: 'recipient', target: reply.sourceTrackingId }]);
});

test('with several addresses to reply to it goes to each', async () => {
  const headers = { from: 'clinic@example.org', 'reply-to': 'one@example.org, Two <two@example.org>' };
  const { visitor } = await reader('dan@example.com', headers);
  await visitor.post('/reply', { reply: 'Yes' });
  assert.deepEqual((await lastTo('one@example.org')).to, ['one@example.org', 'two@example.org']);
});

test('without a reply-to it goes to the sender, and one Re: is enough', async () => {
  const { visitor } = await reader('ben@example.com', { from: 'front@example.org', subject: 'RE: Your visit' });
  await visitor.post('/reply', { reply: 'Yes' });
  assert.equal((await lastTo('front@example.org')).subject, 'RE: Your visit');
});

test('a reply has 1 to 20,000 characters', async () => {
  const { visitor } = await reader('cleo@example.com', { from: 'limits@example.org' });
  const tried: [string, number][] = [
    ['', 400],
    [' \r\n ', 400],
    ['x', 303],
    [`${'ü'.repeat(19_999)}\r\n`, 303],
    [`${'ü'.repeat(20_000)}\r\n`, 400],
    ['x'.repeat(600_000), 413],
  ];
  for (const [reply, status] of tried) {
    const answer = await visitor.post('/reply', { reply });
    assert.equal(answer.status, status, `${reply.length}`);
    if (status !== 303) assert.match(answer.headers.get('content-type') ?? '', /^text\/html/);
  }
  assert.ok((await visitor.post('/reply', { reply: '' })).text.includes('The reply is empty.'));
  assert.equal((await visitor.post('/reply')).status, 400);
});

test('twenty replies a day are taken for one message', async () => {
  const { path, visitor } = await reader('dan@example.com', { from: 'many@example.org' });
  for (let count = 1; count <= 20; count += 1) {
    assert.equal((await visitor.post('/reply', { reply: `${count}` })).status, 303);
  }
  const { status, text } = await visitor.post('/reply', { reply: '21' });
  assert.equal(status, 429);
  assert.ok(text.includes('Your reply was not sent'));
  office.clock.advance(DAY);
  const next = await comeIn(office, customer, { path, address: 'dan@example.com' });
  assert.equal((await next.post('/reply', { reply: '21' })).status, 303);
});

test('where the agreement has ended messages can be read, and replies are not taken', async () => {
  const usual = customer;
  customer = await office.app.createCustomer();
  const { visitor } = await reader('eva@example.com', { from: 'ended@example.org' });
  const { installation, act } = office.app;
  await endAgreements(installation, act(customer.id, 'agreement.ended'), '2020-01-02');
  const letter = await visitor.get();
  assert.equal(letter.status, 200);
  assert.ok(!letter.text.includes('<textarea'));
  assert.equal((await visitor.post('/reply', { reply: 'x' })).status, 403);
  customer = usual;
});
