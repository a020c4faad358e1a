import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useWrite } from '../api/query.ts';
import { Notice } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Field, Input } from '../ui/field.tsx';
import { words } from '../words/session.ts';
import { WayIn } from './way-in.tsx';

/** Asks for a link by which a new password can be set. */
export function Forgot() {
  const [email, setEmail] = useState('');
  const forgot = useWrite('forgetPassword');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    forgot.mutate({ body: { email } });
  };
  return (
    <WayIn title={words.forgotTitle} lead={words.forgotLead}>
      {forgot.isSuccess ? (
        <Notice tone="good">{words.forgotSent}</Notice>
      ) : (
        <form onSubmit={submit} className="flex flex-col gap-4">
          <Field label={words.email} problem={forgot.error?.message}>
            <Input
              type="email"
              autoComplete="username"
              required
              value={email}
              onChange={(event) => setEmail(event.target.value)}
            />
          </Field>
          <Button look="primary" type="submit" busy={forgot.isPending}>
            {words.forgotSend}
          </Button>
        </form>
      )}
      <Link to="/" className="text-sm text-brand underline underline-offset-2">
        {words.backToSignIn}
      </Link>
    </WayIn>
  );
}
