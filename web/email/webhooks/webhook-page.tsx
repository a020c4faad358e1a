import { useParams } from '@tanstack/react-router';
import { FlaskConical, KeyRound, Pause, Play, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Reply } from '../../api/client.ts';
import { useRead, useWrite } from '../../api/query.ts';
import { useMay } from '../../session/session.ts';
import { Notice } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Card, Facts, Page } from '../../ui/page.tsx';
import { Loaded } from '../../ui/problem.tsx';
import { tell, tellProblem } from '../../ui/toast.tsx';
import { words } from '../../words/email/webhooks.ts';
import { words as shared } from '../../words/shared.ts';
import { DeliveryLog } from './delivery-log.tsx';
import { EditWebhook } from './edit-webhook.tsx';
import { RemoveWebhook } from './remove-webhook.tsx';
import { RotateSecret } from './rotate-secret.tsx';
import { WebhookBadge } from './state-badge.tsx';
import { TestEvent } from './test-event.tsx';

type Webhook = Reply<'readWebhook'>['data'];

/** One webhook: its settings, its health, and what was sent to it. */
export function WebhookPage() {
  const { id = '' } = useParams({ strict: false });
  const read = useRead('readWebhook', { params: { id } });
  return <Loaded read={read}>{({ data }) => <Parts webhook={data} />}</Loaded>;
}

function Parts({ webhook }: { webhook: Webhook }) {
  const [open, setOpen] = useState<'edit' | 'rotate' | 'remove' | 'test' | null>(null);
  const mayEdit = useMay('admin');
  const close = () => setOpen(null);
  const isOn = webhook.status === 'active';
  return (
    <Page
      title={webhook.target_url}
      back={{ label: words.back, to: '/email/webhooks' }}
      actions={
        mayEdit && (
          <>
            <Button look="primary" icon={FlaskConical} disabled={!isOn} onClick={() => setOpen('test')}>
              {words.test}
            </Button>
            <PauseButton webhook={webhook} />
            <Menu
              label={words.more}
              items={[
                { label: words.rotate, icon: KeyRound, onSelect: () => setOpen('rotate') },
                { label: words.remove, icon: Trash2, danger: true, onSelect: () => setOpen('remove') },
              ]}
            />
          </>
        )
      }
    >
      {!isOn && (
        <Notice tone="warn" title={words.paused}>
          {words.pausedLead}
        </Notice>
      )}
      {isOn && webhook.failing && (
        <Notice tone="bad" title={words.failing}>
          {words.failingLead}
        </Notice>
      )}
      <Card title={words.settings} actions={mayEdit && <Button onClick={() => setOpen('edit')}>{words.edit}</Button>}>
        <Facts
          facts={[
            [words.state, <WebhookBadge key="state" {...webhook} />],
            [
              words.events,
              <ul key="events">
                {webhook.events.map((name) => (
                  <li key={name}>{words.event(name)}</li>
                ))}
              </ul>,
            ],
            [words.ordered, webhook.ordered ? shared.yes : shared.no],
          ]}
        />
      </Card>
      <DeliveryLog webhookId={webhook.id} mayEdit={mayEdit} />
      {open === 'edit' && <EditWebhook webhook={webhook} onClose={close} />}
      {open === 'rotate' && <RotateSecret webhook={webhook} onClose={close} />}
      {open === 'remove' && <RemoveWebhook webhook={webhook} onClose={close} />}
      {open === 'test' && <TestEvent webhook={webhook} onClose={close} />}
    </Page>
  );
}

function PauseButton({ webhook }: { webhook: Webhook }) {
  const isOn = webhook.status === 'active';
  const change = useWrite('updateWebhook', {
    stale: ['readWebhook', 'listWebhooks', 'listWebhookDeliveries'],
    onDone: ({ data }) => tell(data.status === 'active' ? words.resumedNow : words.pausedNow),
  });
  const turn = () =>
    change.mutate(
      { params: { id: webhook.id }, body: { status: isOn ? 'disabled' : 'active' } },
      { onError: tellProblem },
    );
  return (
    <Button icon={isOn ? Pause : Play} busy={change.isPending} onClick={turn}>
      {isOn ? words.pause : words.resume}
    </Button>
  );
}
