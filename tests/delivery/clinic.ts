import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { PATIENCE, type Patience } from '../../src/email/delivery/dialogue/connect.ts';
import { createEngine } from '../../src/email/delivery/engine.ts';
import { createDirectWay } from '../../src/email/delivery/onward/direct-way.ts';
import { onwardOf } from '../../src/email/delivery/onward/onward.ts';
import { isDatabaseAway } from '../../src/platform/db/failure.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock, type MovableClock } from '../support/clock.ts';
import { createWorker } from '../support/delivery.ts';
import { send } from '../support/mail.ts';
import { asOwner } from '../support/owner.ts';
import type { Fleet } from './fleet.ts';

const SENDER = 'clinic.example';
const MOST_ROUNDS = 60;
const HOUR = 3600_000;
/** Once they try every few hours, more of the same tells nothing new. */
const LONGEST_PAUSE = 15 * HOUR;

interface Tls {
  policy: string;
  verified: boolean;
}

/** A recipient as the message log shows it. */
interface Logged {
  state: string;
  attempts: { startedAt: string; outcome: string; smtpResponse: string | null; tls: Tls | null }[];
}

/** How a recipient stands: how the attempts ended, what was said to the last, and what its TLS was held for. */
export interface Standing {
  state: string;
  outcomes: string[];
  /** From the first attempt to the last. */
  days: number;
  words: string;
  tls: Tls | null;
}

/** A customer of the product with a verified domain, and delivery that goes by hand and by a movable clock. */
export interface Clinic {
  app: TestApp;
  customer: TestCustomer;
  clock: MovableClock;
  /** Sends a message with a text, and answers its id. */
  send(recipients: string[], text: string): Promise<string>;
  /** Tries what is due now, once. */
  deliver(): Promise<void>;
  /** Lets time go by until nobody waits any more. */
  deliverAll(): Promise<void>;
  /** How each recipient of a message stands, in order. */
  standings(id: string): Promise<Standing[]>;
}

interface Options {
  clock?: MovableClock;
  patience?: Patience;
  env?: Record<string, string>;
}

/** Starts a product that delivers to a fleet. */
export async function startClinic(
  t: TestContext,
  fleet: Fleet,
  { clock = createMovableClock(), patience = PATIENCE, env = {} }: Options = {},
): Promise<Clinic> {
  const app = await startApp(t, { clock, env: { ...fleet.env, ...env } });
  const customer = await app.createCustomer();
  await verifySender(app, customer, fleet);
  const worker = await createWorker(t, app);
  const onward = onwardOf(app.installation.config, { clock });
  assert.ok(onward.mode === 'direct');
  const way = createDirectWay({ ...worker, ...onward, patience, onMeeting: () => {} });
  t.after(() => way.close());
  const engine = createEngine({ ...worker, patience }, { live: way, test: way });

  /** On a busy machine the pool may give no connection in time; then it is tried again, as the product does. */
  async function turn(): Promise<number> {
    try {
      return await engine.turn();
    } catch (error) {
      if (!isDatabaseAway(error)) throw error;
      return 1;
    }
  }

  async function deliver(): Promise<void> {
    // All at once, as those that never answer would wait one after the other.
    while ((await turn()) > 0);
    await engine.settled();
  }

  /** When the last of those who wait is due. */
  async function lastDue(): Promise<Date | null> {
    const query = `select max(due_at) as due from message_recipients where state = 'queued'`;
    return asOwner(app, async (client) => (await client.query(query)).rows[0].due);
  }

  return {
    app,
    customer,
    clock,
    deliver,
    send: (recipients, text) =>
      send(app, customer.key, {
        recipients,
        headers: { from: `Clinic <desk@${SENDER}>`, subject: 'Your visit' },
        content: { 'text/plain': text },
      }),
    async deliverAll() {
      await deliver();
      for (let round = 0; round < MOST_ROUNDS; round += 1) {
        const due = await lastDue();
        if (due === null) return;
        const pause = Math.max(0, due.getTime() - clock.now().getTime());
        clock.advance(pause > HOUR ? Math.max(pause, LONGEST_PAUSE) : pause);
        await deliver();
      }
      assert.fail('somebody waits for ever');
    },
    async standings(id) {
      const { body, text } = await app.request('GET', `/v1/email/message_log/${id}`, { key: customer.key });
      assert.ok(body.data, text);
      return (body.data.recipients as Logged[]).map(({ state, attempts }) => {
        const [first, last] = [attempts[0], attempts.at(-1)];
        const days = (Date.parse(last?.startedAt ?? '') - Date.parse(first?.startedAt ?? '')) / (24 * HOUR);
        const outcomes = attempts.map(({ outcome }) => outcome);
        return { state, outcomes, days, words: last?.smtpResponse ?? '', tls: last?.tls ?? null };
      });
    },
  };
}

/** Publishes the records that the product asks for, and lets it see them. */
export async function verifySender(app: TestApp, { key }: TestCustomer, fleet: Fleet): Promise<void> {
  const added = await app.request('POST', '/v1/email/sending_domains', { key, body: { domain: SENDER } });
  assert.equal(added.status, 200, added.text);
  for (const { type, name, value } of added.body.data.records as { type: string; name: string; value: string }[]) {
    const known = fleet.zone[name] ?? {};
    fleet.zone[name] = type === 'CNAME' ? { cname: value } : { ...known, txt: [...(known.txt ?? []), value] };
  }
  const checked = await app.request('POST', `/v1/email/sending_domains/${added.body.data.id}/check`, { key });
  assert.equal(checked.body.data.state, 'verified', checked.text);
  const calm = await app.request('PATCH', `/v1/email/sending_domains/${added.body.data.id}`, {
    key,
    body: { warm_up: false },
  });
  assert.equal(calm.status, 200, calm.text);
}
