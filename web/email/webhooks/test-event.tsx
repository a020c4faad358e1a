import { useState } from 'react';
import type { Reply } from '../../api/client.ts';
import { useWrite } from '../../api/query.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { tell } from '../../ui/toast.tsx';
import { words } from '../../words/email/webhooks.ts';
import { words as shared } from '../../words/shared.ts';

/** Sends an event that tells of nothing. */
export function TestEvent({ webhook, onClose }: { webhook: Reply<'readWebhook'>['data']; onClose(): void }) {
  const [event, setEvent] = useState(webhook.events[0] ?? '');
  const send = useWrite('sendTestWebhook', {
    stale: ['listWebhookDeliveries'],
    onDone: () => {
      tell(words.tested);
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={words.test} lead={words.testLead}>
      <Field label={words.testEvent}>
        <Select value={event} onChange={(changed) => setEvent(changed.target.value)}>
          {webhook.events.map((name) => (
            <option key={name} value={name}>
              {words.event(name)}
            </option>
          ))}
        </Select>
      </Field>
      {send.error !== null && <Problem error={send.error} />}
      <Actions>
        <Button onClick={onClose}>{shared.cancel}</Button>
        <Button
          look="primary"
          busy={send.isPending}
          onClick={() => send.mutate({ params: { id: webhook.id }, body: { event_name: event } })}
        >
          {words.testSend}
        </Button>
      </Actions>
    </Dialog>
  );
}
