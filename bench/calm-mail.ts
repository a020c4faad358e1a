import { setTimeout as sleep } from 'node:timers/promises';
import type { Installation } from './product.ts';
import type { Sink } from './sink.ts';

const LONGEST_MS = 60_000;

interface Calm {
  from: string;
  /** The domains in turn, and what the addresses there begin with. */
  domains: string[];
  prefix: string;
  perSecond: number;
  until: Promise<void>;
}

/** Hands messages in on schedule, whatever the replies do, and answers when each was accepted, by recipient. */
export async function sendCalmly(product: Installation, calm: Calm): Promise<Map<string, number>> {
  const accepted = new Map<string, number>();
  const sending: Promise<void>[] = [];
  const startedAt = performance.now();
  const over = new AbortController();
  const ending = calm.until.then(() => over.abort());
  for (let at = 0; !over.signal.aborted; at += 1) {
    await sleep(Math.max(0, startedAt + (at * 1000) / calm.perSecond - performance.now()));
    const recipient = `${calm.prefix}-${at}@${calm.domains[at % calm.domains.length]}`;
    sending.push(hand(product, calm.from, recipient).then((when) => void accepted.set(recipient, when)));
  }
  await Promise.all([ending, ...sending]);
  return accepted;
}

async function hand(product: Installation, from: string, recipient: string): Promise<number> {
  const message = {
    recipients: [recipient],
    headers: { from, subject: 'Your appointment' },
    content: { 'text/plain': `This one is for ${recipient}.` },
  };
  await product.call('POST', '/v1/email/messages', { data: { message } });
  return Date.now();
}

export interface Arrival {
  acceptedAt: number;
  /** How long it took from there to a sink. */
  ms: number;
}

/** What became of each message, the quickest first; it is an error if one stays away. */
export async function arrivals(accepted: Map<string, number>, sinks: Sink[]): Promise<Arrival[]> {
  const giveUpAt = Date.now() + LONGEST_MS;
  for (;;) {
    const got = (await Promise.all(sinks.map((sink) => sink.read()))).flatMap(({ received }) => received);
    const came = got.flatMap(({ recipient, at }) => {
      const acceptedAt = accepted.get(recipient);
      return acceptedAt === undefined ? [] : [{ acceptedAt, ms: Math.max(0, at - acceptedAt) }];
    });
    if (came.length > accepted.size) throw new Error('a message came twice');
    if (came.length === accepted.size) return came.toSorted((one, other) => one.ms - other.ms);
    if (Date.now() > giveUpAt) throw new Error(`${accepted.size - came.length} messages did not arrive`);
    await sleep(200);
  }
}
