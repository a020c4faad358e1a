import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import type { RouteExplained } from '../../src/email/index.ts';
import { startApp } from '../support/app.ts';
import { type Clinic, startClinic } from './clinic.ts';
import { createFleet, type Fleet, tlsaOfKey } from './fleet.ts';
import * as scripts from './scripts.ts';
import * as tlsScripts from './tls-scripts.ts';

let fleet: Fleet;
let clinic: Clinic;

before(async (t) => {
  fleet = await createFleet(t as TestContext);
  clinic = await startClinic(t as TestContext, fleet);
});

async function explain(domain: string): Promise<RouteExplained> {
  const { key } = clinic.customer;
  const { status, body, text } = await clinic.app.request('GET', `/v1/email/route?domain=${domain}`, { key });
  assert.equal(status, 200, text);
  return body.data;
}

test('a domain whose server verifies can be reached, and by what is told', async () => {
  await fleet.add('fine.example', scripts.ok);
  const { outcome, summary, hosts } = await explain('Fine.Example');
  assert.equal(outcome, 'content');
  assert.match(summary, /verified TLS \(pkix\) to mx\.fine\.example/);
  const [host] = hosts;
  assert.deepEqual([host?.verified, host?.policy, host?.tls?.version], [true, 'pkix', 'TLSv1.3']);
  assert.match(host?.tls?.certificate_sha256 ?? '', /^[0-9a-f]{64}$/);
});

test('DANE and MTA-STS are told of', async () => {
  const peer = await fleet.add('signed.example', tlsScripts.selfSigned, { authentic: true });
  fleet.publishTlsa('mx.signed.example', [tlsaOfKey(peer.certificate().cert)]);
  const signed = await explain('signed.example');
  assert.deepEqual([signed.outcome, signed.hosts[0]?.policy, signed.hosts[0]?.tlsa], ['content', 'dane', 1]);
  await fleet.add('listed.example', scripts.ok);
  await fleet.publishPolicy('listed.example', { mode: 'enforce', mx: ['*.listed.example'] });
  const listed = await explain('listed.example');
  assert.deepEqual([listed.mta_sts?.mode, listed.hosts[0]?.policy], ['enforce', 'mta-sts']);
});

test('why only a notice, or nothing, can leave is told in words', async () => {
  await fleet.add('own.example', tlsScripts.selfSigned);
  await fleet.add('bare.example', tlsScripts.noStartTls);
  fleet.announce('dead.example');
  fleet.zone['null.example'] = { mx: [[0, '.']] };
  fleet.zone['broken.example'] = { fails: 'SERVFAIL' };
  const told = await Promise.all(
    ['own', 'bare', 'dead', 'null', 'broken', 'nowhere'].map((name) => explain(`${name}.example`)),
  );
  const expected: [string, RegExp][] = [
    ['notice', /self-signed.*pickup page/],
    ['nothing', /does not offer TLS/],
    ['nothing', /cannot be reached/],
    ['nothing', /takes no mail/],
    ['nothing', /name servers do not answer/],
    ['nothing', /no such domain/],
  ];
  for (const [place, [outcome, words]] of expected.entries()) {
    assert.equal(told[place]?.outcome, outcome, told[place]?.summary);
    assert.match(told[place]?.summary ?? '', words);
  }
  assert.deepEqual(
    fleet.peers.flatMap((peer) => peer.handed()),
    [],
    'nothing was sent',
  );
});

test('what is no domain is refused, and in the sandbox there is nothing to be asked', async (t) => {
  const { key } = clinic.customer;
  for (const domain of ['', 'a b', 'ann@fine.example', '127.0.0.1']) {
    const { status, text } = await clinic.app.request('GET', `/v1/email/route?domain=${encodeURIComponent(domain)}`, {
      key,
    });
    assert.equal(status, 400, text);
    assert.match(text, /domain/);
  }
  const sandbox = await startApp(t);
  const customer = await sandbox.createCustomer();
  const { body } = await sandbox.request('GET', '/v1/email/route?domain=example.com', { key: customer.key });
  assert.match(body.data.summary, /sandbox/);
});
