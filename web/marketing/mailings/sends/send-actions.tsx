import { CircleStop, Pause, Play } from 'lucide-react';
import { useState } from 'react';
import { useWrite } from '../../../api/query.ts';
import { Button } from '../../../ui/button.tsx';
import { Actions, Dialog } from '../../../ui/dialog.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { tell, tellProblem } from '../../../ui/toast.tsx';
import { words } from '../../../words/mailings.ts';
import { isOver, type Send, settledOf } from './send.ts';

const STALE = ['readCampaignMailingSend', 'listCampaignMailingSends'] as const;

/** Pauses, resumes and ends a send. */
export function SendActions({ send }: { send: Send }) {
  const [cancelling, setCancelling] = useState(false);
  const pause = useWrite('pauseCampaignMailingSend', { stale: [...STALE], onDone: () => tell(words.paused) });
  const resume = useWrite('resumeCampaignMailingSend', { stale: [...STALE], onDone: () => tell(words.resumed) });
  const input = { params: { id: send.id } };
  const { state } = send.attributes;
  if (isOver(send)) return null;
  return (
    <>
      {['scheduled', 'preparing', 'sending'].includes(state) && (
        <Button icon={Pause} busy={pause.isPending} onClick={() => pause.mutate(input, { onError: tellProblem })}>
          {words.pause}
        </Button>
      )}
      {state === 'paused' && (
        <Button
          icon={Play}
          look="primary"
          busy={resume.isPending}
          onClick={() => resume.mutate(input, { onError: tellProblem })}
        >
          {words.resume}
        </Button>
      )}
      <Button icon={CircleStop} look="danger" onClick={() => setCancelling(true)}>
        {words.cancel}
      </Button>
      {cancelling && <CancelSend send={send} onClose={() => setCancelling(false)} />}
    </>
  );
}

function CancelSend({ send, onClose }: { send: Send; onClose(): void }) {
  const cancel = useWrite('cancelCampaignMailingSend', {
    stale: [...STALE],
    onDone: () => {
      tell(words.cancelled);
      onClose();
    },
  });
  const { people, started_at: startedAt } = send.attributes;
  const lead = startedAt === null ? words.cancelLeadScheduled : words.cancelLead(people - settledOf(send));
  return (
    <Dialog open onClose={onClose} title={words.cancelTitle} lead={lead}>
      {cancel.error !== null && <Problem error={cancel.error} />}
      <Actions>
        <Button onClick={onClose}>{words.keepSending}</Button>
        <Button look="danger" busy={cancel.isPending} onClick={() => cancel.mutate({ params: { id: send.id } })}>
          {words.cancel}
        </Button>
      </Actions>
    </Dialog>
  );
}
