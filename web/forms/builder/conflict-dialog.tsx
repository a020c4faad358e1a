import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { words } from '../../words/builder.ts';

interface ConflictDialogProps {
  onMine(): void;
  onTheirs(): void;
  onClose(): void;
}

/** Somebody else was faster: either their form or this one stays. */
export function ConflictDialog({ onMine, onTheirs, onClose }: ConflictDialogProps) {
  return (
    <Dialog open onClose={onClose} title={words.conflictTitle} lead={words.conflictLead}>
      <Actions>
        <Button look="danger" onClick={onTheirs}>
          {words.keepTheirs}
        </Button>
        <Button look="primary" onClick={onMine}>
          {words.keepMine}
        </Button>
      </Actions>
    </Dialog>
  );
}
