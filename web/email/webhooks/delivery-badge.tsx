import type { Reply } from '../../api/client.ts';
import { Badge } from '../../ui/badge.tsx';
import { words } from '../../words/email/webhooks.ts';

type Delivery = Pick<Reply<'listWebhookDeliveries'>['data'][number], 'state' | 'attempts'>;

const TONES = { pending: 'info', delivered: 'good', failed: 'bad' } as const;

/** What became of one event; one that was tried and goes on to be tried is failing so far. */
export function DeliveryBadge({ state, attempts }: Delivery) {
  if (state === 'pending' && attempts > 0) return <Badge tone="warn">{words.retrying}</Badge>;
  return <Badge tone={TONES[state]}>{words.states[state]}</Badge>;
}
