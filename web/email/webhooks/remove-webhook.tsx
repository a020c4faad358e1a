import { useNavigate } from '@tanstack/react-router';
import type { Reply } from '../../api/client.ts';
import { useWrite } from '../../api/query.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { tell } from '../../ui/toast.tsx';
import { words } from '../../words/email/webhooks.ts';

/** Takes a webhook away, after saying what is lost. */
export function RemoveWebhook({ webhook, onClose }: { webhook: Reply<'readWebhook'>['data']; onClose(): void }) {
  const go = useNavigate();
  const remove = useWrite('deleteWebhook', {
    stale: ['listWebhooks'],
    onDone: () => {
      tell(words.removed);
      void go({ to: '/email/webhooks' });
    },
  });
  return (
    <Dialog open onClose={onClose} title={words.removeTitle} lead={words.removeLead}>
      {remove.error !== null && <Problem error={remove.error} />}
      <Actions>
        <Button onClick={onClose}>{words.keep}</Button>
        <Button look="danger" busy={remove.isPending} onClick={() => remove.mutate({ params: { id: webhook.id } })}>
          {words.remove}
        </Button>
      </Actions>
    </Dialog>
  );
}
