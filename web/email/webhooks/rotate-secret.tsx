import type { Reply } from '../../api/client.ts';
import { useWrite } from '../../api/query.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { words } from '../../words/email/webhooks.ts';
import { words as shared } from '../../words/shared.ts';
import { SecretDialog } from './secret-dialog.tsx';

/** Gives a webhook a new secret and shows it. */
export function RotateSecret({ webhook, onClose }: { webhook: Reply<'readWebhook'>['data']; onClose(): void }) {
  const rotate = useWrite('rotateWebhookSecret', { stale: ['readWebhook'] });
  if (rotate.data !== undefined) return <SecretDialog secret={rotate.data.data.signing_secret} onClose={onClose} />;
  return (
    <Dialog open onClose={onClose} title={words.rotate} lead={words.rotateLead}>
      {rotate.error !== null && <Problem error={rotate.error} />}
      <Actions>
        <Button onClick={onClose}>{shared.cancel}</Button>
        <Button look="primary" busy={rotate.isPending} onClick={() => rotate.mutate({ params: { id: webhook.id } })}>
          {words.rotate}
        </Button>
      </Actions>
    </Dialog>
  );
}
