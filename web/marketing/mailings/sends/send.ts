import type { Reply } from '../../../api/client.ts';
import type { Tone } from '../../../ui/badge.tsx';

export type Send = Reply<'readCampaignMailingSend'>['data'];

export const STATE_TONES: Record<string, Tone> = {
  scheduled: 'info',
  preparing: 'info',
  sending: 'brand',
  paused: 'warn',
  needs_decision: 'bad',
  finished: 'good',
  cancelled: 'plain',
};

const POLL_MS = 1_000;
const SLOW_POLL_MS = 10_000;

/** Whether a send can still change by itself. */
export function isOver({ attributes: { state } }: { attributes: { state: string } }): boolean {
  return state === 'finished' || state === 'cancelled';
}

/** How often to look at a send: closely while it works or is about to, seldom while it rests. */
export function pollOf(send: Send): number | false {
  if (isOver(send)) return false;
  const { state, send_at: at } = send.attributes;
  const isDue = state === 'scheduled' && new Date(at).getTime() - Date.now() < SLOW_POLL_MS;
  return isDue || state === 'preparing' || state === 'sending' ? POLL_MS : SLOW_POLL_MS;
}

/** How many people a send is through with. */
export function settledOf({ attributes: send }: Send): number {
  return send.sent + send.suppressed + send.excluded + send.uncertain + send.cancelled;
}
