import { useState } from 'react';
import { fieldProblem, isAbout } from '../../api/field-problem.ts';
import { useWrite } from '../../api/query.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { Checkbox, Field, Input, Textarea } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { tell } from '../../ui/toast.tsx';
import { words } from '../../words/lists.ts';
import { words as shared } from '../../words/shared.ts';
import type { SubscriptionList } from './page.tsx';

/** Makes a list or changes one. */
export function ListDialog({ list, onClose }: { list: SubscriptionList | null; onClose(): void }) {
  const [name, setName] = useState(list?.attributes.name ?? '');
  const [doubleOptIn, setDoubleOptIn] = useState(list?.attributes.double_opt_in ?? false);
  const [consent, setConsent] = useState(list?.attributes.consent_text ?? '');
  const done = (text: string) => () => {
    tell(text);
    onClose();
  };
  const stale = ['listSubscriptionLists', 'readSubscriptionList'] as const;
  const create = useWrite('createSubscriptionList', { stale: [...stale], onDone: done(words.made) });
  const update = useWrite('updateSubscriptionList', { stale: [...stale], onDone: done(words.saved) });
  const { error, isPending } = list === null ? create : update;
  const save = () => {
    const body = { name, double_opt_in: doubleOptIn, consent_text: consent };
    if (list === null) create.mutate({ body });
    else update.mutate({ params: { id: list.id }, body });
  };
  return (
    <Dialog open onClose={onClose} title={list === null ? words.newTitle : words.editTitle}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <Field label={words.name} hint={words.nameHint} problem={fieldProblem(error, 'name')}>
          <Input required value={name} onChange={(event) => setName(event.target.value)} />
        </Field>
        <Checkbox
          label={words.doubleOptIn}
          hint={words.doubleOptInHint}
          checked={doubleOptIn}
          onChange={(event) => setDoubleOptIn(event.target.checked)}
        />
        <Field
          label={words.consentText}
          hint={words.consentHint}
          optional
          problem={fieldProblem(error, 'consent_text')}
        >
          <Textarea value={consent} onChange={(event) => setConsent(event.target.value)} />
        </Field>
        {error !== null && !isAbout(error, 'name', 'consent_text') && <Problem error={error} />}
        <Actions>
          <Button onClick={onClose}>{shared.cancel}</Button>
          <Button type="submit" look="primary" busy={isPending}>
            {words.save}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
