import { useState } from 'react';
import { call, type Reply } from '../../api/client.ts';
import { type Stored, useSaving } from '../../api/saving.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { OvertakenNotice } from '../../ui/overtaken-notice.tsx';
import { tell } from '../../ui/toast.tsx';
import { words } from '../../words/email/webhooks.ts';
import { words as shared } from '../../words/shared.ts';
import { WebhookForm, type Wish } from './webhook-form.tsx';

type Webhook = Reply<'readWebhook'>['data'];

/** Changes where events go, and which. */
export function EditWebhook({ webhook, onClose }: { webhook: Webhook; onClose(): void }) {
  const [begun] = useState(() => storedOf(webhook));
  const [wish, setWish] = useState(begun.draft);
  const params = { id: webhook.id };
  const { save, isSaving, problem, overtaken } = useSaving('updateWebhook', {
    begun,
    read: async () => storedOf((await call('readWebhook', { params })).data),
    input: (wanted, { updatedAt: if_updated_at }) => ({ params, body: { ...wanted, if_updated_at } }),
    stored: ({ data }) => storedOf(data),
    exchange(next) {
      setWish(next);
      return wish;
    },
    stale: ['readWebhook', 'listWebhooks'],
    onSaved: () => {
      tell(words.updated);
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={words.editTitle}>
      <WebhookForm
        wish={wish}
        onChange={setWish}
        overtaken={<OvertakenNotice overtaken={overtaken} onSave={() => save(wish)} />}
        submit={shared.save}
        busy={isSaving}
        problem={problem}
        onSubmit={() => save(wish)}
        onCancel={onClose}
      />
    </Dialog>
  );
}

function storedOf({ target_url, events, ordered, updated_at: updatedAt }: Webhook): Stored<Wish> {
  return { draft: { target_url, events, ordered }, updatedAt };
}
