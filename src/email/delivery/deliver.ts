import type { SealedBlobs } from '../../platform/blob/sealed-blobs.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { domainOf } from '../submission/address.ts';
import type { KeepLinks } from '../tracking/links.ts';
import type { LinkTokens } from '../tracking/token.ts';
import { trackMessage } from '../tracking/track.ts';
import type { ChannelPool } from './channel-pool.ts';
import { composeMime } from './compose.ts';
import { holdBack } from './hold-back.ts';
import { type Lease, leaseDue } from './lease.ts';
import { type LoadedMessage, openMessage, readStored, type StoredMessage } from './load.ts';
import { type Outcome, sendMessage, stuffDots } from './send.ts';
import { type Settlement, settle } from './settle.ts';

const BATCH = 64;
const AT_ONCE = 8;

interface Deps {
  /** The database as the worker role. */
  db: Database;
  vault: Vault;
  blobs: SealedBlobs;
  channels: ChannelPool;
  tokens: LinkTokens;
  keepLinks: KeepLinks;
  publicUrl: string;
  clock: Clock;
  log: Log;
  metrics: Metrics;
}

/** Delivers one batch of what is due and answers how many recipients that were. */
export async function deliverDue(deps: Deps): Promise<number> {
  const leases = await leaseDue(deps, BATCH);
  if (leases.length === 0) return 0;
  const byMessage = Map.groupBy(leases, (lease) => lease.message_id);
  const wanted = [...byMessage].map(([id, [first]]) => ({ id, customerId: (first as Lease).customer_id }));
  const stored = await readStored(deps.db, wanted);
  const queue = stored.map((message) => ({ message, leases: byMessage.get(message.id) as Lease[] }));
  const settlements: Settlement[] = [];
  const worker = async () => {
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      const { held, open } = holdBack(next.message, next.leases);
      settlements.push(...held);
      if (open.length > 0) settlements.push(...(await deliverOne(deps, next.message, open)));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  await settle(deps, settlements);
  return leases.length;
}

async function deliverOne(deps: Deps, stored: StoredMessage, leases: Lease[]): Promise<Settlement[]> {
  const settled = (outcomes: Outcome[], addresses: string[], evidence: Pick<Settlement, 'peer' | 'tls'>) =>
    leases.map((lease, index) => ({
      lease,
      outcome: outcomes[index] as Outcome,
      address: addresses[index] ?? null,
      acceptedAt: stored.scheduled_at ?? stored.created_at,
      ...evidence,
    }));
  try {
    const message = await openMessage(deps, stored);
    const mime = await composeMime(await follow(deps, message));
    const recipients = leases.map((lease) => message.envelope.recipients[lease.ordinal]?.address as string);
    const returnPath = `bounces+${stored.id}@${domainOf(message.envelope.from.address)}`;
    return await deps.channels.use(async (channel) => {
      const outcomes = await sendMessage(channel, { returnPath, recipients, data: stuffDots(mime) });
      return settled(outcomes, recipients, { peer: channel.peer, tls: channel.tls });
    });
  } catch (error) {
    deps.log.warn({ err: error, messageId: stored.id }, 'delivery attempt failed');
    return settled(
      leases.map(() => ({ result: 'deferred', code: null, reply: null })),
      [],
      { peer: null, tls: null },
    );
  }
}

/** The message as it leaves: with the links that tell what became of it, where that is wanted. */
async function follow(deps: Deps, message: LoadedMessage): Promise<LoadedMessage> {
  const { id, customerId, envelope, content } = message;
  const { html, headers, targets } = trackMessage(deps, message.tracking, { id, envelope, html: content.html });
  await deps.keepLinks({ customerId, messageId: id, targets });
  const replaced = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const own = Object.entries(envelope.headers).filter(([name]) => !replaced.has(name.toLowerCase()));
  const withLinks = { ...envelope, headers: { ...Object.fromEntries(own), ...headers } };
  return { ...message, content: { ...content, html }, envelope: withLinks };
}
