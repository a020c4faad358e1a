import { type AuditRow, auditRow } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import type { SealedBlobs } from '../../platform/blob/sealed-blobs.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { createGroupCommit } from '../../platform/db/group-commit.ts';
import type { Person } from '../../platform/http/access.ts';
import type { Idempotency, IdempotencyClaim } from '../../platform/http/idempotency.ts';
import { timeOrderedId } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import type { CustomerVault, Vault } from '../../platform/vault/vault.ts';
import type { SenderRule } from '../domains/sender-rule.ts';
import { type Acceptance, sizeOf, writeAcceptance, writeAcceptances } from './acceptance-rows.ts';
import { addressKey, domainOf } from './address.ts';
import { customHeadersOf } from './custom-headers.ts';
import type { Message } from './message.ts';
import { sealMessage } from './sealed-message.ts';

/** A blind index of an address: which column it belongs to in every table of this area. */
export const ADDRESS_COLUMN = 'email address';

export interface Sender {
  /** Null for people in the dashboard, and for the product itself, which sends from its own address. */
  keyId: string | null;
  person?: Person | null;
  mode: 'live' | 'test';
  /** The only domains that a key may send from, where it names some. */
  sendingDomains?: readonly string[];
}

export interface AcceptedMessage {
  sourceTrackingId: string;
  customHeaders: Record<string, string>;
  data: 'Service OK';
}

/** When a message shall leave, and how the caller wrote that down. */
export interface Schedule {
  at: Date;
  as: string;
}

interface Deps {
  db: Database;
  vault: Vault;
  blobs: SealedBlobs;
  idempotency: Idempotency;
  clock: Clock;
  senderRule: SenderRule;
  log: Log;
  /** Called after messages have become durable. */
  onAccepted(): void;
}

/** What every door calls: accepts messages, all of them or none, and answers once they are durable. */
export type AcceptMessages = (
  act: Act,
  sender: Sender,
  messages: Message[],
  once?: { claim: IdempotencyClaim; bodyOf(accepted: AcceptedMessage[]): unknown } | null,
  schedule?: Schedule | null,
) => Promise<AcceptedMessage[]>;

/** Builds the one way into the Email area. Concurrent calls share a transaction. */
export function createAcceptMessages(deps: Deps): AcceptMessages {
  const { db, vault, blobs, idempotency, clock, senderRule, log, onAccepted } = deps;
  const commit = createGroupCommit<Acceptance, void>({
    commit: (acceptances) => writeAcceptances(db, acceptances),
    sizeOf,
  });
  return async (act, sender, messages, once = null, schedule = null) => {
    if (sender.keyId !== null || (sender.person ?? null) !== null) {
      const rule = senderRule.of(sender);
      for (const { from } of messages) await rule.requireAllowed(act.customerId, sender.mode, from.address);
    }
    const { acceptance, accepted } = await prepareMessages({ vault, blobs, clock }, act, {
      sender,
      messages,
      schedule,
    });
    acceptance.audit.push(auditOf(clock, act, accepted));
    if (once !== null) {
      const row = await idempotency.rowFor(once.claim, { status: 200, body: once.bodyOf(accepted) });
      acceptance.idempotency.push({ row, at: clock.now() });
    }
    await commit(acceptance);
    const { customerId, requestId } = act;
    for (const { sourceTrackingId: messageId } of accepted)
      log.debug({ requestId, messageId, customerId }, 'message accepted');
    onAccepted();
    return accepted;
  };
}

/** Accepts messages of the product itself in a transaction of the caller's, who wakes delivery once that is over. */
export async function acceptWithin(
  tx: Tx,
  deps: Pick<Deps, 'vault' | 'blobs' | 'clock'>,
  act: Act,
  { mode, messages }: { mode: Sender['mode']; messages: Message[] },
): Promise<void> {
  const sender = { keyId: null, mode };
  const { acceptance, accepted } = await prepareMessages(deps, act, { sender, messages, schedule: null });
  acceptance.audit.push(auditOf(deps.clock, act, accepted));
  await writeAcceptance(tx, acceptance);
}

/** Seals messages and puts together what accepting them will write, save the audit row of whoever opens the transaction. */
export async function prepareMessages(
  { vault, blobs, clock }: Pick<Deps, 'vault' | 'blobs' | 'clock'>,
  act: Act,
  { sender, messages, schedule }: { sender: Sender; messages: Message[]; schedule: Schedule | null },
): Promise<{ acceptance: Acceptance; accepted: AcceptedMessage[] }> {
  const keys = await vault.of(act.customerId);
  const acceptance: Acceptance = {
    customerId: act.customerId,
    messages: [],
    recipients: [],
    audit: [],
    blobs: [],
    schedules: [],
    idempotency: [],
  };
  const accepted: AcceptedMessage[] = [];
  for (const message of messages) {
    const id = timeOrderedId(clock);
    await addMessage({ keys, blobs, clock }, acceptance, { id, sender, message, schedule });
    accepted.push({ sourceTrackingId: id, customHeaders: customHeadersOf(message), data: 'Service OK' });
  }
  return { acceptance, accepted };
}

function auditOf(clock: Clock, act: Act, accepted: AcceptedMessage[]): AuditRow {
  const [first] = accepted;
  const target = accepted.length === 1 && first !== undefined ? { target: first.sourceTrackingId } : {};
  return auditRow(clock, act, { ...target, details: { messages: accepted.length } });
}

async function addMessage(
  { keys, blobs, clock }: { keys: CustomerVault; blobs: SealedBlobs; clock: Clock },
  acceptance: Acceptance,
  { id, sender, message, schedule }: { id: string; sender: Sender; message: Message; schedule: Schedule | null },
): Promise<void> {
  const { customerId } = acceptance;
  const sealed = await sealMessage({ keys, blobs }, customerId, id, message);
  const now = clock.now();
  acceptance.messages.push({
    id,
    sender,
    fromAddress: message.from.address,
    at: now,
    envelope: sealed.envelope,
    content: sealed.content,
    blobIds: sealed.blobs.map((blob) => blob.id),
  });
  if (schedule !== null) acceptance.schedules.push({ messageId: id, ...schedule, createdAt: now });
  acceptance.blobs.push(...sealed.blobs.map((blob) => ({ blob, at: now })));
  message.recipients.forEach(({ address }, ordinal) => {
    const addressIndex = keys.blindIndex(ADDRESS_COLUMN, addressKey(address));
    const dueAt = schedule?.at ?? now;
    acceptance.recipients.push({ messageId: id, ordinal, addressIndex, domain: domainOf(address), dueAt });
  });
}
