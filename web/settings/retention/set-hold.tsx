import { useState } from 'react';
import { fieldProblem, isAbout } from '../../api/field-problem.ts';
import { useWrite } from '../../api/query.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { Choice, Field, Input, Textarea } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { tell } from '../../ui/toast.tsx';
import { words } from '../../words/settings/holds.ts';
import { words as shared } from '../../words/shared.ts';

const KINDS = ['customer', 'person', 'form', 'submission', 'message'] as const;
type Kind = (typeof KINDS)[number];

/** Sets a legal hold. */
export function SetHold({ onClose }: { onClose(): void }) {
  const [kind, setKind] = useState<Kind>('person');
  const [about, setAbout] = useState('');
  const [reason, setReason] = useState('');
  const set = useWrite('setHold', {
    stale: ['listHolds'],
    lasting: true,
    onDone: () => {
      tell(words.setDone);
      onClose();
    },
  });
  const named = kind === 'customer' ? {} : kind === 'person' ? { email: about } : { target: about };
  return (
    <Dialog open onClose={onClose} title={words.set} lead={words.setLead}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          set.mutate({ body: { kind, reason, ...named } });
        }}
      >
        <Choice
          legend={words.keeps}
          value={kind}
          onChange={setKind}
          options={KINDS.map((each) => ({ value: each, label: words.choices[each] }))}
        />
        {kind !== 'customer' && (
          <Field
            label={kind === 'person' ? words.email : words.id}
            hint={kind === 'person' ? words.emailHint : words.idHint}
            problem={fieldProblem(set.error, kind === 'person' ? 'email' : 'target')}
          >
            <Input
              autoComplete="off"
              required
              maxLength={254}
              value={about}
              onChange={(event) => setAbout(event.currentTarget.value)}
            />
          </Field>
        )}
        <Field label={words.reason} hint={words.reasonHint} problem={fieldProblem(set.error, 'reason')}>
          <Textarea
            required
            maxLength={1_000}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        </Field>
        {set.error !== null && !isAbout(set.error, 'email', 'target', 'reason') && <Problem error={set.error} />}
        <Actions>
          <Button onClick={onClose}>{shared.cancel}</Button>
          <Button type="submit" look="primary" busy={set.isPending}>
            {words.set}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
