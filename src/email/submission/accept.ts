import { auditRow } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import type { SealedBlobs } from '../../platform/blob/sealed-blobs.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { createGroupCommit } from '../../platform/db/group-commit.ts';
import type { Idempotency, IdempotencyClaim } from '../../platform/http/idempotency.ts';
import { timeOrderedId } from '../../platform/ids.ts';
import type { CustomerVault, Vault } from '../../platform/vault/vault.ts';
import { type Acceptance, sizeOf, writeAcceptances } from './acceptance-rows.ts';
import { addressKey, domainOf } from './address.ts';
import type { Message } from './message.ts';
import { sealMessage } from './sealed-message.ts';

/** A blind index of an address: which column it belongs to in every table of this area. */
export const ADDRESS_COLUMN = 'email address';

export interface Sender {
  keyId: string | null;
  mode: 'live' | 'test';
}

export interface AcceptedMessage {
  sourceTrackingId: string;
  customHeaders: Record<string, string>;
  data: 'Service OK';
}

interface Deps {
  db: Database;
  vault: Vault;
  blobs: SealedBlobs;
  idempotency: Idempotency;
  clock: Clock;
  /** Called after messages have become durable. */
  onAccepted(): void;
}

/** What every door calls: accepts messages, all of them or none, and answers once they are durable. */
export type AcceptMessages = (
  act: Act,
  sender: Sender,
  messages: Message[],
  once?: { claim: IdempotencyClaim; bodyOf(accepted: AcceptedMessage[]): unknown } | null,
) => Promise<AcceptedMessage[]>;

/** Builds the one way into the Email area. Concurrent calls share a transaction. */
export function createAcceptMessages({ db, vault, blobs, idempotency, clock, onAccepted }: Deps): AcceptMessages {
  const commit = createGroupCommit<Acceptance, void>({
    commit: (acceptances) => writeAcceptances(db, acceptances),
    sizeOf,
  });
  return async (act, sender, messages, once = null) => {
    const keys = await vault.of(act.customerId);
    const acceptance: Acceptance = {
      customerId: act.customerId,
      messages: [],
      recipients: [],
      audit: [],
      blobs: [],
      idempotency: [],
    };
    const accepted: AcceptedMessage[] = [];
    for (const message of messages) {
      const id = timeOrderedId(clock);
      await addMessage({ keys, blobs, clock }, acceptance, { id, sender, message });
      accepted.push({ sourceTrackingId: id, customHeaders: customHeadersOf(message), data: 'Service OK' });
    }
    const [first] = accepted;
    const target = accepted.length === 1 && first !== undefined ? { target: first.sourceTrackingId } : {};
    acceptance.audit.push(auditRow(clock, act, { ...target, details: { messages: accepted.length } }));
    if (once !== null) {
      const row = await idempotency.rowFor(once.claim, { status: 200, body: once.bodyOf(accepted) });
      acceptance.idempotency.push({ row, at: clock.now() });
    }
    await commit(acceptance);
    onAccepted();
    return accepted;
  };
}

async function addMessage(
  { keys, blobs, clock }: { keys: CustomerVault; blobs: SealedBlobs; clock: Clock },
  acceptance: Acceptance,
  { id, sender, message }: { id: string; sender: Sender; message: Message },
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
  });
  acceptance.blobs.push(...sealed.blobs.map((blob) => ({ blob, at: now })));
  message.recipients.forEach(({ address }, ordinal) => {
    const addressIndex = keys.blindIndex(ADDRESS_COLUMN, addressKey(address));
    acceptance.recipients.push({ messageId: id, ordinal, addressIndex, domain: domainOf(address), dueAt: now });
  });
}

function customHeadersOf({ headers }: Message): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => /^x-/i.test(name)));
}
