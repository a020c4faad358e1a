import { type FormEvent, useEffect, useState } from 'react';
import { useWrite } from '../api/query.ts';
import { Button } from '../ui/button.tsx';
import { CopyText } from '../ui/copy.tsx';
import { Field, Input } from '../ui/field.tsx';
import { Loaded } from '../ui/problem.tsx';
import { words } from '../words/session.ts';

/** Sets up an authenticator app: a picture to scan, the same as text, and a first code. */
export function AuthenticatorApp({ onDone }: { onDone(recoveryCodes: readonly string[]): void }) {
  const [code, setCode] = useState('');
  const begin = useWrite('addTotp');
  const confirm = useWrite('confirmTotp', { onDone: (reply) => onDone(reply.recovery_codes ?? []) });
  const { mutate } = begin;
  useEffect(() => mutate({}), [mutate]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    confirm.mutate({ body: { code: code.replace(/\s/g, '') } });
  };
  return (
    <Loaded read={{ ...begin, refetch: () => mutate({}) }}>
      {({ secret, qr_svg }) => (
        <form onSubmit={submit} className="flex flex-col gap-4">
          <p className="text-sm">{words.appLead}</p>
          <img
            alt=""
            src={`data:image/svg+xml,${encodeURIComponent(qr_svg)}`}
            className="size-48 self-center rounded bg-white p-2"
          />
          <div className="flex flex-col gap-1">
            <span className="text-sm text-soft">{words.appKey}</span>
            <CopyText label={words.appKey} value={secret} />
          </div>
          <Field label={words.code} problem={confirm.error?.message}>
            <Input
              required
              inputMode="numeric"
              autoComplete="one-time-code"
              value={code}
              onChange={(event) => setCode(event.target.value)}
            />
          </Field>
          <Button look="primary" type="submit" busy={confirm.isPending}>
            {words.appConfirm}
          </Button>
        </form>
      )}
    </Loaded>
  );
}
