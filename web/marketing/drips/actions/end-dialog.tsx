import { useNavigate } from '@tanstack/react-router';
import { useRead, useWrite } from '../../../api/query.ts';
import { Button } from '../../../ui/button.tsx';
import { Actions, Dialog } from '../../../ui/dialog.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { tell } from '../../../ui/toast.tsx';
import { words } from '../../../words/drips.ts';
import { words as shared } from '../../../words/shared.ts';
import { useEditing } from '../editing.ts';
import { STALE } from './stale.ts';

/** Ends a campaign for good, or takes it away, after saying who is let go. */
export function EndDialog({ how, onClose }: { how: 'complete' | 'delete'; onClose(): void }) {
  const { drip } = useEditing();
  const params = { id: drip.id };
  const navigate = useNavigate();
  const counts = useRead('readDripStatistics', { params });
  const complete = useWrite('completeDripCampaign', {
    stale: STALE,
    onDone: () => {
      tell(words.completed);
      onClose();
    },
  });
  const remove = useWrite('deleteDripCampaign', {
    stale: ['listDripCampaigns'],
    onDone: () => {
      tell(words.deleted);
      void navigate({ to: '/marketing/drips', ignoreBlocker: true });
    },
  });
  const end = how === 'complete' ? complete : remove;
  return (
    <Dialog
      open
      onClose={onClose}
      title={how === 'complete' ? words.completeTitle : words.deleteTitle}
      lead={how === 'complete' ? words.completeLead : words.deleteLead}
    >
      <p className="font-medium">{drip.attributes.name}</p>
      {counts.data !== undefined && <p>{words.letGo(counts.data.data.active)}</p>}
      {end.error !== null && <Problem error={end.error} />}
      <Actions>
        <Button onClick={onClose}>{shared.cancel}</Button>
        <Button look="danger" busy={end.isPending} onClick={() => end.mutate({ params })}>
          {how === 'complete' ? words.completeNow : words.deleteNow}
        </Button>
      </Actions>
    </Dialog>
  );
}
