export const LOG_STATES = ['scheduled', 'processing', 'delivered', 'bounced', 'cancelled'] as const;

/** How a message stands as a whole. */
export type LogState = (typeof LOG_STATES)[number];

/** How many of a message's recipients stand where. */
export interface Tally {
  recipients: number;
  delivered: number;
  bounced: number;
  cancelled: number;
  scheduled: number;
}

/** The state of a message: where its recipients differ, what still moves counts before what has ended. */
export function stateOf({ recipients, delivered, bounced, cancelled, scheduled }: Tally): LogState {
  if (cancelled === recipients) return 'cancelled';
  if (scheduled === recipients) return 'scheduled';
  if (delivered + bounced + cancelled < recipients) return 'processing';
  return bounced > 0 ? 'bounced' : 'delivered';
}
