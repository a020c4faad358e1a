import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useWrite } from '../api/query.ts';
import { Notice } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { words } from '../words/session.ts';
import { NewPassword } from './new-password.tsx';
import { WayIn } from './way-in.tsx';

/** Where the mailed link for a new password leads. */
export function Reset() {
  const [token] = useState(() => location.hash.slice(1));
  const [password, setPassword] = useState('');
  const reset = useWrite('resetPassword');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    reset.mutate({ body: { token, password } });
  };
  return (
    <WayIn title={words.resetTitle} lead={words.resetLead}>
      {reset.isSuccess ? (
        <Notice tone="good">{words.resetDone}</Notice>
      ) : (
        <form onSubmit={submit} className="flex flex-col gap-4">
          <NewPassword value={password} onChange={setPassword} problem={reset.error?.message} />
          <Button look="primary" type="submit" busy={reset.isPending}>
            {words.setPassword}
          </Button>
        </form>
      )}
      <Link to="/" className="text-sm text-brand underline underline-offset-2">
        {words.backToSignIn}
      </Link>
    </WayIn>
  );
}
