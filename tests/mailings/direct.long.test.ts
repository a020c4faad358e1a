import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { verifyEvidence } from '../../src/email/evidence/verify.ts';
import { verifySender } from '../delivery/clinic.ts';
import { createFleet } from '../delivery/fleet.ts';
import { ok } from '../delivery/scripts.ts';
import { noStartTls, selfSigned } from '../delivery/tls-scripts.ts';
import { signAll } from '../evidence/kept.ts';
import { startApp } from '../support/app.ts';
import { runHere } from '../support/command-line.ts';
import { eventually } from '../support/eventually.ts';
import { asOwner } from '../support/owner.ts';
import { addList, addMailing, ask, inbox, readSend, sendIn, startSend } from './mailing.ts';

const FROM = 'Clinic <desk@clinic.example>';
const SECRET = 'your-asthma-plan';
const HTML = `<html><body><p>${SECRET}</p><a href="https://clinic.example/plan">More</a></body></html>`;

/** A product that delivers to the world, which is a fleet of three domains; none but the first can be verified. */
async function begin(t: TestContext) {
  const fleet = await createFleet(t);
  await fleet.add('sound.example', ok);
  await fleet.add('named.example', selfSigned);
  await fleet.add('lonely.example', selfSigned);
  const app = await startApp(t, { env: { ...fleet.env, CAREPOST_ROLES: 'http,worker' } });
  const customer = await app.createCustomer();
  await verifySender(app, customer, fleet);
  return { fleet, app, customer };
}

type Scene = Awaited<ReturnType<typeof begin>>;

async function mailTo({ app, customer }: Scene, emails: string[]): Promise<string> {
  const listId = await addList(app, customer, emails);
  const mailing = await addMailing(app, customer, { from: FROM, html_part: HTML });
  return startSend(app, customer, mailing, { subscription_list_id: listId });
}

async function ledgerOf({ app, customer }: Scene, send: string) {
  const path = `/campaign_mailing_deliveries?campaign_mailing_send_id=${send}`;
  const { body } = await ask(app, customer, 'GET', path);
  return new Map(
    (body.data as { id: string; attributes: { email: string; state: string; rule: string | null } }[]).map(
      ({ id, attributes }) => [attributes.email, { id, state: attributes.state, rule: attributes.rule }],
    ),
  );
}

/** The evidence of a mail, once it is signed: the product does so at moments of its own. */
async function evidenceOf(t: TestContext, { app, customer: { key } }: Scene, id: string) {
  const { body } = await eventually(async () => {
    await signAll(t, app);
    const reply = await app.request('GET', `/v1/marketing/campaign_mailing_deliveries/${id}/evidence`, { key });
    return reply.status === 200 ? reply : undefined;
  });
  return verifyEvidence(body.data, null);
}

/** Lets the sender's domain be new, with so many sent today. */
async function beginWarmUp({ app, customer }: Scene, sent: number): Promise<void> {
  await asOwner(app, async (client) => {
    await client.query('update sending_domains set warm_up = true, first_sent_at = now()');
    await client.query(
      `insert into sending_days (customer_id, domain, day, sent)
       values ($1, 'clinic.example', now() at time zone 'utc', $2)`,
      [customer.id, sent],
    );
  });
}

test('a mailing leaves over verified TLS, or where the customer has said so; else it waits for pickup and a notice goes', async (t) => {
  const scene = await begin(t);
  const { fleet, app, customer } = scene;
  const { key } = customer;
  await app.request('POST', '/v1/email/tls_exceptions', { key, body: { domain: 'named.example' } });
  const send = await mailTo(scene, ['ann@sound.example', 'ben@named.example', 'cem@lonely.example']);
  const done = await sendIn(app, customer, send, 'finished');
  assert.deepEqual([done.people, done.delivered, done.sent], [3, 2, 3]);
  assert.deepEqual(fleet.hostsThatHeard(SECRET), ['mx.sound.example', 'mx.named.example']);
  fleet.nothingInClear([SECRET, 'ann@', 'ben@', 'cem@']);

  const ledger = await ledgerOf(scene, send);
  const kept = ledger.get('cem@lonely.example');
  assert.deepEqual([kept?.state, kept?.rule], ['sent', 'secure_pickup']);
  const lonely = fleet.peers.find(({ name }) => name === 'mx.lonely.example') ?? assert.fail();
  const notice = await eventually(async () => lonely.taken()[0]);
  assert.match(notice.mime, /\/pickup\/[\w-]{43}/);
  const { body } = await app.request('GET', '/v1/email/message_log', { key });
  const { sourceTrackingId } = body.data[0] as { sourceTrackingId: string };
  const { content, headers } = await eventually(async () => {
    const message = await app.request('GET', `/v1/email/message_log/${sourceTrackingId}`, { key });
    return message.body.data.recipients[0].state === 'noticed' ? message.body.data : undefined;
  });
  assert.match(content.html, /your-asthma-plan/);
  assert.match(content.html, /href="http[^"]*\/t\/[^"]+"/, 'its links are those of the mailing');
  assert.equal(headers['List-Unsubscribe-Post'], 'List-Unsubscribe=One-Click', 'and so is its way out');
  const told = await asOwner(app, async (client) => {
    const query = `select target, details->>'message' as message from audit_log where action = 'mailing.kept-for-pickup'`;
    return (await client.query(query)).rows;
  });
  assert.deepEqual(told, [{ target: kept?.id, message: sourceTrackingId }]);

  await asOwner(app, async (client) => {
    await client.query(`update campaign_mailing_sends set state = 'sending', finished_at = null`);
    await client.query(`update mailing_recipients set state = 'queued', due_at = now() where id = $1`, [kept?.id]);
  });
  await sendIn(app, customer, send, 'finished');
  const log = await app.request('GET', '/v1/email/message_log', { key });
  assert.equal(log.body.data.length, 1, 'sent again, it is the same message');
});

test('each attempt at a mail of a mailing leaves evidence that holds', async (t) => {
  const scene = await begin(t);
  const { app, customer } = scene;
  const send = await mailTo(scene, ['ann@sound.example', 'cem@lonely.example']);
  await sendIn(app, customer, send, 'finished');
  const ledger = await ledgerOf(scene, send);
  const proved = async (email: string) => {
    const { contents, attempts } = await evidenceOf(t, scene, ledger.get(email)?.id ?? '');
    assert.deepEqual([contents.attempts.length, contents.without], [1, 0]);
    return attempts[0]?.evidence ?? assert.fail();
  };
  const ann = await proved('ann@sound.example');
  assert.deepEqual(
    [ann.recipient, ann.outcome, ann.mx, ann.tls?.verified, ann.tls?.policy, ann.code],
    ['ann@sound.example', 'delivered', 'mx.sound.example', true, 'pkix', 250],
  );
  assert.match(ann.reply ?? '', /^250 /);
  const id = ledger.get('ann@sound.example')?.id ?? '';
  const there = await app.request('GET', `/v1/email/message_log/${id}/evidence`, { key: customer.key });
  assert.equal(there.status, 404, 'keys of the Email area alone see nothing of mailings');
  const { databaseUrl, dataDir, masterKeyFile } = app.installation.config;
  const env = {
    CAREPOST_DATABASE_URL: databaseUrl as string,
    CAREPOST_DATA_DIR: dataDir,
    CAREPOST_MASTER_KEY_FILE: masterKeyFile,
  };
  const told = await runHere(['evidence', 'export', id, '--customer', String(customer.id)], env);
  assert.match(told.out, /ann@sound\.example/, told.err);
  const cem = await proved('cem@lonely.example');
  assert.deepEqual([cem.outcome, cem.tls?.verified], ['deferred', false]);
  assert.match(cem.tls?.reason ?? '', /certificate/);
});

test('what a test key mails stays in the house', async (t) => {
  const scene = await begin(t);
  const { fleet, app, customer } = scene;
  const { key } = await app.createKey(customer, ['marketing', 'email'], { mode: 'test' });
  const tester = { ...scene, customer: { ...customer, key } };
  const send = await mailTo(tester, ['ann@sound.example', 'cem@lonely.example']);
  const done = await sendIn(app, customer, send, 'finished');
  assert.equal(done.delivered, 2);
  assert.deepEqual(
    fleet.peers.map(({ connections }) => connections.length),
    [0, 0, 0],
  );
  const mails = await inbox(app, customer);
  assert.deepEqual(mails.flatMap(({ to }) => to).toSorted(), ['ann@sound.example', 'cem@lonely.example']);
});

test('attempts that were cut off are counted among those without evidence', async (t) => {
  const scene = await begin(t);
  const { app, customer } = scene;
  const send = await mailTo(scene, ['ann@sound.example']);
  await sendIn(app, customer, send, 'finished');
  await asOwner(app, (client) => client.query('update mailing_recipients set attempts = 2'));
  const { id } = (await ledgerOf(scene, send)).get('ann@sound.example') ?? assert.fail();
  assert.equal((await evidenceOf(t, scene, id)).contents.without, 1);
});

test('a new domain mails no more than a new domain may, and goes on tomorrow', async (t) => {
  const scene = await begin(t);
  const { app, customer } = scene;
  await beginWarmUp(scene, 498);
  const send = await mailTo(scene, ['ann@sound.example', 'ben@sound.example', 'cem@sound.example']);
  await eventually(async () => (await readSend(app, customer, send)).delivered === 2);
  const [waiting] = await asOwner(app, async (client) => {
    const query = `select state, attempts, first_tried_at,
      due_at >= (date_trunc('day', now() at time zone 'utc') + interval '1 day') at time zone 'utc' as later
      from mailing_recipients where due_at is not null`;
    return (await client.query(query)).rows;
  });
  assert.deepEqual(waiting, { state: 'queued', attempts: 0, first_tried_at: null, later: true });
});

test('a mail that becomes a message is counted once for its domain', async (t) => {
  const scene = await begin(t);
  const { fleet, app, customer } = scene;
  await beginWarmUp(scene, 0);
  const send = await mailTo(scene, ['ann@sound.example', 'cem@lonely.example']);
  await sendIn(app, customer, send, 'finished');
  const lonely = fleet.peers.find(({ name }) => name === 'mx.lonely.example') ?? assert.fail();
  await eventually(async () => lonely.taken().length === 1);
  const sent = await asOwner(app, async (client) => (await client.query('select sent from sending_days')).rows);
  assert.deepEqual(sent, [{ sent: 2 }]);
});

test('a mail that no server takes over TLS ends with words that say so', async (t) => {
  const scene = await begin(t);
  const { fleet, app, customer } = scene;
  await fleet.add('clear.example', noStartTls);
  const send = await mailTo(scene, ['dan@clear.example']);
  await eventually(async () => (await ledgerOf(scene, send)).get('dan@clear.example')?.state === 'deferred');
  await asOwner(app, async (client) => {
    await client.query(`update delivery_attempts set started_at = now() - interval '5 hours'`);
    await client.query(`update mailing_recipients set due_at = now(), first_tried_at = now() - interval '6 hours'`);
  });
  const done = await sendIn(app, customer, send, 'finished');
  assert.equal(done.soft_bounced, 1);
  const keys = await app.installation.vault.of(customer.id);
  const [mail] = await asOwner(
    app,
    async (client) => (await client.query('select id, reply from mailing_recipients')).rows,
  );
  const words = keys.open({ table: 'mailing_recipients', row: mail.id, column: 'reply' }, mail.reply).toString();
  assert.match(words, /^5\.7\.10 Encryption needed: /);
  fleet.nothingInClear([SECRET, 'dan@']);
});
