import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { INSTALLATION } from '../../src/accounts/index.ts';
import { type Returning, returnPathOf } from '../../src/email/bounces/return-path.ts';
import { createLinkTokens, type Target } from '../../src/email/index.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { type Client, connectTo } from '../support/dialogue.ts';
import { asOwner } from '../support/owner.ts';

export const DOMAIN = 'returns.example.org';

/** A product that takes returned mail. */
export interface ReturnDoor {
  app: TestApp;
  clock: ReturnType<typeof createMovableClock>;
  customer: TestCustomer;
  /** The return path of a message, or of a recipient of a mailing. */
  pathOf(id: string, kind?: Returning['kind']): string;
  /** A client that has said EHLO. */
  connect(): Promise<Client>;
  /** Returns a mail to an address, as from nobody; answers with the reply to its data. */
  giveBack(path: string, mail: string | Buffer, sender?: string): Promise<string>;
}

/** Starts one, with the roles that a test needs; its mail goes to a peer, where there is one. */
export async function startReturnDoor(t: TestContext, roles = 'http,smtp', peer?: Target): Promise<ReturnDoor> {
  const clock = createMovableClock();
  const env = {
    CAREPOST_ROLES: roles,
    CAREPOST_BOUNCE_PORT: '0',
    CAREPOST_RETURN_PATH_DOMAIN: DOMAIN,
    CAREPOST_HELO_NAME: 'mail.example.org',
  };
  const app = await startApp(t, { env, clock, ...(peer === undefined ? {} : { overrides: { peer } }) });
  const tokens = createLinkTokens(await app.installation.vault.of(INSTALLATION));
  const clients: Client[] = [];
  t.after(() => clients.forEach((client) => client.close()));
  const door: ReturnDoor = {
    app,
    clock,
    customer: await app.createCustomer(),
    pathOf: (id, kind = 'bounce') => returnPathOf(tokens, { kind, id }, DOMAIN),
    async connect() {
      const client = await connectTo(app.bouncePort as number);
      clients.push(client);
      await client.play('S: 220 mail.example.org ESMTP\nC: EHLO mx.example.net\nS: 250-mail.example.org');
      return client;
    },
    async giveBack(path, mail, sender = '') {
      const client = await door.connect();
      await client.play(`C: MAIL FROM:<${sender}>\nS: 250 2.1.0\nC: RCPT TO:<${path}>\nS: 250 2.1.5\nC: DATA\nS: 354`);
      client.send(mail);
      client.send('.\r\n');
      const reply = (await client.reply()) ?? '';
      await client.play('C: QUIT\nS: 221');
      return reply;
    },
  };
  return door;
}

/** Takes the recipients of a message for delivered, as a server that took them would. */
export async function markDelivered({ app, clock }: ReturnDoor, id: string): Promise<void> {
  await asOwner(app, (client) =>
    client.query(
      `update message_recipients set state = 'delivered', due_at = null, settled_at = $2 where message_id = $1`,
      [id, clock.now()],
    ),
  );
}

/** What a customer can read of a message in its log. */
export async function loggedMessage({ app }: ReturnDoor, { key }: TestCustomer, id: string) {
  const { status, body } = await app.request('GET', `/v1/email/message_log/${id}`, { key });
  assert.equal(status, 200);
  return body.data as {
    state: string;
    recipients: { address: string; state: string }[];
    timeline: { event: string; recipient: string | null; said?: string }[];
  };
}

/** The names of a customer's events. */
export async function eventsOf({ app }: ReturnDoor, { key }: TestCustomer): Promise<string[]> {
  const { body } = await app.request('GET', '/v1/email/events', { key });
  return body.data.map(({ event_name: name, payload }: { event_name: string; payload: { to: string } }) =>
    `${name.replace('api_mail_log_', '')} ${payload.to}`.trim(),
  );
}
