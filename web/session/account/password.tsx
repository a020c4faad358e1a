import { type FormEvent, useState } from 'react';
import { useWrite } from '../../api/query.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { tell } from '../../ui/toast.tsx';
import { words } from '../../words/session.ts';
import { NewPassword } from '../new-password.tsx';
import { loadSession } from '../session.ts';

/** Another password instead of the present one. */
export function PasswordCard() {
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const change = useWrite('changePassword', {
    onDone: () => {
      setCurrent('');
      setPassword('');
      tell(words.passwordChanged);
      void loadSession();
    },
  });
  const { fields = {} } = change.error ?? {};
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate({ body: { current, password } });
  };
  return (
    <Card title={words.changePassword}>
      <form onSubmit={submit} className="flex max-w-md flex-col gap-4">
        <Field label={words.currentPassword} problem={fields.current?.join('; ')}>
          <Input
            type="password"
            autoComplete="current-password"
            required
            value={current}
            onChange={(event) => setCurrent(event.target.value)}
          />
        </Field>
        <NewPassword
          value={password}
          onChange={setPassword}
          problem={fields.current === undefined ? change.error?.message : undefined}
        />
        <Button type="submit" className="self-start" busy={change.isPending}>
          {words.changePassword}
        </Button>
      </form>
    </Card>
  );
}
