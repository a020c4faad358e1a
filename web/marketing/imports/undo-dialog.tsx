import { useWrite } from '../../api/query.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { tell } from '../../ui/toast.tsx';
import { words } from '../../words/imports.ts';

/** Says what taking an import back does, and begins it. */
export function UndoDialog({ id, onClose }: { id: string; onClose(): void }) {
  const undo = useWrite('undoImport', {
    stale: ['readImport', 'listImports', 'searchSubscribers', 'listSubscriptionLists'],
    onDone: () => {
      tell(words.undoBegun);
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={words.undoTitle} lead={words.undoLead}>
      {undo.error !== null && <Problem error={undo.error} />}
      <Actions>
        <Button onClick={onClose}>{words.keep}</Button>
        <Button look="danger" busy={undo.isPending} onClick={() => undo.mutate({ params: { id } })}>
          {words.undoConfirm}
        </Button>
      </Actions>
    </Dialog>
  );
}
