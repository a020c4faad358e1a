import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { importFile, settled } from '../imports/support.ts';
import { rowsOf } from '../marketing/support.ts';
import { type Reply, startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';
import { type MailPeer, startMailPeer } from './mail-peer.ts';
import { addList, addMailing, addPerson, ask, readSend, sendIn, startSend } from './mailing.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const MONDAY_NOON = new Date('2026-11-16T12:00:00Z');

async function start(t: TestContext, at = MONDAY_NOON) {
  const clock = createMovableClock(at);
  const peer = await startMailPeer(t);
  const env = { CAREPOST_ROLES: 'http,worker' };
  const app = await startApp(t, { clock, env, overrides: { peer: peer.target } });
  return { clock, peer, app, customer: await app.createCustomer() };
}

const emails = (count: number) => Array.from({ length: count }, (_, n) => `person-${n}@example.com`);
const reached = ({ received }: MailPeer) => received.map(({ recipient }) => recipient).toSorted();

test('a send goes no faster than its pace, and loses nobody by it', async (t) => {
  const { clock, peer, app, customer } = await start(t);
  const listId = await addList(app, customer, emails(7));
  const send = await startSend(app, customer, await addMailing(app, customer), {
    subscription_list_id: listId,
    per_second: 2,
  });
  await eventually(async () => peer.received.length >= 2);
  for (let seconds = 1; peer.received.length < 7; seconds += 1) {
    assert.ok(peer.received.length <= 2 * seconds, `${peer.received.length} after ${seconds - 1} s`);
    const before = peer.received.length;
    clock.advance(1_000);
    await eventually(async () => peer.received.length > before);
  }
  await sendIn(app, customer, send, 'finished');
  assert.deepEqual(reached(peer), emails(7));
});

test('one domain gets its mails one by one while the others do not wait for it', async (t) => {
  const { clock, peer, app, customer } = await start(t);
  const listId = await addList(app, customer, [...emails(3), 'ann@other.example.net']);
  const send = await startSend(app, customer, await addMailing(app, customer), {
    subscription_list_id: listId,
    per_domain_per_minute: 1,
  });
  await eventually(async () => peer.received.length === 2);
  assert.ok(reached(peer).includes('ann@other.example.net'));
  clock.advance(MINUTE);
  await eventually(async () => peer.received.length === 3);
  clock.advance(MINUTE);
  await sendIn(app, customer, send, 'finished');
  assert.deepEqual(reached(peer), ['ann@other.example.net', ...emails(3)]);
});

test('whoever missed their turn as the send was paused gets a new one, and no domain gets more than it takes', async (t) => {
  const { clock, peer, app, customer } = await start(t);
  const listId = await addList(app, customer, emails(6));
  const send = await startSend(app, customer, await addMailing(app, customer), {
    subscription_list_id: listId,
    per_domain_per_minute: 2,
  });
  const waiting = async () => {
    const query = `select from mailing_recipients where state = 'queued' and rule = 'paced' and due_at > $1`;
    return (await rowsOf(app, query, [clock.now()])).length;
  };
  await eventually(async () => peer.received.length === 1 && (await waiting()) === 5);
  await ask(app, customer, 'POST', `/campaign_mailing_sends/${send}/pause`);
  clock.advance(HOUR);
  await ask(app, customer, 'POST', `/campaign_mailing_sends/${send}/resume`);
  for (const count of [2, 4, 6]) {
    await eventually(async () => peer.received.length + (await waiting()) === 6);
    assert.equal(peer.received.length, count);
    clock.advance(MINUTE);
  }
  await sendIn(app, customer, send, 'finished');
  assert.deepEqual(reached(peer), emails(6));
});

test('mails arrive within the hours of the recipient, whichever zone that is', async (t) => {
  const { clock, peer, app, customer } = await start(t);
  const listId = await addList(app, customer, []);
  await addPerson(app, customer, { email: 'berlin@example.com', time_zone: 'Europe/Berlin' }, listId);
  await addPerson(app, customer, { email: 'honolulu@example.com', time_zone: 'Pacific/Honolulu' }, listId);
  await addPerson(app, customer, { email: 'unknown@example.com' }, listId);
  const send = await startSend(app, customer, await addMailing(app, customer), {
    subscription_list_id: listId,
    send_window: { from: '09:00', to: '17:00', days: [1, 2, 3, 4, 5], time_zone: 'America/New_York' },
  });
  await eventually(async () => peer.received.length === 1);
  assert.deepEqual(reached(peer), ['berlin@example.com'], 'noon in London is 13:00 in Berlin and 07:00 in New York');
  clock.advance(2 * HOUR);
  await eventually(async () => peer.received.length === 2);
  assert.ok(reached(peer).includes('unknown@example.com'));
  clock.advance(5 * HOUR);
  await sendIn(app, customer, send, 'finished');
  assert.equal(peer.received.length, 3);
});

test('to whom a zone is given that nobody knows mails arrive within the hours of the send, and they stop nobody', async (t) => {
  const { clock, peer, app, customer } = await start(t);
  const listId = await addList(app, customer, []);
  const lost = await addPerson(app, customer, { email: 'olympus@example.com' }, listId);
  await addPerson(app, customer, { email: 'berlin@example.com', time_zone: 'Europe/Berlin' }, listId);
  // A zone may be known to the node that took it, and not to the one that sends.
  await rowsOf(app, `update subscribers set time_zone = 'Mars/Olympus' where id = $1`, [lost]);
  const send = await startSend(app, customer, await addMailing(app, customer), {
    subscription_list_id: listId,
    send_window: { from: '09:00', to: '17:00', time_zone: 'America/New_York' },
  });
  await eventually(async () => peer.received.length === 1);
  assert.deepEqual(reached(peer), ['berlin@example.com'], 'it is 07:00 in New York');
  clock.advance(2 * HOUR);
  await sendIn(app, customer, send, 'finished');
  assert.deepEqual(reached(peer), ['berlin@example.com', 'olympus@example.com']);
});

test('a peer that asks to wait (454) is waited for, and one that refuses for good is not asked again', async (t) => {
  const { clock, peer, app, customer } = await start(t);
  const listId = await addList(app, customer, ['slow@example.com', 'gone@example.com', 'full@example.com']);
  peer.answerWith((recipient) => {
    if (recipient === 'gone@example.com') return { code: 550, text: '5.1.1 No such mailbox' };
    if (recipient === 'full@example.com') return { code: 552, text: '5.2.2 Mailbox full' };
    return { code: 454, text: '4.7.0 Too fast' };
  });
  const send = await startSend(app, customer, await addMailing(app, customer), { subscription_list_id: listId });
  await eventually(async () => {
    const { hard_bounced: hard, soft_bounced: soft } = await readSend(app, customer, send);
    return hard === 1 && soft === 1;
  });
  assert.equal((await readSend(app, customer, send)).state, 'sending');
  peer.answerWith(() => 'take');
  clock.advance(2 * MINUTE);
  const done = await sendIn(app, customer, send, 'finished');
  assert.deepEqual(reached(peer), ['slow@example.com']);
  assert.equal(done.delivered, 1);

  const again = await startSend(app, customer, await addMailing(app, customer), { subscription_list_id: listId });
  const second = await sendIn(app, customer, again, 'finished');
  assert.equal(second.suppressed, 1, 'the address that does not exist gets nothing more');
  assert.equal(second.delivered, 2);
});

test('a mail of which nobody knows whether it arrived is not sent again until somebody says so', async (t) => {
  const { peer, app, customer } = await start(t);
  const listId = await addList(app, customer, ['ann@example.com']);
  peer.answerWith(() => 'break off');
  const mailing = await addMailing(app, customer);
  const send = await startSend(app, customer, mailing, { subscription_list_id: listId });
  const waiting = await sendIn(app, customer, send, 'needs_decision');
  assert.equal(waiting.uncertain, 1);
  assert.equal(waiting.finished_at, null);
  peer.answerWith(() => 'take');
  await ask(app, customer, 'POST', `/campaign_mailing_sends/${send}/decide`, { decision: 'resend' });
  const done = await sendIn(app, customer, send, 'finished');
  assert.deepEqual([done.delivered, done.uncertain], [1, 0]);
  assert.equal(peer.received.length, 1);

  peer.answerWith(() => 'break off');
  const other = await startSend(app, customer, mailing, { subscription_list_id: listId });
  await sendIn(app, customer, other, 'needs_decision');
  await ask(app, customer, 'POST', `/campaign_mailing_sends/${other}/decide`, { decision: 'sent' });
  const taken = await sendIn(app, customer, other, 'finished');
  assert.deepEqual([taken.sent, taken.uncertain, taken.delivered], [1, 0, 0]);
  assert.equal(peer.received.length, 1);
});

const once = (app: TestApp, { key }: TestCustomer, path: string, body?: object) =>
  app.request('POST', `/v1/marketing${path}`, { key, headers: { 'idempotency-key': 'once' }, ...(body && { body }) });

test('a decision that is told again under its key is not taken of mails that are uncertain since', async (t) => {
  const { peer, app, customer } = await start(t);
  const listId = await addList(app, customer, ['ann@example.com']);
  peer.answerWith(() => 'break off');
  const send = await startSend(app, customer, await addMailing(app, customer), { subscription_list_id: listId });
  await sendIn(app, customer, send, 'needs_decision');
  const decide = (decision: string) => once(app, customer, `/campaign_mailing_sends/${send}/decide`, { decision });
  const decided = await decide('resend');
  await sendIn(app, customer, send, 'needs_decision');
  assert.equal((await decide('resend')).text, decided.text);
  assert.equal((await decide('sent')).status, 409);
  assert.equal((await readSend(app, customer, send)).state, 'needs_decision');
});

test('a send that was paused again does not go on by what was asked before under a key', async (t) => {
  const { peer, app, customer } = await start(t);
  const wish = { subscription_list_id: await addList(app, customer, emails(6)), per_second: 2 };
  const send = await startSend(app, customer, await addMailing(app, customer), wish);
  await eventually(async () => peer.received.length === 2);
  const path = `/campaign_mailing_sends/${send}`;
  const replies: string[] = [];
  for (const _ of ['first', 'again']) {
    await ask(app, customer, 'POST', `${path}/pause`);
    replies.push((await once(app, customer, `${path}/resume`)).text);
    if (replies.length === 2) assert.equal((await readSend(app, customer, send)).state, 'paused');
  }
  assert.equal(replies[1], replies[0]);
});

test('a send rests, goes on and ends as it is told', async (t) => {
  const { clock, peer, app, customer } = await start(t);
  const listId = await addList(app, customer, emails(6));
  const send = await startSend(app, customer, await addMailing(app, customer), {
    subscription_list_id: listId,
    per_second: 2,
  });
  await eventually(async () => peer.received.length === 2);
  const paused = await ask(app, customer, 'POST', `/campaign_mailing_sends/${send}/pause`);
  assert.equal(paused.body.data.attributes.state, 'paused');
  const beside = await startSend(app, customer, await addMailing(app, customer), {
    recipient_emails: ['ann@example.com'],
  });
  clock.advance(10_000);
  await sendIn(app, customer, beside, 'finished');
  assert.equal(peer.received.length, 3, 'only the other send went on');
  await ask(app, customer, 'POST', `/campaign_mailing_sends/${send}/resume`);
  await eventually(async () => peer.received.length === 5);
  await ask(app, customer, 'POST', `/campaign_mailing_sends/${send}/cancel`);
  clock.advance(10_000);
  const done = await eventually(async () => {
    const state = await readSend(app, customer, send);
    return state.finished_at !== null && state;
  });
  assert.deepEqual([done.state, done.delivered, done.cancelled], ['cancelled', 4, 2]);
  for (const move of ['pause', 'resume', 'cancel']) {
    const { status } = await app.request('POST', `/v1/marketing/campaign_mailing_sends/${send}/${move}`, {
      key: customer.key,
    });
    assert.equal(status, 409, move);
  }
});

test('of a mail that waits for the pace of its domain, and of one that was cancelled then, it is told in words', async (t) => {
  const { peer, app, customer } = await start(t);
  const listId = await addList(app, customer, []);
  const ids = new Map<string, string>();
  for (const email of emails(2)) ids.set(email, await addPerson(app, customer, { email }, listId));
  const mailing = await addMailing(app, customer);
  const send = await startSend(app, customer, mailing, { subscription_list_id: listId, per_domain_per_minute: 1 });
  await eventually(async () => peer.received.length === 1);
  const waiting = emails(2).find((email) => !reached(peer).includes(email)) as string;
  const told = async () => {
    const path = `/campaign_mailings/${mailing}/explain?subscriber_id=${ids.get(waiting)}`;
    return (await ask(app, customer, 'GET', path)).body.data.sends[0];
  };
  const paced = await eventually(async () => {
    const each = await told();
    return each.rule === 'paced' && each;
  });
  assert.equal(paced.explanation, 'The mail waits for its turn: its domain is sent only so many in a minute.');
  await ask(app, customer, 'POST', `/campaign_mailing_sends/${send}/cancel`);
  const ended = await eventually(async () => {
    const each = await told();
    return each.state === 'cancelled' && each;
  });
  assert.deepEqual([ended.rule, ended.explanation], [null, 'The send was cancelled before the mail left.']);
});

test('a mailing that is changed while it is sent goes on as it began', async (t) => {
  const { clock, peer, app, customer } = await start(t);
  const listId = await addList(app, customer, emails(4));
  const mailing = await addMailing(app, customer, { html_part: '<p>The first words</p>' });
  const send = await startSend(app, customer, mailing, { subscription_list_id: listId, per_second: 1 });
  await eventually(async () => peer.received.length === 1);
  await ask(app, customer, 'PATCH', `/campaign_mailings/${mailing}`, {
    campaign_mailing: { html_part: '<p>Other words</p>' },
  });
  while (peer.received.length < 4) {
    const before = peer.received.length;
    clock.advance(1_000);
    await eventually(async () => peer.received.length > before);
  }
  const done = await sendIn(app, customer, send, 'finished');
  assert.equal(done.version, 1);
  assert.ok(peer.received.every(({ mime }) => mime.includes('The first words') && !mime.includes('Other words')));
  const { body } = await ask(app, customer, 'GET', `/campaign_mailings/${mailing}`);
  assert.equal(body.data.attributes.version, 2);
});

test('consent is asked for again at the last moment', async (t) => {
  const { clock, peer, app, customer } = await start(t);
  const listId = await addList(app, customer, []);
  const ids: string[] = [];
  for (const email of emails(5)) ids.push(await addPerson(app, customer, { email }, listId));
  const mailing = await addMailing(app, customer);
  const { body } = await ask(app, customer, 'POST', '/campaign_mailing_schedules', {
    campaign_mailing_id: mailing,
    send_at: new Date(clock.now().getTime() + HOUR).toISOString(),
    campaign_mailing_send: { sender_email: 'clinic@example.org', subscription_list_id: listId, per_second: 1 },
  });
  assert.equal(body.data.send_at_timestamp, Math.floor((clock.now().getTime() + HOUR) / 1_000));
  clock.advance(HOUR);
  await eventually(async () => peer.received.length === 1);
  const first = peer.received[0]?.recipient;
  const others = emails(5).filter((email) => email !== first);
  const idOf = (email: string) => ids[emails(5).indexOf(email)] as string;
  const [leaving, optingOut, removed, staying] = others as [string, string, string, string];
  await ask(app, customer, 'POST', '/subscriptions/unsubscribe', {
    subscriber_ids: [idOf(leaving)],
    subscription_list_ids: [listId],
  });
  await ask(app, customer, 'POST', '/subscriptions/unsubscribe', { subscriber_ids: [idOf(optingOut)] });
  await ask(app, customer, 'DELETE', `/subscribers/${idOf(removed)}`);
  const { body: sends } = await ask(app, customer, 'GET', '/campaign_mailing_sends');
  await eventually(async () => {
    clock.advance(1_000);
    return (await readSend(app, customer, sends.data[0].id)).state === 'finished';
  });
  assert.deepEqual(
    reached(peer),
    emails(5).filter((email) => email === first || email === staying),
  );
  const rules = async (email: string) => {
    const path = `/campaign_mailings/${mailing}/explain?subscriber_id=${idOf(email)}`;
    return (await ask(app, customer, 'GET', path)).body.data.sends[0].rule;
  };
  assert.equal(await rules(leaving), 'left_list');
  assert.equal(await rules(optingOut), 'opted_out');
  assert.equal((await readSend(app, customer, sends.data[0].id)).excluded, 3);
});

test('whoever is left when a list is deleted is left out, and the send ends', async (t) => {
  const { clock, peer, app, customer } = await start(t);
  const listId = await addList(app, customer, emails(3));
  const send = await startSend(app, customer, await addMailing(app, customer), {
    subscription_list_id: listId,
    per_second: 1,
  });
  await eventually(async () => peer.received.length === 1);
  await ask(app, customer, 'DELETE', `/subscription_lists/${listId}`);
  await eventually(async () => {
    clock.advance(1_000);
    return (await readSend(app, customer, send)).state === 'finished';
  });
  const done = await readSend(app, customer, send);
  assert.deepEqual([done.delivered, done.excluded], [1, 2]);
});

test('whoever is left when an import is taken back gets nothing more, and the send to its list ends', async (t) => {
  const { clock, peer, app, customer } = await start(t);
  const listId = await addList(app, customer, []);
  const imported = await importFile(app, customer, `email\n${emails(3).join('\n')}\n`, {
    subscription_list_id: listId,
  });
  const send = await startSend(app, customer, await addMailing(app, customer), {
    subscription_list_id: listId,
    per_second: 1,
  });
  await eventually(async () => peer.received.length === 1);
  await ask(app, customer, 'POST', `/imports/${imported.id}/undo`);
  const { state, removed } = (await settled(app, customer, imported.id)).attributes;
  assert.deepEqual([state, removed], ['undone', 3]);
  await eventually(async () => {
    clock.advance(1_000);
    return (await readSend(app, customer, send)).state === 'finished';
  });
  const done = await readSend(app, customer, send);
  assert.deepEqual([done.delivered, done.excluded, peer.received.length], [1, 2, 1]);
});

test('a scheduled send that is taken back never begins', async (t) => {
  const { clock, peer, app, customer } = await start(t);
  const listId = await addList(app, customer, emails(1));
  const { body } = await ask(app, customer, 'POST', '/campaign_mailing_schedules', {
    campaign_mailing_id: await addMailing(app, customer),
    send_at: new Date(clock.now().getTime() + HOUR).toISOString(),
    campaign_mailing_send: { sender_email: 'clinic@example.org', subscription_list_id: listId },
  });
  await ask(app, customer, 'DELETE', `/campaign_mailing_schedules/${body.data.jid}`);
  clock.advance(2 * HOUR);
  const other = await startSend(app, customer, await addMailing(app, customer), {
    recipient_emails: ['ann@example.com'],
  });
  await sendIn(app, customer, other, 'finished');
  assert.deepEqual(reached(peer), ['ann@example.com']);
  const { status } = await app.request('DELETE', `/v1/marketing/campaign_mailing_schedules/${body.data.jid}`, {
    key: customer.key,
  });
  assert.equal(status, 409);
});

test('an answer that comes after others took the mail for lost still counts', async (t) => {
  const { clock, peer, app, customer } = await start(t);
  const listId = await addList(app, customer, ['ann@example.com']);
  const late = Promise.withResolvers<void>();
  peer.answerWith(() => ({ takeAfter: late.promise }));
  const send = await startSend(app, customer, await addMailing(app, customer), { subscription_list_id: listId });
  await eventually(async () => peer.received.length === 1);
  await eventually(async () => {
    clock.advance(10 * MINUTE); // whoever holds the mail may have said so a moment before
    return (await readSend(app, customer, send)).state === 'needs_decision';
  });
  late.resolve();
  const done = await sendIn(app, customer, send, 'finished');
  assert.deepEqual([done.delivered, done.uncertain], [1, 0]);
  assert.equal(peer.received.length, 1);
  const path = `/v1/marketing/campaign_mailing_sends/${send}/decide`;
  const { status } = await app.request('POST', path, { key: customer.key, body: { decision: 'resend' } });
  assert.equal(status, 409, 'there is nothing left to decide');
});

test('who has yet to confirm is in no audience, neither of the default list nor of a segment', async (t) => {
  const { peer, app, customer } = await start(t);
  const asking = await ask(app, customer, 'POST', '/subscription_lists', { name: 'Asks', double_opt_in: true });
  await addPerson(app, customer, { email: 'new@example.com' }, asking.body.data.id);
  await addPerson(app, customer, { email: 'known@example.com' });
  const lists = await ask(app, customer, 'GET', '/subscription_lists/default');
  const rule = 'email ends with "@example.com"';
  const segment = await ask(app, customer, 'POST', '/dynamic_lists', { name: 'All', rule });
  for (const audience of [{ subscription_list_id: lists.body.data.id }, { dynamic_list_id: segment.body.data.id }]) {
    const send = await startSend(app, customer, await addMailing(app, customer), audience);
    const done = await sendIn(app, customer, send, 'finished');
    assert.deepEqual([done.delivered, done.excluded], [1, 1]);
  }
  const mailings = peer.received.filter(({ mime }) => mime.includes('List-Unsubscribe:'));
  assert.deepEqual(
    mailings.map(({ recipient }) => recipient),
    ['known@example.com', 'known@example.com'],
  );
});

test('who has left every list is in no audience, and who leaves the last one while a send goes on gets nothing more', async (t) => {
  const { clock, peer, app, customer } = await start(t);
  const listId = await addList(app, customer, []);
  const [gone, leaving, staying] = ['gone', 'leaving', 'staying'].map((name) => `${name}@example.com`);
  const ids = new Map<unknown, string>();
  for (const email of [gone, leaving, staying]) ids.set(email, await addPerson(app, customer, { email }, listId));
  const lists = [listId, (await ask(app, customer, 'GET', '/subscription_lists/default')).body.data.id];
  const leave = (email: unknown, subscription_list_ids: unknown[]) =>
    ask(app, customer, 'POST', '/subscriptions/unsubscribe', {
      subscriber_ids: [ids.get(email)],
      subscription_list_ids,
    });
  await leave(gone, lists);
  await leave(leaving, [listId]);
  await leave(staying, [listId]);
  const rule = 'email ends with "@example.com"';
  const segment = await ask(app, customer, 'POST', '/dynamic_lists', { name: 'All', rule });
  const mailing = await addMailing(app, customer);
  for (const audience of [
    { recipient_emails: [gone, leaving, staying, 'unheard@example.com'] },
    { dynamic_list_id: segment.body.data.id },
  ]) {
    await startSend(app, customer, mailing, { ...audience, send_window: { from: '15:00', to: '16:00' } });
  }
  const counts = async () =>
    (await ask(app, customer, 'GET', '/campaign_mailing_sends')).body.data.map(
      ({ attributes: { people, excluded, state } }: Reply['body']) => [people, excluded, state],
    );
  await eventually(async () =>
    isDeepStrictEqual(await counts(), [
      [4, 1, 'sending'],
      [4, 1, 'sending'],
    ]),
  );
  await leave(leaving, lists);
  clock.advance(3 * HOUR);
  await eventually(async () =>
    isDeepStrictEqual(await counts(), [
      [4, 2, 'finished'],
      [4, 2, 'finished'],
    ]),
  );
  assert.deepEqual(reached(peer), [staying, staying, 'unheard@example.com', 'unheard@example.com']);
  for (const email of [gone, leaving]) {
    const path = `/campaign_mailings/${mailing}/explain?subscriber_id=${ids.get(email)}`;
    const told = (await ask(app, customer, 'GET', path)).body.data.sends;
    assert.deepEqual(
      told.map((send: Reply['body']) => send.rule),
      ['left_list', 'left_list'],
    );
  }
});

test('a field cannot become health data under a segment that names it or a send that is to come', async (t) => {
  const { clock, app, customer } = await start(t);
  const make = (name: string) => ask(app, customer, 'POST', '/subscriber_custom_field_types', { name });
  const classify = async ({ body }: Awaited<ReturnType<typeof make>>) => {
    const path = `/v1/marketing/subscriber_custom_field_types/${body.data.id}`;
    return (await app.request('PATCH', path, { key: customer.key, body: { class: 'phi' } })).status;
  };
  const [named, free] = [await make('Condition'), await make('Mood')];
  const rule = 'Condition is not "well"';
  const segment = await ask(app, customer, 'POST', '/dynamic_lists', { name: 'Unwell', rule });
  assert.equal(await classify(named), 409);
  const { body } = await ask(app, customer, 'POST', '/campaign_mailing_schedules', {
    campaign_mailing_id: await addMailing(app, customer),
    send_at: new Date(clock.now().getTime() + HOUR).toISOString(),
    campaign_mailing_send: { sender_email: 'clinic@example.org', recipient_emails: ['ann@example.com'] },
  });
  assert.equal(await classify(free), 409);
  await ask(app, customer, 'DELETE', `/campaign_mailing_schedules/${body.data.jid}`);
  await ask(app, customer, 'DELETE', `/dynamic_lists/${segment.body.data.id}`);
  assert.deepEqual([await classify(free), await classify(named)], [200, 200]);
});

test('a field about health that is new does not stand where a send to come already names it', async (t) => {
  const { clock, peer, app, customer } = await start(t);
  const send = async (fields: object) => {
    const { body } = await ask(app, customer, 'POST', '/campaign_mailing_schedules', {
      campaign_mailing_id: await addMailing(app, customer, fields as Record<string, unknown>),
      send_at: new Date(clock.now().getTime() + HOUR).toISOString(),
      campaign_mailing_send: { sender_email: 'clinic@example.org', recipient_emails: ['ann@example.com'] },
    });
    assert.equal(typeof body.data.jid, 'string');
  };
  await send({ default_subject: 'Your {{Ward}} visit', html_part: '<p>See you, {{Ward}}.</p>' });
  await send({ default_subject: 'Inside', html_part: '<p>It is {{Ward}} for you.</p>' });
  await ask(app, customer, 'POST', '/subscriber_custom_field_types', { name: 'Ward', class: 'phi' });
  await addPerson(app, customer, { email: 'ann@example.com', custom_fields: [{ Ward: 'oncology' }] });
  clock.advance(HOUR);
  await eventually(async () => peer.received.length === 2);
  const [outside, inside] = peer.received
    .map(({ mime }) => mime)
    .toSorted((one) => (/^Subject: Your/m.test(one) ? -1 : 1));
  assert.match(outside as string, /^Subject: Your {1,2}visit\r$/m);
  assert.doesNotMatch(outside as string, /oncology/);
  assert.match(inside as string, /It is =\r\noncology/);
});
