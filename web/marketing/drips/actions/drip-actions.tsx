import { useNavigate } from '@tanstack/react-router';
import { CircleCheck, Copy, Pause, Play, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useWrite } from '../../../api/query.ts';
import { Button } from '../../../ui/button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { tell, tellProblem } from '../../../ui/toast.tsx';
import { undoBy } from '../../../ui/undo.ts';
import { words } from '../../../words/drips.ts';
import { useEditing } from '../editing.ts';
import { EndDialog } from './end-dialog.tsx';
import { ResumeDialog } from './resume-dialog.tsx';
import { STALE } from './stale.ts';
import { StartDialog } from './start-dialog.tsx';

/** What can be done with a whole campaign, by the state that it is in. */
export function DripActions() {
  const { drip } = useEditing();
  const { state } = drip.attributes;
  const [open, setOpen] = useState<'start' | 'resume' | 'complete' | 'delete' | null>(null);
  const navigate = useNavigate();
  const params = { id: drip.id };
  const pause = useWrite('pauseDripCampaign', {
    stale: STALE,
    onDone: () => tell(words.paused, undoBy('resumeDripCampaign', { params, body: { policy: 'catch_up' } }, STALE)),
  });
  const copy = useWrite('copyDripCampaign', {
    stale: ['listDripCampaigns'],
    onDone: ({ data }) => {
      tell(words.copied);
      void navigate({ to: `/marketing/drips/${data.id}` });
    },
  });
  const isUnderWay = state === 'running' || state === 'paused';
  const close = () => setOpen(null);
  return (
    <>
      {state === 'draft' && (
        <Button look="primary" icon={Play} onClick={() => setOpen('start')}>
          {words.start}
        </Button>
      )}
      {state === 'running' && (
        <Button icon={Pause} busy={pause.isPending} onClick={() => pause.mutate({ params }, { onError: tellProblem })}>
          {words.pause}
        </Button>
      )}
      {state === 'paused' && (
        <Button look="primary" icon={Play} onClick={() => setOpen('resume')}>
          {words.resume}
        </Button>
      )}
      <Menu
        label={words.more}
        items={[
          { label: words.copy, icon: Copy, onSelect: () => copy.mutate({ params }, { onError: tellProblem }) },
          ...(isUnderWay ? [{ label: words.complete, icon: CircleCheck, onSelect: () => setOpen('complete') }] : []),
          { label: words.delete, icon: Trash2, danger: true, onSelect: () => setOpen('delete') },
        ]}
      />
      {open === 'start' && <StartDialog onClose={close} />}
      {open === 'resume' && <ResumeDialog onClose={close} />}
      {(open === 'complete' || open === 'delete') && <EndDialog how={open} onClose={close} />}
    </>
  );
}
