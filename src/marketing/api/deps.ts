import type { SigningKey } from '../../accounts/index.ts';
import type { AcceptMessages, SenderRule } from '../../email/index.ts';
import type { BlobStore } from '../../platform/blob/blob-store.ts';
import type { SealedBlobs } from '../../platform/blob/sealed-blobs.ts';
import type { BeginBlob } from '../../platform/blob/sealing/incoming-blobs.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Idempotency } from '../../platform/http/idempotency.ts';
import type { OwnershipCheck } from '../../platform/http/ownership.ts';
import type { TargetRules } from '../../platform/net/target-url.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import type { SubmissionsOf } from '../story/submissions-of.ts';

/** What the operations of the Marketing area stand on. */
export interface MarketingDeps {
  db: Database;
  /** Where reports are read: a replica that may be a moment behind, or the same. */
  reportsDb: Database;
  vault: Vault;
  blobs: SealedBlobs;
  blobStore: BlobStore;
  beginBlob: BeginBlob;
  clock: Clock;
  idempotency: Idempotency;
  requireOwn: OwnershipCheck;
  targetRules: TargetRules;
  acceptMessages: AcceptMessages;
  senderRule: SenderRule;
  submissionsOf: SubmissionsOf;
  /** What signs evidence. */
  signingKey: SigningKey;
  /** Called when a send may have something to do. */
  onSend(): void;
  /** Called when a drip may have something to do. */
  onDrip(): void;
}
