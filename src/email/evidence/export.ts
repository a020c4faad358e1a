import { encodePublicKey, readStretches, recordAct, type SigningKey } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors.ts';
import type { OwnershipCheck } from '../../platform/http/ownership.ts';
import { canonicalUuid } from '../../platform/ids.ts';
import type { CustomerVault, Vault } from '../../platform/vault/vault.ts';
import { messageNotFound, requireOwnMessage } from '../message-owner.ts';
import { openEnvelope } from '../submission/sealed-message.ts';
import { type AttemptEvidence, leafOf, saltOf } from './attempt-evidence.ts';
import { type BundleContents, type EvidenceBundle, signBundle } from './bundle.ts';
import { evidenceOf, findAttempts, type KeptAttempt } from './kept-attempts.ts';
import '../tables.ts';

const LEAF_BYTES = 32;
const SIGNED_WITHIN_S = 60;

/** What is known of a mail beside its attempts. */
export interface KnownMail {
  /** Whom it went to, in the order of its recipients; nobody, where its attempts name them. */
  recipients: string[];
  /** How often it was tried, where that is counted elsewhere than by attempts. */
  tried: number;
  /** Whom the audit log names beside it. */
  whose: { subscriber?: string };
}

/** Reads what is known of a mail. Throws where it is not the customer's. */
export type FindMail = (
  tx: Tx,
  of: { requireOwn: OwnershipCheck; keys: CustomerVault; customerId: number },
  id: string,
) => Promise<KnownMail>;

interface Deps {
  db: Database;
  vault: Vault;
  clock: Clock;
  signingKey: SigningKey;
  requireOwn: OwnershipCheck;
}

/**
 * The evidence of every attempt at a message, with all that shows it to be what was written down then. Its rows of the
 * audit log name acts of the same customer that came between, and nothing of anybody else.
 */
export async function exportEvidence(
  deps: Deps,
  act: Act,
  id: string,
  findMail: FindMail = findMessage,
): Promise<EvidenceBundle> {
  const { db, vault, clock, signingKey, requireOwn } = deps;
  const { customerId } = act;
  const keys = await vault.of(customerId);
  return db.tenant([customerId], async (tx) => {
    const { recipients, tried, whose } = await findMail(tx, { requireOwn, keys, customerId }, id);
    const messageId = canonicalUuid(id);
    const kept = await findAttempts(tx, customerId, messageId);
    const proved = kept.filter(({ evidence_id: evidenceId }) => evidenceId !== null);
    const ids = proved.map((row) => row.evidence_id as string);
    const stretches = await readStretches(tx, customerId, ids);
    if (stretches === null) throw notSignedYet();
    const batches = await readBatches(tx, customerId, ids);
    const attempts = proved.map((row) => proveAttempt(keys, row, { recipients, batches }));
    await recordAct(tx, clock, act, { target: messageId, details: { attempts: attempts.length, ...whose } });
    return signBundle(signingKey, {
      format: 'carepost evidence 1',
      customerId,
      messageId,
      exportedAt: clock.now().toISOString(),
      publicKey: encodePublicKey(signingKey.publicKey),
      attempts,
      without: Math.max(kept.length, tried) - proved.length,
      batches: [...batches].map(([batch, leaves]) => ({
        id: batch,
        leaves: leaves.map((leaf) => leaf.toString('hex')),
      })),
      stretches,
    });
  });
}

function notSignedYet(): AppError {
  return new AppError('conflict', 'The newest attempts are not signed yet: ask again in a minute', {
    retryAfterSeconds: SIGNED_WITHIN_S,
  });
}

const findMessage: FindMail = async (tx, { requireOwn, keys, customerId }, id) => {
  await requireOwnMessage(tx, requireOwn, customerId, id);
  const messageId = canonicalUuid(id);
  const message = await tx
    .selectFrom('messages')
    .select('envelope')
    .where('customer_id', '=', customerId)
    .where('id', '=', messageId)
    .executeTakeFirst();
  if (message === undefined) throw messageNotFound(id);
  const { recipients } = openEnvelope(keys, messageId, message.envelope);
  return { recipients: recipients.map(({ address }) => address), tried: 0, whose: {} };
};

async function readBatches(tx: Tx, customerId: number, ids: string[]): Promise<Map<string, Buffer[]>> {
  if (ids.length === 0) return new Map();
  const rows = await tx
    .selectFrom('evidence_batches')
    .select(['id', 'leaves'])
    .where('customer_id', '=', customerId)
    .where('id', 'in', [...new Set(ids)])
    .orderBy('id')
    .execute();
  return new Map(rows.map(({ id, leaves }) => [id, splitLeaves(leaves)]));
}

function splitLeaves(leaves: Buffer): Buffer[] {
  return Array.from({ length: leaves.length / LEAF_BYTES }, (_, index) =>
    leaves.subarray(index * LEAF_BYTES, (index + 1) * LEAF_BYTES),
  );
}

interface Known {
  recipients: string[];
  batches: Map<string, Buffer[]>;
}

function proveAttempt(
  keys: CustomerVault,
  row: KeptAttempt,
  { recipients, batches }: Known,
): BundleContents['attempts'][number] {
  const batch = row.evidence_id as string;
  const position = row.evidence_position as number;
  const named = evidenceOf(keys, row, recipients);
  const salt = saltOf(keys, named);
  const leaf = batches.get(batch)?.[position];
  // An attempt that ended before the address was looked at was written down without it.
  const unnamed: AttemptEvidence = { ...named, recipient: null };
  const evidence = leaf !== undefined && leafOf(salt, unnamed).equals(leaf) ? unnamed : named;
  return { evidence, salt: salt.toString('hex'), batch, position };
}
