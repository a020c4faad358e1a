import type { Reply } from '../../api/client.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { words } from '../../words/imports.ts';

export type ImportAttributes = Reply<'readImport'>['data']['attributes'];

const TONES: Record<string, Tone> = { running: 'info', done: 'good', failed: 'bad', undoing: 'info', undone: 'warn' };

/** Whether something is still to be done by itself. */
export function isUnderWay({ state }: ImportAttributes): boolean {
  return state === 'waiting' || state === 'running' || state === 'undoing';
}

/** How an import stands, in a word; a dry run says that it is one. */
export function ImportState({ attributes: { state, dry_run: isDry } }: { attributes: ImportAttributes }) {
  return (
    <span className="inline-flex flex-wrap gap-1">
      {isDry && <Badge>{words.dryRun}</Badge>}
      <Badge tone={TONES[state] ?? 'plain'}>{words.states[state] ?? state}</Badge>
    </span>
  );
}
