import type { AcceptMessages } from '../../email/index.ts';
import type { RateLimits } from '../../platform/http/limits/rate-limits.ts';
import type { DraftDeps } from './draft.ts';

/** What mails of drafts are sent with. */
export interface DraftMailDeps extends DraftDeps {
  acceptMessages: AcceptMessages;
  rateLimits: RateLimits;
  systemFrom: string;
  publicUrl: string;
}
