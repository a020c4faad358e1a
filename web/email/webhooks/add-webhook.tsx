import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useWrite } from '../../api/query.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { words } from '../../words/email/webhooks.ts';
import { SecretDialog } from './secret-dialog.tsx';
import { WebhookForm, type Wish } from './webhook-form.tsx';

const NEW: Wish = { target_url: '', events: [], ordered: false };

/** Asks where events shall go, then shows the secret, then goes on to the webhook. */
export function AddWebhook({ onClose }: { onClose(): void }) {
  const go = useNavigate();
  const [wish, setWish] = useState(NEW);
  const create = useWrite('createWebhook', { stale: ['listWebhooks'] });
  const made = create.data?.data;
  if (made !== undefined) {
    const goOn = () => void go({ to: '/email/webhooks/$id', params: { id: made.id } });
    return <SecretDialog secret={made.signing_secret} onClose={goOn} />;
  }
  return (
    <Dialog open onClose={onClose} title={words.add}>
      <WebhookForm
        wish={wish}
        onChange={setWish}
        submit={words.create}
        busy={create.isPending}
        problem={create.error}
        onSubmit={() => create.mutate({ body: wish })}
        onCancel={onClose}
      />
    </Dialog>
  );
}
