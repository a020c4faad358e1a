import { useState } from 'react';
import type { Reply } from '../../api/client.ts';
import { fieldProblem, isAbout } from '../../api/field-problem.ts';
import { useWrite } from '../../api/query.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { fromLocalInput, toLocalInput } from '../../ui/local-time.ts';
import { Card, Facts } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { tell } from '../../ui/toast.tsx';
import { When } from '../../ui/when.tsx';
import { words } from '../../words/email/messages.ts';
import { words as shared } from '../../words/shared.ts';

type Message = Reply<'readMessage'>['data'];

/** When a message will leave, and the ways to move it or to take it back. */
export function ScheduleCard({ message }: { message: Message }) {
  const [open, setOpen] = useState<'move' | 'cancel' | null>(null);
  const close = () => setOpen(null);
  return (
    <Card
      title={words.scheduled}
      actions={
        <>
          <Button onClick={() => setOpen('move')}>{words.move}</Button>
          <Button look="danger" onClick={() => setOpen('cancel')}>
            {words.cancelSending}
          </Button>
        </>
      }
    >
      <Facts facts={[[words.scheduledFor, <When key="at" at={message.scheduledFor} exact />]]} />
      {open === 'move' && <MoveDialog message={message} onClose={close} />}
      {open === 'cancel' && <CancelDialog message={message} onClose={close} />}
    </Card>
  );
}

interface DialogProps {
  message: Message;
  onClose(): void;
}

function MoveDialog({ message, onClose }: DialogProps) {
  const [at, setAt] = useState(message.scheduledFor === null ? '' : toLocalInput(new Date(message.scheduledFor)));
  const move = useWrite('moveScheduledMessage', {
    stale: ['readMessage', 'listMessages'],
    onDone: () => {
      tell(words.moved);
      onClose();
    },
  });
  const scheduledAt = fromLocalInput(at);
  return (
    <Dialog open onClose={onClose} title={words.move}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (scheduledAt !== undefined)
            move.mutate({ params: { id: message.sourceTrackingId }, body: { scheduled_at: scheduledAt } });
        }}
      >
        <Field label={words.moveTo} hint={words.moveHint} problem={fieldProblem(move.error, 'scheduled_at')}>
          <Input type="datetime-local" required value={at} onChange={(event) => setAt(event.target.value)} />
        </Field>
        {move.error !== null && !isAbout(move.error, 'scheduled_at') && <Problem error={move.error} />}
        <Actions>
          <Button onClick={onClose}>{shared.cancel}</Button>
          <Button type="submit" look="primary" busy={move.isPending}>
            {words.move}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}

function CancelDialog({ message, onClose }: DialogProps) {
  const cancel = useWrite('cancelScheduledMessage', {
    stale: ['readMessage', 'listMessages'],
    onDone: () => {
      tell(words.cancelled);
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={words.cancelSending} lead={words.cancelLead}>
      {cancel.error !== null && <Problem error={cancel.error} />}
      <Actions>
        <Button onClick={onClose}>{words.keep}</Button>
        <Button
          look="danger"
          busy={cancel.isPending}
          onClick={() => cancel.mutate({ params: { id: message.sourceTrackingId } })}
        >
          {words.cancelSending}
        </Button>
      </Actions>
    </Dialog>
  );
}
