import { words } from '../words/shared.ts';
import { Button } from './button.tsx';
import { Actions, Dialog } from './dialog.tsx';

interface OvertakenDialogProps {
  onTheirs(): void;
  onMine(): void;
  onClose(): void;
}

/** Says that somebody else was faster, where what was written can be brought back by undoing. */
export function OvertakenDialog({ onTheirs, onMine, onClose }: OvertakenDialogProps) {
  return (
    <Dialog open onClose={onClose} title={words.overtaken} lead={words.overtakenUndo}>
      <Actions>
        <Button onClick={onMine}>{words.saveMine}</Button>
        <Button look="primary" onClick={onTheirs}>
          {words.showTheirs}
        </Button>
      </Actions>
    </Dialog>
  );
}
