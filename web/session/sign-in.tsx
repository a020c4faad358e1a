import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useWrite } from '../api/query.ts';
import { Notice } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Field, Input } from '../ui/field.tsx';
import { words } from '../words/session.ts';
import { loadSession } from './session.ts';
import { WayIn } from './way-in.tsx';

/** Address and password. */
export function SignIn({ ended }: { ended: boolean }) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const signIn = useWrite('signIn', { onDone: () => void loadSession() });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    signIn.mutate({ body: { email, password } });
  };
  return (
    <WayIn title={words.signIn} lead={words.signInLead}>
      {ended && <Notice>{words.ended}</Notice>}
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field label={words.email}>
          <Input
            type="email"
            autoComplete="username"
            required
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        </Field>
        <Field label={words.password} problem={signIn.error?.message}>
          <Input
            type="password"
            autoComplete="current-password"
            required
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        </Field>
        <Button look="primary" type="submit" busy={signIn.isPending}>
          {words.go}
        </Button>
        <Link to="/forgot" className="self-start text-sm text-brand underline underline-offset-2">
          {words.forgot}
        </Link>
      </form>
    </WayIn>
  );
}
