import { type FormEvent, useState } from 'react';
import { useWrite } from '../../api/query.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { tell } from '../../ui/toast.tsx';
import { words } from '../../words/session.ts';
import { words as shared } from '../../words/shared.ts';
import { loadSession, useUser } from '../session.ts';

/** The name that colleagues see. */
export function Profile() {
  const user = useUser();
  const [name, setName] = useState(user.name);
  const update = useWrite('updateMe', {
    stale: ['listTeam'],
    onDone: () => {
      tell(shared.saved);
      void loadSession();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    update.mutate({ body: { name } });
  };
  return (
    <Card title={words.profile} lead={user.email}>
      <form onSubmit={submit} className="flex flex-wrap items-end gap-3">
        <Field label={words.name} problem={update.error?.message} className="grow">
          <Input
            autoComplete="name"
            required
            maxLength={200}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </Field>
        <Button type="submit" busy={update.isPending}>
          {shared.save}
        </Button>
      </form>
    </Card>
  );
}
