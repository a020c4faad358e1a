import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { get } from 'node:https';
import { type TestContext, test } from 'node:test';
import * as dnsPacket from 'dns-packet';
import { createFleet, type Fleet, tlsaOfKey } from './fleet.ts';
import { ok } from './scripts.ts';
import type { Manner } from './sts-host.ts';

/** Answers may be late on a machine that is busy; only silence is waited for in vain. */
const PATIENT_MS = 10_000;
const IMPATIENT_MS = 200;

async function fleetAndResolver(t: TestContext) {
  const fleet = await createFleet(t);
  return { fleet, resolver: resolverFor(fleet, PATIENT_MS) };
}

function resolverFor(fleet: Fleet, timeout: number): Resolver {
  const resolver = new Resolver({ timeout, tries: 1 });
  resolver.setServers([fleet.names.address]);
  return resolver;
}

test('the name server tells what the zone says, and follows its changes', async (t) => {
  const { fleet, resolver } = await fleetAndResolver(t);
  const hostsOf = async (domain: string) =>
    (await resolver.resolveMx(domain)).map(({ priority, exchange }) => `${priority} ${exchange}`);
  const peer = await fleet.add('clinic.example', ok);
  const record = tlsaOfKey(peer.certificate().cert);
  fleet.publishTlsa(peer.name, [record]);
  fleet.zone['alias.example'] = { cname: 'mx.clinic.example' };
  fleet.zone['six.example'] = { aaaa: ['::1'], txt: ['x'.repeat(300)] };
  fleet.zone['no.example'] = { mx: [[0, '.']] };
  assert.deepEqual(await hostsOf('clinic.example'), ['10 mx.clinic.example']);
  assert.deepEqual(await resolver.resolve4('alias.example'), [peer.address]);
  assert.deepEqual(await resolver.resolveCname('alias.example'), ['mx.clinic.example']);
  assert.deepEqual(await resolver.resolve6('six.example'), ['::1']);
  assert.deepEqual(await resolver.resolveTxt('six.example'), [['x'.repeat(255), 'x'.repeat(45)]]);
  assert.deepEqual(await hostsOf('no.example'), ['0 ']);
  const [tlsa] = await resolver.resolveTlsa(`_${peer.port}._tcp.${peer.name}`);
  assert.deepEqual(Buffer.from(tlsa?.data as ArrayBuffer), record.certificate);
  await fleet.add('clinic.example', ok, { host: 'mx2.clinic.example', preference: 20 });
  assert.deepEqual(await hostsOf('clinic.example'), ['10 mx.clinic.example', '20 mx2.clinic.example']);
});

test('the name server fails where it is told to, and cuts off what is to be asked by TCP', async (t) => {
  const { fleet, resolver } = await fleetAndResolver(t);
  Object.assign(fleet.zone, {
    'bad.example': { fails: 'SERVFAIL' },
    'none.example': { a: ['127.0.0.1'], fails: 'NXDOMAIN' },
    'quiet.example': { fails: 'silence' },
    'loop.example': { cname: 'loop.example' },
    'long.example': { a: ['127.0.0.9'], truncated: true },
    'empty.example': {},
  });
  const codeOf = (name: string, by = resolver) =>
    by.resolve4(name).then(String, (error: { code: string }) => error.code);
  assert.equal(await codeOf('bad.example'), 'ESERVFAIL');
  assert.equal(await codeOf('none.example'), 'ENOTFOUND');
  assert.equal(await codeOf('unknown.example'), 'ENOTFOUND');
  assert.equal(await codeOf('quiet.example', resolverFor(fleet, IMPATIENT_MS)), 'ETIMEOUT');
  assert.equal(await codeOf('empty.example'), 'ENODATA');
  assert.equal(await codeOf('long.example'), '127.0.0.9');
  assert.deepEqual(fleet.names.asked.slice(-2), ['A long.example', 'A long.example by TCP']);
  assert.notEqual(await codeOf('loop.example'), '127.0.0.1');
});

/** Whether an answer has the AD bit. */
async function isAuthentic(fleet: Fleet, name: string): Promise<boolean> {
  const socket = createSocket('udp4');
  const question = dnsPacket.encode({ type: 'query', id: 1, questions: [{ type: 'A', name }] });
  const reply = new Promise<Buffer>((resolve) => socket.once('message', resolve));
  socket.send(question, Number(fleet.names.address.split(':')[1]), '127.0.0.1');
  const { flag_ad: authentic } = dnsPacket.decode(await reply);
  socket.close();
  return authentic;
}

test('the AD bit is set where all of an answer is vouched for', async (t) => {
  const { fleet } = await fleetAndResolver(t);
  await fleet.add('signed.example', ok, { authentic: true });
  await fleet.add('plain.example', ok);
  fleet.zone['signed-alias.example'] = { cname: 'mx.plain.example', authentic: true };
  assert.equal(await isAuthentic(fleet, 'mx.signed.example'), true);
  assert.equal(await isAuthentic(fleet, 'mx.plain.example'), false);
  assert.equal(await isAuthentic(fleet, 'signed-alias.example'), false);
});

/** What a client that checks certificates gets for the policy of a domain. */
function fetchPolicy({ sts, authority }: Fleet, domain: string): Promise<string> {
  return new Promise((resolve) => {
    const servername = `mta-sts.${domain}`;
    const options = { host: sts.address, port: sts.port, servername, ca: authority.caPem, timeout: 200 };
    const request = get(
      { ...options, path: '/.well-known/mta-sts.txt', headers: { host: servername }, agent: false },
      (reply) => {
        let text = '';
        reply.on('data', (chunk) => (text += chunk));
        reply.once('end', () => resolve(`${reply.statusCode} ${reply.headers['content-type']} ${text}`));
        reply.once('error', () => resolve('broke off'));
      },
    );
    request.once('timeout', () => request.destroy());
    request.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
  });
}

const MANNERS: Record<Manner, RegExp> = {
  well: /^200 text\/plain version: STSv1\r\nmode: enforce\r\nmx: \*\.clinic\.example\r\nmax_age: 86400\r\n$/,
  'broken file': /^200 text\/plain version: 2\r\n/,
  'wrong certificate': /^ERR_TLS_CERT_ALTNAME_INVALID$/,
  'unknown authority': /^UNABLE_TO_VERIFY_LEAF_SIGNATURE$/,
  'not found': /^404 /,
  slow: /^(broke off|ECONNRESET)$/,
  redirect: /^302 /,
  'as HTML': /^200 text\/html /,
  'too large': /^200 text\/plain [^]{1000000}/,
};

for (const [manner, expected] of Object.entries(MANNERS) as [Manner, RegExp][]) {
  test(`an MTA-STS policy is given ${manner}`, async (t) => {
    const { fleet, resolver } = await fleetAndResolver(t);
    await fleet.publishPolicy('clinic.example', { mode: 'enforce', mx: ['*.clinic.example'], manner });
    assert.match(await fetchPolicy(fleet, 'clinic.example'), expected);
    await fleet.publishPolicy('clinic.example', { mode: 'none', mx: [], id: '2' });
    assert.match(await fetchPolicy(fleet, 'clinic.example'), /mode: none/);
    assert.deepEqual(await resolver.resolveTxt('_mta-sts.clinic.example'), [['v=STSv1; id=2;']]);
  });
}
