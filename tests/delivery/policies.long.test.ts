import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { send } from '../support/mail.ts';
import { type Clinic, type Standing, startClinic } from './clinic.ts';
import { createFleet, type Fleet, tlsaOfKey } from './fleet.ts';
import * as scripts from './scripts.ts';
import * as tlsScripts from './tls-scripts.ts';

const HOUR = 3600_000;
const DAY = 24 * HOUR;
let fleet: Fleet;
let clinic: Clinic;

before(async (t) => {
  fleet = await createFleet(t as TestContext);
  clinic = await startClinic(t as TestContext, fleet, {
    patience: { connectMs: 5_000, commandMs: 5_000, finalDotMs: 5_000 },
  });
});

/** Sends a text of its own to somebody at a domain and answers how that ended, and who has heard the text. */
async function mailTo(domain: string): Promise<Standing & { heardBy: string[] }> {
  const text = `secret-${Math.random()}`;
  const id = await clinic.send([`ann@${domain}`], text);
  await clinic.deliverAll();
  const [standing] = await clinic.standings(id);
  return { ...(standing as Standing), heardBy: fleet.hostsThatHeard(text) };
}

async function assertDelivered(domain: string, policy: string, host = `mx.${domain}`): Promise<void> {
  const { state, tls, heardBy, words } = await mailTo(domain);
  assert.deepEqual([state, tls?.policy, heardBy], ['delivered', policy, [host]], words);
}

/** Held, tried, and given back with 5.7.10; nobody has heard of it, not even by a notice. */
async function assertWithheld(domain: string, why: RegExp): Promise<void> {
  const handedBefore = fleet.peers.flatMap((peer) => peer.handed()).length;
  const { state, words, heardBy } = await mailTo(domain);
  assert.deepEqual([state, heardBy], ['bounced', []], words);
  assert.match(words, why);
  assert.equal(fleet.peers.flatMap((peer) => peer.handed()).length, handedBefore, 'no notice either');
}

test('a host on the list of an MTA-STS policy gets the mail by that policy', async () => {
  await fleet.add('sts.example', scripts.ok);
  await fleet.publishPolicy('sts.example', { mode: 'enforce', mx: ['*.sts.example'] });
  await assertDelivered('sts.example', 'mta-sts');
});

test('a host that an MTA-STS policy does not list gets nothing', async () => {
  await fleet.add('unlisted.example', scripts.ok);
  await fleet.publishPolicy('unlisted.example', { mode: 'enforce', mx: ['other.example'] });
  await assertWithheld('unlisted.example', /^5\.7\.10 .*MTA-STS/);
  assert.deepEqual(fleet.peers.find(({ name }) => name === 'mx.unlisted.example')?.connections, []);
});

test('where MTA-STS is enforced, a certificate that does not verify gets not even a notice', async () => {
  await fleet.add('strict.example', tlsScripts.selfSigned);
  await fleet.publishPolicy('strict.example', { mode: 'enforce', mx: ['mx.strict.example'] });
  await assertWithheld('strict.example', /^5\.7\.10 /);
});

test('a policy that is only tested, broken or not to be had demands no more than a verified certificate', async () => {
  for (const manner of ['broken file', 'not found', 'redirect', 'wrong certificate', 'unknown authority'] as const) {
    const domain = `${manner.replace(' ', '-')}.example`;
    await fleet.add(domain, scripts.ok);
    await fleet.publishPolicy(domain, { mode: 'enforce', mx: ['other.example'], manner });
    await assertDelivered(domain, 'pkix');
  }
  await fleet.add('tested.example', tlsScripts.selfSigned);
  await fleet.publishPolicy('tested.example', { mode: 'testing', mx: ['other.example'] });
  assert.equal((await mailTo('tested.example')).state, 'noticed');
});

test('a policy holds until its age is over, though it can no longer be fetched', async () => {
  const peer = await fleet.add('stale.example', scripts.ok);
  const policy = { mode: 'enforce' as const, mx: ['mx.stale.example'], maxAge: 10 * 24 * 3600 };
  await fleet.publishPolicy('stale.example', policy);
  await assertDelivered('stale.example', 'mta-sts');
  await fleet.publishPolicy('stale.example', { ...policy, id: '2', manner: 'not found' });
  clinic.clock.advance(DAY);
  await assertDelivered('stale.example', 'mta-sts');
  await peer.follow(tlsScripts.selfSigned);
  clinic.clock.advance(DAY);
  await assertWithheld('stale.example', /^5\.7\.10 /);
});

test('a TLSA record that matches verifies what no authority vouches for', async () => {
  const peer = await fleet.add('dane.example', tlsScripts.selfSigned, { authentic: true });
  fleet.publishTlsa(peer.name, [tlsaOfKey(peer.certificate().cert)]);
  await assertDelivered('dane.example', 'dane');
});

test('a TLSA record that does not match forbids what an authority vouches for', async () => {
  const peer = await fleet.add('bad-dane.example', scripts.ok, { authentic: true });
  const another = await fleet.authority.issue({ names: [peer.name] });
  fleet.publishTlsa(peer.name, [tlsaOfKey(another.cert)]);
  await assertWithheld('bad-dane.example', /^5\.7\.10 /);
});

test('TLSA records that nobody has signed count for nothing', async () => {
  const peer = await fleet.add('unsigned.example', scripts.ok);
  const another = await fleet.authority.issue({ names: [peer.name] });
  fleet.publishTlsa(peer.name, [tlsaOfKey(another.cert)]);
  await assertDelivered('unsigned.example', 'pkix');
});

test('where TLSA records cannot be asked for, nobody is called', async () => {
  const peer = await fleet.add('no-answer.example', scripts.ok, { authentic: true });
  fleet.zone[`_${peer.port}._tcp.${peer.name}`] = { fails: 'SERVFAIL' };
  const { state, heardBy } = await mailTo('no-answer.example');
  assert.deepEqual([state, heardBy, peer.connections], ['bounced', [], []]);
});

test('a domain that was verified once gets nothing over less', async () => {
  const peer = await fleet.add('fallen.example', scripts.ok);
  await assertDelivered('fallen.example', 'pkix');
  await peer.follow(tlsScripts.selfSigned);
  clinic.clock.advance(DAY);
  await assertWithheld('fallen.example', /^5\.7\.10 /);
});

test('content goes over unverified TLS where the customer has said so, and not without TLS', async () => {
  const { app, customer } = clinic;
  for (const domain of ['enough.example', 'not-enough.example']) {
    const reply = await app.request('POST', '/v1/email/tls_exceptions', { key: customer.key, body: { domain } });
    assert.equal(reply.status, 200, reply.text);
  }
  clinic.clock.advance(5_000); // so long may a worker not know of it
  await fleet.add('enough.example', tlsScripts.selfSigned);
  await assertDelivered('enough.example', 'none');
  await fleet.add('not-enough.example', tlsScripts.noStartTls);
  await assertWithheld('not-enough.example', /^5\.7\.10 /);
});

test('how long a server has had no TLS counts from when it last had some', async () => {
  const peer = await fleet.add('wavering.example', tlsScripts.noStartTls);
  const id = await clinic.send(['ann@wavering.example'], 'secret-wavering');
  await clinic.deliver();
  const tryLater = async (hours: number) => {
    clinic.clock.advance(hours * HOUR);
    await clinic.deliver();
    const [standing] = await clinic.standings(id);
    return [standing?.state, standing?.outcomes.length, standing?.words.slice(0, 6)];
  };
  await peer.follow(scripts.replyAt('rcpt', '452 4.2.2 mailbox full'));
  assert.deepEqual(await tryLater(3), ['queued', 2, '452 4.']);
  assert.deepEqual(await tryLater(3), ['queued', 3, '452 4.']);
  await peer.follow(tlsScripts.noStartTls);
  assert.deepEqual((await tryLater(1)).slice(0, 2), ['queued', 4]);
  assert.deepEqual((await tryLater(3)).slice(0, 2), ['queued', 5]);
  assert.deepEqual(await tryLater(1), ['bounced', 6, '5.7.10']);
});

test('another host takes the mail where the first is dead or speaks no TLS', async () => {
  fleet.announce('two.example');
  await fleet.add('two.example', scripts.ok, { host: 'mx2.two.example', preference: 20 });
  await assertDelivered('two.example', 'pkix', 'mx2.two.example');
  await fleet.add('clear.example', tlsScripts.noStartTls);
  await fleet.add('clear.example', scripts.ok, { host: 'mx2.clear.example', preference: 20 });
  await assertDelivered('clear.example', 'pkix', 'mx2.clear.example');
});

async function endOf(domain: string) {
  const { state, outcomes, words } = await mailTo(domain);
  return [state, outcomes.at(-1), words.slice(0, 10)];
}

test('domains that take no mail, are not there, or cannot be looked up or reached', async () => {
  fleet.zone['null.example'] = { mx: [[0, '.']] };
  fleet.zone['broken.example'] = { fails: 'SERVFAIL' };
  fleet.announce('dead.example');
  assert.deepEqual(await endOf('null.example'), ['bounced', 'refused', '556 5.1.10']);
  assert.deepEqual(await endOf('nowhere.example'), ['bounced', 'refused', '550 5.1.2 ']);
  assert.deepEqual((await endOf('broken.example')).slice(0, 2), ['bounced', 'deferred']);
  assert.deepEqual((await endOf('dead.example')).slice(0, 2), ['bounced', 'deferred']);
});

test('each recipient of a message ends by the answer that was given for it', async () => {
  const peer = await fleet.add('mixed.example', scripts.judgesRecipients);
  const id = await clinic.send(['ann@mixed.example', 'gone-bob@mixed.example', 'full-cid@mixed.example'], 'to three');
  await clinic.deliverAll();
  const ends = (await clinic.standings(id)).map(({ state, outcomes, words }) => [
    state,
    outcomes[0],
    words.slice(0, 9),
  ]);
  assert.deepEqual(ends, [
    ['delivered', 'delivered', '250 2.0.0'],
    ['bounced', 'refused', '550 5.1.1'],
    ['bounced', 'deferred', '452 4.2.2'],
  ]);
  assert.deepEqual(
    peer.taken().map(({ recipients }) => recipients),
    [['ann@mixed.example']],
  );
});

test('in all of this not a byte was heard in clear', () => {
  fleet.nothingInClear(['secret-', 'to three', 'ann@']);
});

test("one domain's policy keeps nobody else's mail from the same servers", async () => {
  await fleet.add('shared.example', scripts.ok);
  for (const domain of ['mean.example', 'kind.example']) {
    fleet.zone[domain] = { mx: [[10, 'mx.shared.example']] };
  }
  await fleet.publishPolicy('mean.example', { mode: 'enforce', mx: ['other.example'] });
  for (let place = 0; place < 4; place += 1) await clinic.send([`ann@mean.example`], 'x');
  await clinic.deliver();
  await assertDelivered('kind.example', 'pkix', 'mx.shared.example');
});

test('whatever line ends a text has, none leaves but CRLF, and no dot ends a message early', async () => {
  const peer = await fleet.add('lines.example', scripts.ok);
  const text = 'one\ntwo\n.\nthree\rfour\r\n.\r\nfive\n.\r\nMAIL FROM:<a@b.example>';
  await clinic.send(['ann@lines.example'], text);
  await clinic.deliver();
  const [taken] = peer.taken();
  assert.equal(peer.handed().length, 1);
  assert.doesNotMatch(taken?.mime ?? '', /(?<!\r)\n|\r(?!\n)/);
  assert.ok(taken?.mime.includes('one\r\ntwo\r\n'), taken?.mime);
  assert.ok(taken?.mime.includes('MAIL FROM:<a@b.example>'));
});

test('an address beyond ASCII is delivered where the server knows SMTPUTF8, and refused in words where it does not', async () => {
  const peer = await fleet.add('xn--bcher-kva.example', scripts.ok);
  await fleet.add('old.example', scripts.noSmtpUtf8);
  const ids = [await clinic.send(['jörg@bücher.example'], 'x'), await clinic.send(['jörg@old.example'], 'x')];
  await clinic.deliver();
  const standings = await Promise.all(ids.map((id) => clinic.standings(id)));
  assert.deepEqual(
    standings.flat().map(({ state }) => state),
    ['delivered', 'bounced'],
  );
  assert.match(standings[1]?.[0]?.words ?? '', /^550 5\.6\.7 /);
  assert.equal(peer.taken().length, 1);
  assert.match(peer.secured().toString(), /MAIL FROM:<[^>]*>.* SMTPUTF8\r\nRCPT TO:<jörg@xn--bcher-kva\.example>/);
});

test('an address beyond ASCII keeps nobody else at its domain from a message', async () => {
  const peer = await fleet.add('elder.example', scripts.noSmtpUtf8);
  const id = await clinic.send(['jörg@elder.example', 'ann@elder.example', 'jürgen@elder.example'], 'x');
  await clinic.deliver();
  assert.deepEqual(
    (await clinic.standings(id)).map(({ state, words }) => [state, words.slice(0, 9)]),
    [
      ['bounced', '550 5.6.7'],
      ['delivered', '250 2.0.0'],
      ['bounced', '550 5.6.7'],
    ],
  );
  assert.deepEqual(
    peer.handed().map(({ recipients }) => recipients),
    [['ann@elder.example']],
  );
});

function from(address: string) {
  return { headers: { from: `Clinic <${address}>`, subject: 'Your visit' } };
}

test('an address beyond ASCII that only a header has asks for SMTPUTF8, and keeps no message from a server without', async () => {
  const peer = await fleet.add('modern.example', scripts.ok);
  const old = await fleet.add('ascii.example', scripts.noSmtpUtf8);
  await fleet.add('third.example', scripts.ok);
  const sent = async (domain: string, message: Record<string, unknown>) =>
    send(clinic.app, clinic.customer.key, { recipients: [`ann@${domain}`], ...message });
  const ids = [
    await sent('modern.example', from('jörg@clinic.example')),
    await sent('ascii.example', from('jörg@clinic.example')),
    await sent('ascii.example', { ...from('desk@clinic.example'), cc: ['jörg@third.example'] }),
    await sent('ascii.example', from('desk@clinic.example')),
  ];
  await clinic.deliver();
  const standings = await Promise.all(ids.map(async (id) => (await clinic.standings(id))[0] as Standing));
  assert.deepEqual(
    standings.map(({ state }) => state),
    ['delivered', 'delivered', 'delivered', 'delivered'],
  );
  assert.match(peer.secured().toString(), /MAIL FROM:<[^>]*>.* SMTPUTF8\r\nRCPT TO:<ann@modern\.example>/);
  assert.equal(old.taken().length, 3);
  assert.match(old.secured().toString(), / BODY=8BITMIME\r\n/);
});

test('an attached message beyond ASCII is refused in words of its own where a server takes seven bits', async () => {
  const peer = await fleet.add('eight.example', scripts.noSmtpUtf8);
  await fleet.add('seven.example', { offersSecured: ['PIPELINING'] });
  const content = Buffer.from('Subject: within\r\n\r\nGrüße\r\n').toString('base64');
  const message = {
    headers: { from: 'desk@clinic.example' },
    attachments: [{ fileName: 'm.eml', contentType: 'message/rfc822', content }],
  };
  const id = await send(clinic.app, clinic.customer.key, {
    ...message,
    recipients: ['ann@eight.example', 'ann@seven.example'],
  });
  await clinic.deliver();
  const [eight, seven] = await clinic.standings(id);
  assert.deepEqual([eight?.state, seven?.state], ['delivered', 'bounced']);
  assert.match(peer.secured().toString(), /MAIL FROM:<[^>]*>.* BODY=8BITMIME\r\n/);
  assert.match(seven?.words ?? '', /^554 5\.6\.3 .*attached message/);
});
