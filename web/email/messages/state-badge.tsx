import type { Reply } from '../../api/client.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { words } from '../../words/email/messages.ts';

type State = Reply<'readMessage'>['data']['state'];

const TONES: Record<State, Tone> = {
  scheduled: 'info',
  processing: 'warn',
  delivered: 'good',
  bounced: 'bad',
  cancelled: 'plain',
};

/** How a message stands. */
export function StateBadge({ state }: { state: State }) {
  return <Badge tone={TONES[state]}>{words.states[state]}</Badge>;
}
