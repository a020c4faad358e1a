import { useState } from 'react';
import type { Body } from '../../api/client.ts';
import { useWrite } from '../../api/query.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { Choice, Field, Input } from '../../ui/field.tsx';
import { fromLocalInput } from '../../ui/local-time.ts';
import { Problem } from '../../ui/problem.tsx';
import { tell } from '../../ui/toast.tsx';
import { words } from '../../words/email/webhooks.ts';
import { words as shared } from '../../words/shared.ts';

type Kind = keyof typeof words.rangeKinds;

const KINDS = (['time', 'number'] as const).map((value) => ({ value, label: words.rangeKinds[value] }));

function rangeOf(kind: Kind, from: string, to: string): Body<'replayWebhookDeliveries'> {
  if (kind === 'number') {
    return { from_sequence: Number(from), ...(to === '' ? {} : { to_sequence: Number(to) }) };
  }
  return { since: fromLocalInput(from), until: fromLocalInput(to) };
}

/** Sends everything of a range again, by time or by number. */
export function ReplayRange({ webhookId, onClose }: { webhookId: string; onClose(): void }) {
  const [kind, setKind] = useState<Kind>('time');
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const replay = useWrite('replayWebhookDeliveries', {
    stale: ['readWebhookDelivery', 'listWebhookDeliveries', 'readWebhook'],
    onDone: ({ data }) => {
      tell(data.replayed === 0 ? words.nothingReplayed : words.replayed(data.replayed));
      onClose();
    },
  });
  const type = kind === 'time' ? { type: 'datetime-local' } : { type: 'number', min: 1 };
  return (
    <Dialog open onClose={onClose} title={words.replayRange} lead={words.replayRangeLead}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          replay.mutate({ params: { id: webhookId }, body: rangeOf(kind, from, to) });
        }}
      >
        <Choice
          legend={words.rangeKind}
          inline
          value={kind}
          options={KINDS}
          onChange={(next) => {
            setKind(next);
            setFrom('');
            setTo('');
          }}
        />
        <Field label={words.from}>
          <Input required {...type} value={from} onChange={(event) => setFrom(event.target.value)} />
        </Field>
        <Field label={words.to} optional hint={kind === 'time' ? words.toHint : words.toNumberHint}>
          <Input {...type} value={to} onChange={(event) => setTo(event.target.value)} />
        </Field>
        {replay.error !== null && <Problem error={replay.error} />}
        <Actions>
          <Button onClick={onClose}>{shared.cancel}</Button>
          <Button type="submit" look="primary" busy={replay.isPending}>
            {words.replay}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
