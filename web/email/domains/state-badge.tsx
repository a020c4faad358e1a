import type { Reply } from '../../api/client.ts';
import { Badge } from '../../ui/badge.tsx';
import { words } from '../../words/email/domains.ts';

const TONES = { pending: 'warn', verified: 'good', failing: 'bad' } as const;

/** How a domain stands. */
export function DomainBadge({ state }: { state: Reply<'readSendingDomain'>['data']['state'] }) {
  return <Badge tone={TONES[state]}>{words.states[state]}</Badge>;
}
