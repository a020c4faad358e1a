import { useBlocker } from '@tanstack/react-router';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { words } from '../../words/builder.ts';

/** Keeps unsaved changes from being lost by going elsewhere. */
export function LeaveGuard({ isDirty, onSave }: { isDirty: boolean; onSave(): Promise<boolean> }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  });
  if (status !== 'blocked') return null;
  const saveAndLeave = async () => {
    if (await onSave()) proceed();
    else reset();
  };
  return (
    <Dialog open onClose={reset} title={words.leaveTitle} lead={words.leaveLead}>
      <Actions>
        <Button onClick={reset}>{words.stay}</Button>
        <Button look="danger" onClick={proceed}>
          {words.leave}
        </Button>
        <Button look="primary" onClick={() => void saveAndLeave()}>
          {words.saveAndLeave}
        </Button>
      </Actions>
    </Dialog>
  );
}
