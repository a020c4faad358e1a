import type { SealedBlobs } from '../../platform/blob/sealed-blobs.ts';
import type { RateLimits } from '../../platform/http/limits/rate-limits.ts';
import type { DraftDeps } from './draft.ts';

/** What mails of drafts are sent with. */
export interface DraftMailDeps extends DraftDeps {
  blobs: SealedBlobs;
  /** Called after a mail has become durable. */
  onAccepted(): void;
  rateLimits: RateLimits;
  systemFrom: string;
  publicUrl: string;
}
