import type { ReactNode } from 'react';
import { classes } from './classes.ts';

export type Tone = 'plain' | 'good' | 'warn' | 'bad' | 'info' | 'brand';

const TONES: Record<Tone, string> = {
  plain: 'bg-sunken text-ink',
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
  info: 'bg-info-soft text-info',
  brand: 'bg-brand-soft text-brand',
};

/** A state in a word. The word says it; the colour only helps. */
export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={classes('inline-flex items-center gap-1 rounded-full px-2 py-0.5 text-xs font-medium', TONES[tone])}
    >
      {children}
    </span>
  );
}

/** Something to know before going on, set apart from the rest. */
export function Notice({ tone = 'info', title, children }: { tone?: Tone; title?: string; children?: ReactNode }) {
  return (
    <div role={tone === 'bad' ? 'alert' : 'note'} className={classes('rounded-md px-4 py-3 text-sm', TONES[tone])}>
      {title !== undefined && <p className="font-semibold">{title}</p>}
      {children}
    </div>
  );
}
