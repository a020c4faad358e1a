import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { connect, type PeerCertificate } from 'node:tls';
import { INSTALLATION } from '../../src/accounts/index.ts';
import { openAccount } from '../../src/platform/acme/account.ts';
import { createSender } from '../../src/platform/acme/send.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/server.ts';
import { type Pebble, startPebble } from './pebble.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const [WEB, MAIL] = ['carepost.example.org', 'mail.example.org'];

function environment(pebble: Pebble, httpPort: number): Record<string, string> {
  return {
    CAREPOST_PUBLIC_URL: `https://${WEB}`,
    CAREPOST_HELO_NAME: MAIL,
    CAREPOST_ACME_EMAIL: 'it@example.org',
    CAREPOST_ACME_DIRECTORY: pebble.directory,
    CAREPOST_ACME_HTTP_PORT: String(httpPort),
    CAREPOST_TRUSTED_CA_FILE: pebble.caFile,
    CAREPOST_ROLES: 'http,smtp',
  };
}

/** What a port shows to a client that asks for a name and trusts one authority; null where it does not trust it. */
function shownAt(port: number, servername: string, ca: string): Promise<PeerCertificate | null> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, servername, ca });
    socket.once('secureConnect', () => {
      resolve(socket.getPeerCertificate());
      socket.destroy();
    });
    socket.once('error', () => resolve(null));
  });
}

const webPort = (app: TestApp) => Number(new URL(app.url).port);

async function shownByAll(apps: TestApp[], ca: string): Promise<string[] | null> {
  const shown = await Promise.all(
    apps.flatMap((app) => [shownAt(webPort(app), WEB, ca), shownAt(app.smtp?.tlsPort ?? 0, MAIL, ca)]),
  );
  return shown.every((each) => each !== null) ? shown.map(({ serialNumber }) => serialNumber) : null;
}

test('two nodes have one certificate issued, show it for HTTPS and SMTP, and renew it in time', async (t) => {
  const pebble = await startPebble(t);
  const root = await pebble.root();
  const clock = createMovableClock();
  const first = await startApp(t, { clock, env: environment(pebble, await freePort()) });
  const { db } = first.installation;
  const readRow = () => db.untenanted((tx) => tx.selectFrom('acme_certificates').selectAll().executeTakeFirst());
  const failedOnce = () =>
    eventually(async () => {
      const row = await readRow();
      return row?.failures === 1 ? row : null;
    });

  // Nothing answers where the authority looks.
  const refused = await failedOnce();
  assert.equal(refused.next_attempt_at.getTime() - clock.now().getTime(), 2 * MINUTE_MS, 'it is tried again');
  assert.match(first.logged(), /could not be shown to be ours/);
  assert.equal(await shownAt(webPort(first), WEB, root), null, 'signed by itself meanwhile');

  // From now on it reaches the second node, whichever of the two is asking.
  const second = await startApp(t, { clock, beside: first, env: environment(pebble, pebble.httpPort) });
  for (const path of ['/healthz', '/.well-known/acme-challenge/unknown', '/v1/email/messages']) {
    assert.equal((await fetch(`http://127.0.0.1:${pebble.httpPort}${path}`)).status, 404);
  }
  clock.advance(2 * MINUTE_MS);
  const shown = await eventually(() => shownByAll([first, second], root));
  assert.equal(new Set(shown).size, 1);
  assert.equal(pebble.issued(), 1);
  const names = new X509Certificate((await shownAt(webPort(first), WEB, root))?.raw as Buffer).subjectAltName;
  assert.deepEqual(names?.split(', ').toSorted(), [`DNS:${WEB}`, `DNS:${MAIL}`]);

  const kept = await readRow();
  const wait = (kept?.next_attempt_at.getTime() ?? 0) - clock.now().getTime();
  assert.ok(Math.abs(wait - 60 * DAY_MS) < DAY_MS / 24, 'due after two thirds of 90 days');
  assert.ok(!(kept?.sealed_key?.includes('PRIVATE KEY') ?? true), 'the key is sealed');

  clock.advance(61 * DAY_MS);
  const renewed = await eventually(async () => {
    assert.equal((await readRow())?.failures, 0, first.logged() + second.logged());
    const serials = await shownByAll([first, second], root);
    return serials?.every((serial) => serial !== shown[0]) === true ? serials : null;
  });
  assert.equal(new Set(renewed).size, 1);
  assert.equal(pebble.issued(), 2);

  await pebble.stop();
  clock.advance(61 * DAY_MS);
  await failedOnce();
  assert.deepEqual(await shownByAll([first, second], root), renewed, 'what was there stays in use');
});

test('an authority that no longer has the account is given another one, and the certificate is renewed', async (t) => {
  const pebble = await startPebble(t);
  const clock = createMovableClock();
  const app = await startApp(t, { clock, env: environment(pebble, pebble.httpPort) });
  const { db, vault } = app.installation;
  const readRow = () => db.untenanted((tx) => tx.selectFrom('acme_certificates').selectAll().executeTakeFirst());
  const issuedTimes = (times: number) =>
    eventually(async () => (pebble.issued() === times && (await readRow())?.failures === 0 ? true : null));
  const renewedAfterAFailure = async (times: number) => {
    clock.advance(61 * DAY_MS);
    // The authority of the tests also refuses a request now and then for no reason.
    let seen = 0;
    await eventually(async () => {
      const failures = (await readRow())?.failures ?? 0;
      if (failures > seen) {
        seen = failures;
        clock.advance(2 ** failures * MINUTE_MS);
      }
      return seen > 0 && failures === 0 && pebble.issued() === times;
    });
  };
  await issuedTimes(1);

  // As an authority answers that was set up anew.
  await db.untenanted((tx) =>
    tx
      .updateTable('acme_accounts')
      .set({ url: pebble.directory.replace('/dir', '/my-account/0') })
      .execute(),
  );
  await renewedAfterAFailure(2);
  assert.match(app.logged(), /accountDoesNotExist/);

  const authorities = readFileSync(pebble.caFile, 'utf8');
  const send = createSender({
    resolve: async () => ['127.0.0.1'],
    authorities,
    stopping: new AbortController().signal,
  });
  const deps = { db, clock, send, keys: () => vault.of(INSTALLATION) };
  const { authority, url } = await openAccount(deps, pebble.directory, 'it@example.org');
  await authority.post(url, url, { status: 'deactivated' });
  await renewedAfterAFailure(3);
  assert.match(app.logged(), /unauthorized/);
});
