import { useState } from 'react';
import { useWrite } from '../../../api/query.ts';
import { useUser } from '../../../session/session.ts';
import { Button } from '../../../ui/button.tsx';
import { Actions, Dialog } from '../../../ui/dialog.tsx';
import { Field, Input } from '../../../ui/field.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { tell } from '../../../ui/toast.tsx';
import { words } from '../../../words/mailings.ts';
import { words as shared } from '../../../words/shared.ts';

/** Sends the saved mailing to one address, at first one's own. */
export function TestSend({ mailingId, onClose }: { mailingId: string; onClose(): void }) {
  const [to, setTo] = useState(useUser().email);
  const send = useWrite('sendTestMailing', {
    onDone: () => {
      tell(words.testSent);
      onClose();
    },
  });
  const problem = send.error?.fields.to_email?.[0];
  return (
    <Dialog open onClose={onClose} title={words.testTitle} lead={words.testLead}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          send.mutate({ params: { id: mailingId }, body: { to_email: to } });
        }}
      >
        <Field label={words.testTo} problem={problem}>
          <Input type="email" required value={to} onChange={(event) => setTo(event.target.value)} />
        </Field>
        {send.error !== null && problem === undefined && <Problem error={send.error} />}
        <Actions>
          <Button onClick={onClose}>{shared.cancel}</Button>
          <Button type="submit" look="primary" busy={send.isPending}>
            {words.testSend}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
