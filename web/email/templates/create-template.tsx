import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { fieldProblem, isAbout } from '../../api/field-problem.ts';
import { useWrite } from '../../api/query.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { words } from '../../words/email/templates.ts';
import { words as shared } from '../../words/shared.ts';

/** Asks for the name of a new template, and goes on to its text. */
export function CreateTemplate({ onClose }: { onClose(): void }) {
  const go = useNavigate();
  const [name, setName] = useState('');
  const create = useWrite('createTemplate', {
    stale: ['listTemplates'],
    onDone: ({ id }) => go({ to: '/email/templates/$id', params: { id: String(id) } }),
  });
  return (
    <Dialog open onClose={onClose} title={words.create} lead={words.createLead}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate({ body: { name, subject: words.starterSubject, body: words.starter } });
        }}
      >
        <Field label={words.name} hint={words.nameHint} problem={fieldProblem(create.error, 'name')}>
          <Input
            required
            maxLength={255}
            autoComplete="off"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </Field>
        {create.error !== null && !isAbout(create.error, 'name') && <Problem error={create.error} />}
        <Actions>
          <Button onClick={onClose}>{shared.cancel}</Button>
          <Button type="submit" look="primary" busy={create.isPending}>
            {words.createAndEdit}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
