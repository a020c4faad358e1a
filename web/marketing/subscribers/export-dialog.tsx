import { useState } from 'react';
import { fieldProblem, isAbout } from '../../api/field-problem.ts';
import { useWrite } from '../../api/query.ts';
import { useUser } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { tell } from '../../ui/toast.tsx';
import { words as shared } from '../../words/shared.ts';
import { words } from '../../words/subscribers.ts';
import { type PeopleChoice, wireOf } from './choice.ts';

/** Begins an export, which goes on by itself; the file is found among the jobs. */
export function ExportDialog({ choice, onClose }: { choice: PeopleChoice; onClose(): void }) {
  const [email, setEmail] = useState(useUser().email);
  const begin = useWrite('exportSubscribers', {
    stale: ['listBulkJobs'],
    onDone: () => {
      tell(words.exportStarted);
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={words.exportTitle} lead={words.exportLead}>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          begin.mutate({ body: { email, ...wireOf(choice) } });
        }}
      >
        <Field label={words.exportEmail} problem={fieldProblem(begin.error, 'email')}>
          <Input type="email" required value={email} onChange={(event) => setEmail(event.target.value)} />
        </Field>
        {begin.error !== null && !isAbout(begin.error, 'email') && <Problem error={begin.error} />}
        <Actions>
          <Button onClick={onClose}>{shared.cancel}</Button>
          <Button type="submit" look="primary" busy={begin.isPending}>
            {words.exportConfirm}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
