import {
  createEndpoint,
  type EndpointWork,
  findEndpoint,
  listEndpoints,
  readEvents,
  readTarget,
  refuseTaken,
  rotateSecret,
  targetRulesOf,
} from '../../email/index.ts';
import { requireOwn } from '../../platform/http/ownership.ts';
import { type Command, type Invocation, required } from '../command.ts';
import { listed } from '../listed.ts';
import { onCustomer } from '../on-customer.ts';

const EVERY_SCOPE = new Set(['email', 'forms', 'marketing'] as const);

export const webhookCreate: Command = {
  name: 'webhook create',
  usage: '--customer ID --url URL --events A,B',
  about: 'have events sent to an address; the secret is printed once',
  options: { customer: { type: 'string' }, url: { type: 'string' }, events: { type: 'string' } },
  run: (invocation) =>
    onEndpoints(invocation, 'webhook.created', async (work) => {
      const target = readTarget(required(invocation, 'url'), targetRulesOf(invocation.config));
      await refuseTaken(work, target.targetUrl);
      const { id, secrets } = await createEndpoint(work, {
        ...target,
        events: readEvents(EVERY_SCOPE, required(invocation, 'events')),
        active: true,
        ordered: false,
        apiKey: null,
        signingKey: null,
      });
      const secret = secrets[0]?.text;
      return { json: { id, secret }, text: `Webhook endpoint ${id}, secret ${secret} (not shown again)` };
    }),
};

export const webhookList: Command = {
  name: 'webhook list',
  usage: '--customer ID',
  about: 'list where the events of a customer are sent',
  options: { customer: { type: 'string' } },
  run: (invocation) =>
    onEndpoints(invocation, 'webhook.listed', async (work) => {
      const endpoints = (await listEndpoints(work)).map(({ id, writtenUrl, events, active, failingSince }) => ({
        id,
        url: writtenUrl,
        events,
        state: !active ? 'disabled' : failingSince === null ? 'active' : 'failing',
      }));
      return listed(endpoints, ({ id, state, url, events }) => `${id}  ${state}  ${url}  ${events.join(',')}`);
    }),
};

export const webhookRotate: Command = {
  name: 'webhook rotate',
  usage: '--customer ID --endpoint N',
  about: 'give an endpoint a new secret; the old one signs beside it for a day',
  options: { customer: { type: 'string' }, endpoint: { type: 'string' } },
  run: (invocation) =>
    onEndpoints(invocation, 'webhook.secret-rotated', async (work) => {
      const wanted = { id: Number(required(invocation, 'endpoint')) || 0 };
      const { id, secrets } = await rotateSecret(work, await findEndpoint(work, requireOwn, wanted, { lock: true }));
      const secret = secrets[0]?.text;
      return { json: { id, secret }, text: `Webhook endpoint ${id}, secret ${secret} (not shown again)` };
    }),
};

function onEndpoints<T>(invocation: Invocation, action: string, work: (parts: EndpointWork) => Promise<T>): Promise<T> {
  return onCustomer(invocation, async ({ tx, keys, clock, act }) =>
    work({ tx, keys: await keys(), clock, act: act(action) }),
  );
}
