import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import type { Reply, TestApp } from './app.ts';
import { eventually } from './eventually.ts';

/** A request as it came in. */
export interface Received {
  path: string;
  method: string;
  headers: IncomingHttpHeaders;
  raw: string;
  /** Its number at the endpoint. */
  sequence: number;
  body: Reply['body'];
}

/** What to answer; a hanging one never does. */
type Answer = { status: number; headers?: Record<string, string> } | 'hang';

export interface WebhookReceiver {
  url: string;
  received: Received[];
  /** How many requests wait for an answer that does not come. */
  hanging(): number;
  /** Answers every request from now on with what is said, or with what a function says of it. */
  answer(next: Answer | ((request: Received) => Answer)): void;
  /** Waits until so many requests have come, and answers them. */
  atLeast(count: number): Promise<Received[]>;
  /** Breaks off whatever hangs. */
  release(): void;
}

/** A customer's own server on this machine; answers 204 until it is told otherwise. */
export async function startReceiver(t: TestContext): Promise<WebhookReceiver> {
  const received: Received[] = [];
  const hanging = new Set<ServerResponse>();
  let decide: (request: Received) => Answer = accept;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const raw = Buffer.concat(chunks).toString();
      const { url: path = '', method = '', headers } = request;
      const body = raw === '' ? null : JSON.parse(raw);
      const each = { path, method, headers, raw, sequence: Number(headers['carepost-sequence']), body };
      received.push(each);
      const answer = decide(each);
      if (answer === 'hang') {
        hanging.add(response);
        response.once('close', () => hanging.delete(response));
      } else response.writeHead(answer.status, answer.headers).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => close(server));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    hanging: () => hanging.size,
    answer(next) {
      decide = typeof next === 'function' ? next : () => next;
    },
    atLeast: (count) => eventually(async () => received.length >= count && received),
    release() {
      for (const response of hanging) response.destroy();
    },
  };
}

function accept(): Answer {
  return { status: 204 };
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => void server.close(() => resolve()));
}

/** An endpoint as its customer knows it. */
export interface Hook {
  id: number;
  uuid: string;
  secret: string;
}

/** Has a customer's events sent to an address. */
export async function createHook(
  app: TestApp,
  key: string,
  { url, ...more }: { url: string; events: string[]; ordered?: boolean; api_key?: string },
): Promise<Hook> {
  const body = { target_url: url, ...more };
  const { status, body: made, text } = await app.request('POST', '/v1/email/webhook_endpoints', { key, body });
  if (status !== 201) throw new Error(`not made: ${text}`);
  const { body: listed } = await app.request('GET', '/v1/webhooks/endpoints?items=200', { key });
  const { id: uuid } = listed.data.find((each: { target_url: string }) => each.target_url === url);
  return { id: made.id, uuid, secret: made.signing_key };
}

/** What the log says of an endpoint's deliveries, in their order. */
export async function deliveriesOf(app: TestApp, key: string, { uuid }: Hook) {
  const { body } = await app.request('GET', `/v1/webhooks/endpoints/${uuid}/deliveries`, { key });
  return body.data.toReversed() as {
    id: string;
    sequence: number;
    event_name: string;
    state: 'pending' | 'delivered' | 'failed';
    attempts: number;
    next_attempt_at: string | null;
    settled_at: string | null;
  }[];
}

/** What the log says of the attempts at one delivery. */
export async function attemptsAt(app: TestApp, key: string, { uuid }: Hook, deliveryId: string) {
  const path = `/v1/webhooks/endpoints/${uuid}/deliveries/${deliveryId}`;
  const { body } = await app.request('GET', path, { key });
  return body.data.log as {
    attempt: number;
    started_at: string;
    finished_at: string | null;
    outcome: string | null;
    status: number | null;
  }[];
}
