import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { type ApiProblem, problemOf } from '../../api/problem.ts';
import { forget } from '../../api/query.ts';
import { Notice } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Progress } from '../../ui/progress.tsx';
import { tell } from '../../ui/toast.tsx';
import { words as shared } from '../../words/shared.ts';
import { words } from '../../words/subscribers.ts';

interface DeleteDialogProps {
  ids: readonly string[];
  onClose(): void;
  onDone(): void;
}

const MOST = 1_000;
/** So many ids fit into an address. */
const AT_ONCE = 100;

/** Deletes people for good, and says before what is lost and what is remembered. */
export function DeleteDialog({ ids, onClose, onDone }: DeleteDialogProps) {
  const client = useQueryClient();
  const [done, setDone] = useState<number | null>(null);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const carryOut = async () => {
    setProblem(null);
    try {
      for (let at = 0; at < ids.length; at += AT_ONCE) {
        setDone(at);
        await call('deleteSubscribers', { query: { subscriber_ids: ids.slice(at, at + AT_ONCE).join(',') } });
      }
      tell(words.deleted(ids.length));
      onDone();
    } catch (error) {
      setProblem(problemOf(error));
    }
    setDone(null);
    await forget(client, ['searchSubscribers', 'listSubscriptionLists']);
  };
  return (
    <Dialog open onClose={onClose} title={words.deleteTitle(ids.length)} lead={words.deleteLead}>
      <p className="text-sm">{words.deleteLost}</p>
      <p className="text-sm">{words.deleteKept}</p>
      {ids.length > MOST && <Notice tone="warn">{words.tooManyToDelete}</Notice>}
      {done !== null && ids.length > AT_ONCE && <Progress label={words.deleting} done={done} of={ids.length} />}
      {problem !== null && <Problem error={problem} />}
      <Actions>
        <Button onClick={onClose}>{shared.cancel}</Button>
        <Button look="danger" busy={done !== null} disabled={ids.length > MOST} onClick={() => void carryOut()}>
          {words.deleteConfirm}
        </Button>
      </Actions>
    </Dialog>
  );
}
