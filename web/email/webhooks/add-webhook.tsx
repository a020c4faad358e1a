import { useNavigate } from '@tanstack/react-router';
import { useWrite } from '../../api/query.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { words } from '../../words/email/webhooks.ts';
import { SecretDialog } from './secret-dialog.tsx';
import { WebhookForm } from './webhook-form.tsx';

const NEW = { target_url: '', events: [], ordered: false };

/** Asks where events shall go, then shows the secret, then goes on to the webhook. */
export function AddWebhook({ onClose }: { onClose(): void }) {
  const go = useNavigate();
  const create = useWrite('createWebhook', { stale: ['listWebhooks'] });
  const made = create.data?.data;
  if (made !== undefined) {
    const goOn = () => void go({ to: '/email/webhooks/$id', params: { id: made.id } });
    return <SecretDialog secret={made.signing_secret} onClose={goOn} />;
  }
  return (
    <Dialog open onClose={onClose} title={words.add}>
      <WebhookForm
        wish={NEW}
        submit={words.create}
        busy={create.isPending}
        problem={create.error}
        onSubmit={(wish) => create.mutate({ body: wish })}
        onCancel={onClose}
      />
    </Dialog>
  );
}
