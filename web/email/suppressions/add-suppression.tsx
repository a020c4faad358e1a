import { useState } from 'react';
import { fieldProblem, isAbout } from '../../api/field-problem.ts';
import { useWrite } from '../../api/query.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { tell } from '../../ui/toast.tsx';
import { words } from '../../words/email/suppressions.ts';
import { words as shared } from '../../words/shared.ts';

/** Asks for an address that shall get nothing more. */
export function AddSuppression({ onClose }: { onClose(): void }) {
  const [address, setAddress] = useState('');
  const add = useWrite('createSuppression', {
    stale: ['listSuppressions'],
    onDone: () => {
      tell(words.added);
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={words.add} lead={words.addLead}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          add.mutate({ body: { address: address.trim() } });
        }}
      >
        <Field label={words.address} problem={fieldProblem(add.error, 'address')}>
          <Input
            required
            type="email"
            autoComplete="off"
            value={address}
            onChange={(event) => setAddress(event.target.value)}
          />
        </Field>
        {add.error !== null && !isAbout(add.error, 'address') && <Problem error={add.error} />}
        <Actions>
          <Button onClick={onClose}>{shared.cancel}</Button>
          <Button type="submit" look="primary" busy={add.isPending}>
            {words.suppress}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
