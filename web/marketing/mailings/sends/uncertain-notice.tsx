import { useWrite } from '../../../api/query.ts';
import { Notice } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { tell, tellProblem } from '../../../ui/toast.tsx';
import { words } from '../../../words/mailings.ts';
import { isOver, type Send } from './send.ts';

/** Asks what to do about mails of which nobody knows whether they arrived. */
export function UncertainNotice({ send }: { send: Send }) {
  const decide = useWrite('decideCampaignMailingSend', {
    stale: ['readCampaignMailingSend', 'readDeliveriesTable'],
    onDone: () => tell(words.decided),
  });
  const say = (decision: 'sent' | 'resend') =>
    decide.mutate({ params: { id: send.id }, body: { decision } }, { onError: tellProblem });
  return (
    <Notice tone="warn" title={words.uncertainTitle(send.attributes.uncertain)}>
      <p>{words.uncertainLead}</p>
      {!isOver(send) && (
        <div className="mt-2 flex flex-wrap gap-2">
          <Button busy={decide.isPending} onClick={() => say('sent')}>
            {words.takeForSent}
          </Button>
          <Button busy={decide.isPending} onClick={() => say('resend')}>
            {words.sendAgain}
          </Button>
        </div>
      )}
    </Notice>
  );
}
