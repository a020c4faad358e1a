import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useWrite } from '../api/query.ts';
import { Button } from '../ui/button.tsx';
import { Field, Input } from '../ui/field.tsx';
import { words } from '../words/session.ts';
import { NewPassword } from './new-password.tsx';
import { loadSession } from './session.ts';
import { WayIn } from './way-in.tsx';

/** Where an invitation or the link of the first start leads. The token stands behind the #, which no server sees. */
export function SetUp() {
  const navigate = useNavigate();
  const [token] = useState(() => location.hash.slice(1));
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const setUp = useWrite('setUpUser', {
    onDone: () => loadSession().then(() => navigate({ to: '/', hash: '', replace: true })),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setUp.mutate({ body: { token, name, password } });
  };
  return (
    <WayIn title={words.setUp} lead={words.setUpLead}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field label={words.name}>
          <Input
            autoComplete="name"
            required
            maxLength={200}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </Field>
        <NewPassword value={password} onChange={setPassword} problem={setUp.error?.message} />
        <Button look="primary" type="submit" busy={setUp.isPending}>
          {words.setPassword}
        </Button>
      </form>
    </WayIn>
  );
}
