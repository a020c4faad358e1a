import type { Reply } from '../../api/client.ts';
import { Badge } from '../../ui/badge.tsx';
import { words } from '../../words/email/webhooks.ts';

type Webhook = Pick<Reply<'readWebhook'>['data'], 'status' | 'failing'>;

/** Whether a webhook gets events, and whether it takes them. */
export function WebhookBadge({ status, failing }: Webhook) {
  if (status === 'disabled') return <Badge>{words.paused}</Badge>;
  return failing ? <Badge tone="bad">{words.failing}</Badge> : <Badge tone="good">{words.active}</Badge>;
}
