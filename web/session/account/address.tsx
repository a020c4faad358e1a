import { type FormEvent, useState } from 'react';
import type { Reply } from '../../api/client.ts';
import { fieldProblem, isAbout } from '../../api/field-problem.ts';
import { useWrite } from '../../api/query.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { tell } from '../../ui/toast.tsx';
import { words } from '../../words/session.ts';
import { loadSession, useUser } from '../session.ts';

type Asked = Reply<'askForAddress'> & { email: string };

/** Another address to sign in with, which counts once a code was read there. */
export function AddressCard() {
  const { email } = useUser();
  const [asked, setAsked] = useState<Asked | null>(null);
  const lead = email.endsWith('@localhost') ? words.addressUnreachable(email) : words.addressNow(email);
  return (
    <Card title={words.address} lead={lead}>
      {asked === null ? <Ask onAsked={setAsked} /> : <Confirm asked={asked} onDone={() => setAsked(null)} />}
    </Card>
  );
}

function Ask({ onAsked }: { onAsked(asked: Asked): void }) {
  const [email, setEmail] = useState('');
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

function Confirm({ asked: { email, until, code: told }, onDone }: { asked: Asked; onDone(): void }) {
  const [code, setCode] = useState('');
  const change = useWrite('changeAddress', {
    stale: ['listTeam', 'listOwnSessions'],
    onDone: () => {
      onDone();
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
        hint={told === null ? words.addressCodeHint(email) : words.addressCodeTold(told)}
        problem={change.error?.fields.code?.[0] ?? change.error?.message}
      >
        <Input
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          maxLength={20}
          value={code}
          onChange={(event) => setCode(event.target.value)}
        />
      </Field>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" look="primary" busy={change.isPending}>
          {words.changeAddress}
        </Button>
        <Button onClick={onDone}>{words.otherAddress}</Button>
      </div>
    </form>
  );
}
