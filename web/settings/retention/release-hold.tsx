import { useState } from 'react';
import { fieldProblem, isAbout } from '../../api/field-problem.ts';
import { useWrite } from '../../api/query.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { Field, Textarea } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { tell } from '../../ui/toast.tsx';
import { words } from '../../words/settings/holds.ts';
import { words as shared } from '../../words/shared.ts';
import type { Hold } from './holds.tsx';

/** Ends a legal hold, with a reason. */
export function ReleaseHold({ hold, onClose }: { hold: Hold; onClose(): void }) {
  const [reason, setReason] = useState('');
  const release = useWrite('releaseHold', {
    stale: ['listHolds'],
    onDone: () => {
      tell(words.releaseDone);
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={words.releaseTitle} lead={words.releaseLead}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          release.mutate({ params: { id: hold.id }, body: { reason } });
        }}
      >
        <Field label={words.reason} problem={fieldProblem(release.error, 'reason')}>
          <Textarea
            required
            maxLength={1_000}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        </Field>
        {release.error !== null && !isAbout(release.error, 'reason') && <Problem error={release.error} />}
        <Actions>
          <Button onClick={onClose}>{shared.cancel}</Button>
          <Button type="submit" look="danger" busy={release.isPending}>
            {words.release}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
