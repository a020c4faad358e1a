import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { suppress } from '../../src/email/suppressions/suppress.ts';
import { open } from '../page/visitor.ts';
import { signingLink } from '../signing/signing.ts';
import { submitted } from '../submissions/submitting.ts';
import type { TestCustomer } from '../support/app.ts';
import { createPeer, createWorker, deliverDue, willing } from '../support/delivery.ts';
import { addForm } from '../support/forms.ts';
import { messageTo, send } from '../support/mail.ts';
import { comeIn, DAY, HOUR, lastCode, MINUTE, type Office, openOffice, type Visitor, visit } from './visitor.ts';

let office: Office;
let customer: TestCustomer;

before(async (context) => {
  office = await openOffice(context as TestContext);
  customer = await office.app.createCustomer();
});

let people = 0;

/** A message for somebody new, and a visitor before its page. */
async function arrive(): Promise<{ visitor: Visitor; path: string; address: string; id: string }> {
  people += 1;
  const address = `reader-${people}@example.com`;
  const { id, path } = await office.leave(customer, messageTo(address, { content: { 'text/plain': 'the content' } }));
  return { visitor: visit(office, path), path, address, id };
}

function otherThan(code: string): string {
  return code === '00000000' ? '00000001' : '00000000';
}

test('a code is wrong five times, and then it is void', async () => {
  const { visitor, address, id } = await arrive();
  await visitor.post('/code');
  const code = await lastCode(office, customer, address);
  for (const left of [4, 3, 2, 1]) {
    const { status, text } = await visitor.post('/open', { code: otherThan(code) });
    assert.equal(status, 403);
    assert.ok(text.includes(`Tries left: ${left}.`) && text.includes('role="alert"'));
    assert.ok(!text.includes(otherThan(code)), 'what was entered is not repeated');
  }
  assert.equal((await visitor.post('/open', { code: otherThan(code) })).status, 403);
  const { status, text } = await visitor.post('/open', { code });
  assert.equal(status, 403, 'the right one comes too late');
  assert.ok(text.includes('ask for another one') && !text.includes('autocomplete="one-time-code"'));
  assert.equal(visitor.cookie, '');
  const refusals = await office.query(`select from audit_log where target = $1 and action = 'pickup.code-refused'`, [
    id,
  ]);
  assert.equal(refusals.length, 5);

  await visitor.post('/code');
  assert.equal((await visitor.post('/open', { code: await lastCode(office, customer, address) })).status, 303);
});

test('after four wrong codes the right one still opens', async () => {
  const { visitor, address } = await arrive();
  await visitor.post('/code');
  const code = await lastCode(office, customer, address);
  for (let tries = 0; tries < 4; tries += 1) await visitor.post('/open', { code: otherThan(code) });
  assert.equal((await visitor.post('/open', { code })).status, 303);
});

test('wrong codes sent at the same moment are counted one by one', async () => {
  const { visitor, address } = await arrive();
  await visitor.post('/code');
  const code = await lastCode(office, customer, address);
  await Promise.all(Array.from({ length: 8 }, () => visitor.post('/open', { code: otherThan(code) })));
  assert.equal((await visitor.post('/open', { code })).status, 403);
});

test('what is no code costs no try', async () => {
  const { visitor, address } = await arrive();
  await visitor.post('/code');
  for (const code of ['', '1234567', '123456789', 'abcdefgh', '١٢٣٤٥٦٧٨']) {
    const { status, text } = await visitor.post('/open', { code });
    assert.deepEqual([status, text.includes('The code has 8 digits.')], [400, true], code);
  }
  assert.equal((await visitor.post('/open', {})).status, 400);
  assert.equal((await visitor.post('/open', { code: await lastCode(office, customer, address) })).status, 303);
});

test('a code opens once, for ten minutes, and only until the next one', async () => {
  const { visitor, path, address } = await arrive();
  await visitor.post('/code');
  const first = await lastCode(office, customer, address);
  office.clock.advance(10 * MINUTE - 100);
  assert.equal((await visitor.post('/open', { code: first })).status, 303);
  assert.equal((await visit(office, path).post('/open', { code: first })).status, 403, 'it was used');

  await visitor.post('/code');
  const second = await lastCode(office, customer, address);
  await visitor.post('/code');
  const third = await lastCode(office, customer, address);
  assert.equal((await visit(office, path).post('/open', { code: second })).status, second === third ? 303 : 403);
  office.clock.advance(10 * MINUTE);
  const { status, text } = await visit(office, path).post('/open', { code: third });
  assert.equal(status, 403);
  assert.ok(text.includes('Send me a code'));
});

test('who complained about mail gets the codes that they ask for, and no other mail; where there is no mailbox none go', async (t) => {
  const [{ app }, deps] = [office, await createWorker(t, office.app)];
  const { visitor, address } = await arrive();
  const stop = async (reason: 'complaint' | 'hard_bounce') => {
    const keys = await app.installation.vault.of(customer.id);
    const cause = { customerId: customer.id, address, reason, messageId: null, at: office.clock.now() };
    await app.installation.db.tenant([customer.id], (tx) => suppress(tx, keys, cause));
  };
  const carried = async () => {
    const peer = createPeer(willing);
    while ((await deliverDue(deps, peer.find)) > 0);
    return peer.asked.filter((each) => each === address).length;
  };
  const signing = async () => {
    const form_json = {
      fields: [{ name: 'email', type: 'email' }],
      signers: [{ role: 'guardian', email_question: 'email' }],
    };
    const formId = await addForm(app, customer.id, { form_json });
    office.clock.advance(1);
    await submitted(app, formId, { form_data: { email: address } });
    return signingLink(app, customer, address);
  };
  await carried();
  await stop('complaint');
  await send(app, customer.key, messageTo(address));
  assert.equal(await carried(), 0);
  await visitor.post('/code');
  assert.equal(await carried(), 1);
  const link = await signing();
  assert.equal(await carried(), 0, 'anybody can name them as a signer');
  await (await open(app, link)).press(null);
  assert.equal(await carried(), 1);

  await stop('hard_bounce');
  await visitor.post('/code');
  assert.equal(await carried(), 0);
});

test('a session ends after half an hour', async () => {
  const { path, address } = await arrive();
  const visitor = await comeIn(office, customer, { path, address });
  office.clock.advance(30 * MINUTE - 100);
  assert.ok((await visitor.get()).text.includes('the content'));
  office.clock.advance(100);
  const { status, text } = await visitor.get();
  assert.equal(status, 200);
  assert.ok(text.includes('Send me a code') && !text.includes('the content'));
  assert.equal((await visitor.post('/reply', { reply: 'late' })).status, 403);
});

test('three codes an hour and ten a day are sent for one message', async () => {
  const { visitor } = await arrive();
  const sent = async () => {
    const { status, headers, text } = await visitor.post('/code');
    if (status !== 303) {
      assert.ok(status === 429 && text.includes('Too many codes'));
      assert.equal(headers.get('retry-after'), '3600');
    }
    return status === 303;
  };
  for (const round of [1, 2, 3]) {
    assert.deepEqual([await sent(), await sent(), await sent(), await sent()], [true, true, true, false], `${round}`);
    office.clock.advance(HOUR);
  }
  assert.deepEqual([await sent(), await sent()], [true, false], 'the tenth, and no eleventh');
  office.clock.advance(HOUR);
  assert.equal(await sent(), false);
  office.clock.advance(DAY - 4 * HOUR);
  assert.equal(await sent(), true);

  const other = await arrive();
  assert.equal((await other.visitor.post('/code')).status, 303, 'another message has its own');
});

test('codes asked for at the same moment are counted one by one', async () => {
  const { visitor } = await arrive();
  const answers = await Promise.all(Array.from({ length: 6 }, () => visitor.post('/code')));
  assert.equal(answers.filter(({ status }) => status === 303).length, 3);
});

test('a code and a session open the message they were made for and no other', async () => {
  const [mine, other] = [await arrive(), await arrive()];
  await mine.visitor.post('/code');
  await other.visitor.post('/code');
  const code = await lastCode(office, customer, mine.address);
  assert.equal((await other.visitor.post('/open', { code })).status, 403);
  const inside = await comeIn(office, customer, mine);
  other.visitor.cookie = inside.cookie;
  assert.ok(!(await other.visitor.get()).text.includes('the content'));
  assert.equal((await other.visitor.get('/files/0')).status, 403);
  assert.equal((await other.visitor.post('/reply', { reply: 'x' })).status, 403);

  const stranger = await office.app.createCustomer();
  const { path } = await office.leave(
    stranger,
    messageTo('eve@example.com', { content: { 'text/plain': 'of another' } }),
  );
  const eve = visit(office, path);
  eve.cookie = inside.cookie;
  assert.ok(!(await eve.get()).text.includes('of another'), 'of another customer neither');
  assert.equal((await eve.get('/files/0')).status, 403);
});

test('neither tokens, codes nor secrets of sessions are stored as they are', async () => {
  const { visitor, path, address } = await arrive();
  await visitor.post('/code');
  const code = await lastCode(office, customer, address);
  await visitor.post('/open', { code });
  const secret = visitor.cookie.slice('pickup='.length);
  const token = path.slice('/pickup/'.length);
  for (const table of ['pickups', 'pickup_codes', 'pickup_sessions', 'audit_log']) {
    const rows = await office.query(`select t::text as row from ${table} t`);
    const text = rows.map(({ row }) => row).join('\n');
    for (const hidden of [secret, token, address]) {
      for (const form of [hidden, Buffer.from(hidden).toString('hex')]) assert.ok(!text.includes(form), table);
    }
    if (table === 'pickup_codes') assert.ok(!text.includes(Buffer.from(code).toString('hex')));
  }
  for (const hidden of [secret, token, code, address]) assert.ok(!office.app.logged().includes(hidden));
});
