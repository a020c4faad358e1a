import type { PasswordQueue, RetentionTimes, Sessions } from '../accounts/index.ts';
import type { AcceptMessages } from '../email/index.ts';
import type { SealedBlobs } from '../platform/blob/sealed-blobs.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import type { Idempotency } from '../platform/http/idempotency.ts';
import type { RateLimits } from '../platform/http/limits/rate-limits.ts';
import type { OwnershipCheck } from '../platform/http/ownership.ts';
import type { Log } from '../platform/log.ts';
import type { CustomerVault, Vault } from '../platform/vault/vault.ts';

/** What the dashboard's own endpoints need from the world. */
export interface DashboardDeps {
  db: Database;
  vault: Vault;
  blobs: SealedBlobs;
  clock: Clock;
  log: Log;
  sessions: Sessions;
  passwords: PasswordQueue;
  rateLimits: RateLimits;
  idempotency: Idempotency;
  /** The keys of the installation itself, for what is counted before anybody is known. */
  installationKeys: CustomerVault;
  /** Turns a network address into something that may be stored. */
  pseudonymOf(address: string): string;
  requireOwn: OwnershipCheck;
  acceptMessages: AcceptMessages;
  /** Called after a mail has become durable. */
  onAccepted(): void;
  /** What the product's own mail is from. */
  systemFrom: string;
  publicUrl: string;
  delivery: 'sandbox' | 'direct' | 'relay';
  version: string;
  /** The database as the worker sees it (queues of all customers), and as the sealer does (audit rows of all). */
  workerDb: Database;
  sealerDb: Database;
  dataDir: string;
  /** Free disk below which writes are refused. */
  leastFreeBytes: number;
  /** When the certificate of the server ends, where it has one of its own. */
  certificateEndsAt(): Date | null;
  /** How long the operator lets things be kept. */
  retention: RetentionTimes & { backupDays: number };
}
