import type { Tx } from '../../../platform/db/database.ts';
import type { SendWindow } from './window.ts';
import '../../tables.ts';

/**
 * How far a send has come. `preparing` writes the audience, `sending` works it off, `needs_decision` waits for somebody
 * to say what to do about mails of which nobody knows whether they arrived.
 */
export type SendState = 'scheduled' | 'preparing' | 'sending' | 'paused' | 'needs_decision' | 'finished' | 'cancelled';

/** One sending of a mailing, as the engine sees it. */
export interface Send {
  id: number;
  jid: string;
  customer_id: number;
  mailing_id: number;
  version: number;
  state: SendState;
  /** What a test key has begun never leaves the house. */
  mode: 'live' | 'test';
  subscription_list_id: number | null;
  segment_id: string | null;
  filters: unknown;
  subscriber_ids: string[] | null;
  sender_email: string;
  from_name: string | null;
  reply_to: string | null;
  subject: string | null;
  per_second: number | null;
  per_domain_per_minute: number | null;
  track_links: boolean;
  track_opens: boolean;
  send_window: SendWindow | null;
  send_at: Date;
  place: string | null;
  audience_complete: boolean;
  paced_until: Date | null;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
  /** The drip that mails by it, which alone says who gets it; null for what is sent to an audience. */
  drip_id: number | null;
}

const COLUMNS = [
  'id',
  'jid',
  'customer_id',
  'mailing_id',
  'version',
  'state',
  'mode',
  'subscription_list_id',
  'segment_id',
  'filters',
  'subscriber_ids',
  'sender_email',
  'from_name',
  'reply_to',
  'subject',
  'per_second',
  'per_domain_per_minute',
  'track_links',
  'track_opens',
  'send_window',
  'send_at',
  'place',
  'audience_complete',
  'paced_until',
  'created_at',
  'started_at',
  'finished_at',
  'drip_id',
] as const satisfies (keyof Send)[];

/** Sends, of whichever customers the transaction shows. */
export function selectSends(tx: Tx) {
  return tx.selectFrom('campaign_mailing_sends').select(COLUMNS).$castTo<Send>();
}
