import type { Reply } from '../../api/client.ts';
import { useWrite } from '../../api/query.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { tell } from '../../ui/toast.tsx';
import { words } from '../../words/email/webhooks.ts';
import { words as shared } from '../../words/shared.ts';
import { WebhookForm } from './webhook-form.tsx';

/** Changes where events go, and which. */
export function EditWebhook({ webhook, onClose }: { webhook: Reply<'readWebhook'>['data']; onClose(): void }) {
  const save = useWrite('updateWebhook', {
    stale: ['readWebhook', 'listWebhooks'],
    onDone: () => {
      tell(words.updated);
      onClose();
    },
  });
  const { target_url, events, ordered } = webhook;
  return (
    <Dialog open onClose={onClose} title={words.editTitle}>
      <WebhookForm
        wish={{ target_url, events, ordered }}
        submit={shared.save}
        busy={save.isPending}
        problem={save.error}
        onSubmit={(wish) => save.mutate({ params: { id: webhook.id }, body: wish })}
        onCancel={onClose}
      />
    </Dialog>
  );
}
