import { Badge } from '../../../ui/badge.tsx';
import { words } from '../../../words/mailings.ts';
import { STATE_TONES } from './send.ts';

/** How a send stands, in a word. */
export function SendState({ state }: { state: string }) {
  return <Badge tone={STATE_TONES[state] ?? 'plain'}>{words.states[state] ?? state}</Badge>;
}
