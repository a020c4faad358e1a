import { type FormEvent, useState } from 'react';
import { fieldProblem, isAbout } from '../../api/field-problem.ts';
import { useWrite } from '../../api/query.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { tell } from '../../ui/toast.tsx';
import { words } from '../../words/session.ts';
import { loadSession, useUser } from '../session.ts';
import { type Asked, useAskedAddress } from './asked-address.ts';

/** Another address to sign in with, which counts once a code was read there. */
export function AddressCard() {
  const { email } = useUser();
  const [asked, setAsked] = useAskedAddress();
  // Once one form has taken the place of the other, the focus goes on in it.
  const [moved, setMoved] = useState<{ email: string } | null>(null);
  const move = (next: Asked | null, begun: string) => {
    setAsked(next);
    setMoved({ email: begun });
  };
  const lead = email.endsWith('@localhost') ? words.addressUnreachable(email) : words.addressNow(email);
  return (
    <Card title={words.address} lead={lead}>
      {asked === null ? (
        <Ask begun={moved?.email ?? ''} autoFocus={moved !== null} onAsked={(next) => move(next, next.email)} />
      ) : (
        <Confirm
          asked={asked}
          autoFocus={moved !== null}
          onChanged={() => move(null, '')}
          onBack={() => move(null, asked.email)}
        />
      )}
    </Card>
  );
}

interface AskProps {
  begun: string;
  autoFocus: boolean;
  onAsked(asked: Asked): void;
}

function Ask({ begun, autoFocus, onAsked }: AskProps) {
  const [email, setEmail] = useState(begun);
  const [password, setPassword] = useState('');
  const ask = useWrite('askForAddress', { onDone: (reply, { body }) => onAsked({ ...reply, email: body.email }) });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    ask.mutate({ body: { email, password } });
  };
  return (
    <form onSubmit={submit} className="flex max-w-md flex-col gap-4">
      <Field label={words.newAddress} problem={fieldProblem(ask.error, 'email')}>
        <Input
          autoFocus={autoFocus}
          type="email"
          autoComplete="email"
          required
          maxLength={254}
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
      </Field>
      <Field label={words.yourPassword} problem={fieldProblem(ask.error, 'password')}>
        <Input
          type="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      </Field>
      {ask.error !== null && !isAbout(ask.error, 'email', 'password') && <Problem error={ask.error} />}
      <Button type="submit" className="self-start" busy={ask.isPending}>
        {words.mailCode}
      </Button>
    </form>
  );
}

interface ConfirmProps {
  asked: Asked;
  autoFocus: boolean;
  onChanged(): void;
  onBack(): void;
}

function Confirm({ asked: { email, until, code: told }, autoFocus, onChanged, onBack }: ConfirmProps) {
  const [code, setCode] = useState('');
  const change = useWrite('changeAddress', {
    stale: ['listTeam', 'listOwnSessions'],
    onDone: () => {
      onChanged();
      tell(words.addressChanged);
      void loadSession();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate({ body: { email, until, code } });
  };
  return (
    <form onSubmit={submit} className="flex max-w-md flex-col gap-4">
      <Field
        label={words.addressCode}
        hint={told === null ? words.addressCodeHint(email) : words.addressCodeTold(email, told)}
        problem={fieldProblem(change.error, 'code')}
      >
        <Input
          autoFocus={autoFocus}
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          maxLength={20}
          value={code}
          onChange={(event) => setCode(event.target.value)}
        />
      </Field>
      {change.error !== null && !isAbout(change.error, 'code') && <Problem error={change.error} />}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" look="primary" busy={change.isPending}>
          {words.changeAddress}
        </Button>
        <Button onClick={onBack}>{words.otherAddress}</Button>
      </div>
    </form>
  );
}
