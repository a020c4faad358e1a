import type { Tone } from '../../ui/badge.tsx';

export type State = 'draft' | 'running' | 'paused' | 'completed';

export const STATE_TONES: Record<State, Tone> = {
  draft: 'plain',
  running: 'good',
  paused: 'warn',
  completed: 'info',
};
