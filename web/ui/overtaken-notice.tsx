import type { Overtaken } from '../api/saving.ts';
import { words } from '../words/shared.ts';
import { Notice } from './badge.tsx';
import { Button } from './button.tsx';
import { Actions } from './dialog.tsx';

/** Says that somebody else was faster, and lets both be looked at before either is lost. */
export function OvertakenNotice({ overtaken, onSave }: { overtaken: Overtaken | null; onSave(): void }) {
  if (overtaken === null) return null;
  const { showTheirs, showMine, goOver } = overtaken;
  if (showTheirs === null) {
    return (
      <Notice tone="info" title={words.theirsShown}>
        <p>{words.theirsShownLead}</p>
        <Actions>{showMine !== null && <Button onClick={showMine}>{words.showMine}</Button>}</Actions>
      </Notice>
    );
  }
  const saveMine = () => {
    goOver();
    onSave();
  };
  return (
    <Notice tone="bad" title={words.overtaken}>
      <p>{words.overtakenLead}</p>
      <Actions>
        <Button onClick={saveMine}>{words.saveMine}</Button>
        <Button look="primary" onClick={showTheirs}>
          {words.showTheirs}
        </Button>
      </Actions>
    </Notice>
  );
}
