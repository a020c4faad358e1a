import { Link } from '@tanstack/react-router';
import { RotateCw } from 'lucide-react';
import type { Reply } from '../../api/client.ts';
import { useRead, useWrite } from '../../api/query.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyText } from '../../ui/copy.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { Facts } from '../../ui/page.tsx';
import { Loaded, Problem } from '../../ui/problem.tsx';
import { tell } from '../../ui/toast.tsx';
import { When } from '../../ui/when.tsx';
import { words } from '../../words/email/webhooks.ts';
import { DeliveryBadge } from './delivery-badge.tsx';

type Delivery = Reply<'readWebhookDelivery'>['data'];

const POLL_MS = 2_000;

interface DeliveryDialogProps {
  webhookId: string;
  deliveryId: string;
  mayEdit: boolean;
  onClose(): void;
}

/** One event on its way to a webhook, with every attempt at it. */
export function DeliveryDialog({ webhookId, deliveryId, mayEdit, onClose }: DeliveryDialogProps) {
  const input = { params: { id: webhookId, delivery_id: deliveryId } };
  const read = useRead('readWebhookDelivery', input, {
    pollMs: ({ data }) => (data.state === 'pending' ? POLL_MS : false),
  });
  const sequence = read.data?.data.sequence;
  return (
    <Dialog open side onClose={onClose} title={sequence === undefined ? words.details : words.delivery(sequence)}>
      <Loaded read={read}>
        {({ data }) => (
          <>
            <About delivery={data} />
            <Log attempts={data.log} />
            {mayEdit && <Replay webhookId={webhookId} delivery={data} />}
          </>
        )}
      </Loaded>
    </Dialog>
  );
}

function About({ delivery }: { delivery: Delivery }) {
  const { event_name: name, test, created_at: at, next_attempt_at: next, source_tracking_id: message, id } = delivery;
  return (
    <Facts
      facts={[
        [
          words.logColumns.event,
          <span key="event" className="flex flex-wrap gap-2">
            {words.event(name)}
            {test && <Badge tone="info">{words.isTest}</Badge>}
          </span>,
        ],
        [words.state, <DeliveryBadge key="state" {...delivery} />],
        [words.happened, <When key="at" at={at} exact />],
        ...(next === null ? [] : [[words.next, <When key="next" at={next} exact />] as const]),
        ...(message === null
          ? []
          : [
              [
                words.message,
                <Link
                  key="message"
                  to="/email/messages/$id"
                  params={{ id: message }}
                  className="text-brand underline underline-offset-2"
                >
                  {words.openMessage}
                </Link>,
              ] as const,
            ]),
        [words.deliveryId, <CopyText key="id" label={words.deliveryId} value={id} />],
      ]}
    />
  );
}

function Log({ attempts }: { attempts: Delivery['log'] }) {
  return (
    <section>
      <h3 className="mb-2 font-medium">{words.attempts}</h3>
      {attempts.length === 0 && <p className="text-sm text-soft">{words.noAttempts}</p>}
      <ol className="flex flex-col gap-2">
        {attempts.toReversed().map(({ attempt, started_at: at, outcome, status }) => (
          <li key={attempt} className="flex flex-wrap items-center gap-2 rounded-md border px-3 py-2 text-sm">
            <span className="font-medium">{words.attempt(attempt)}</span>
            <Badge tone={outcome === 'delivered' ? 'good' : outcome === null ? 'info' : 'bad'}>
              {words.outcome(outcome)}
            </Badge>
            {status !== null && <span>{words.status(status)}</span>}
            <span className="text-soft">
              <When at={at} exact />
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Replay({ webhookId, delivery }: { webhookId: string; delivery: Delivery }) {
  const replay = useWrite('replayWebhookDeliveries', {
    stale: ['readWebhookDelivery', 'listWebhookDeliveries', 'readWebhook'],
    onDone: ({ data }) => tell(data.replayed === 0 ? words.nothingReplayed : words.replayed(data.replayed)),
  });
  return (
    <>
      {replay.error !== null && <Problem error={replay.error} />}
      <Actions>
        <Button
          look="primary"
          icon={RotateCw}
          busy={replay.isPending}
          onClick={() => replay.mutate({ params: { id: webhookId }, body: { delivery_id: delivery.id } })}
        >
          {delivery.state === 'pending' ? words.tryNow : words.replay}
        </Button>
      </Actions>
    </>
  );
}
