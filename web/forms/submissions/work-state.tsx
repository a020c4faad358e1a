import { Badge, type Tone } from '../../ui/badge.tsx';
import { words } from '../../words/forms/submissions.ts';
import { STATES } from './search.ts';

const TONES: Record<(typeof STATES)[number], Tone> = { new: 'info', in_work: 'warn', done: 'good' };

/** How far staff is with a submission, in a word. */
export function WorkState({ state }: { state: string }) {
  const known = STATES.find((each) => each === state) ?? 'new';
  return <Badge tone={TONES[known]}>{words.states[known]}</Badge>;
}
