import { startAuthentication } from '@simplewebauthn/browser';
import { KeyRound } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { call } from '../api/client.ts';
import { ApiProblem, problemOf } from '../api/problem.ts';
import { Button } from '../ui/button.tsx';
import { Field, Input } from '../ui/field.tsx';
import { words } from '../words/session.ts';
import { canPasskey } from './can-passkey.ts';
import { plainOf } from './plain-credential.ts';
import type { Session } from './session.ts';
import { Aside } from './way-in.tsx';

interface ShowFactorProps {
  purpose: 'sign-in' | 'step-up';
  methods: Session['methods'];
  onShown(): void;
}

/** Asks for the second factor: the code of an app, a passkey or, when signing in, a recovery code. */
export function ShowFactor({ purpose, methods, onShown }: ShowFactorProps) {
  const [way, setWay] = useState<'code' | 'recovery'>(methods?.totp === false ? 'recovery' : 'code');
  const [typed, setTyped] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const hasPasskey = canPasskey() && (methods?.passkeys ?? 0) > 0;

  const attempt = async (show: () => Promise<unknown>) => {
    setBusy(true);
    setProblem(null);
    try {
      await show();
      onShown();
    } catch (error) {
      setProblem(problemOf(error));
      setTyped('');
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void attempt(() => showCode(purpose, way, typed));
  };
  const hasApp = methods?.totp !== false;
  const isAsked = hasApp || way === 'recovery';
  return (
    <div className="flex flex-col gap-4">
      {hasPasskey && (
        <Button
          icon={KeyRound}
          look={hasApp ? 'secondary' : 'primary'}
          busy={busy}
          onClick={() => void attempt(() => showPasskey(purpose))}
        >
          {words.usePasskey}
        </Button>
      )}
      {isAsked && (hasApp || purpose === 'sign-in') && (
        <form onSubmit={submit} className="flex flex-col gap-4">
          <Field
            label={way === 'code' ? words.code : words.recovery}
            hint={way === 'code' ? words.codeHint : words.recoveryHint}
            problem={problem?.message}
          >
            <Input
              key={way}
              autoFocus
              required
              inputMode={way === 'code' ? 'numeric' : 'text'}
              autoComplete="one-time-code"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          </Field>
          <Button look="primary" type="submit" busy={busy}>
            {words.confirm}
          </Button>
        </form>
      )}
      {!isAsked && problem !== null && (
        <p role="alert" className="text-sm text-bad">
          {problem.message}
        </p>
      )}
      {purpose === 'sign-in' && hasApp && (
        <Aside onClick={() => setWay(way === 'code' ? 'recovery' : 'code')}>
          {way === 'code' ? words.useRecovery : words.useCode}
        </Aside>
      )}
    </div>
  );
}

async function showCode(purpose: ShowFactorProps['purpose'], way: 'code' | 'recovery', typed: string): Promise<void> {
  const code = typed.trim();
  if (way === 'recovery') await call('signInWithRecoveryCode', { body: { code } });
  else
    await call(purpose === 'sign-in' ? 'signInWithTotp' : 'stepUpWithTotp', {
      body: { code: code.replace(/\s/g, '') },
    });
}

async function showPasskey(purpose: ShowFactorProps['purpose']): Promise<void> {
  const isSignIn = purpose === 'sign-in';
  const options = await call(isSignIn ? 'beginSignInWithPasskey' : 'beginStepUpWithPasskey', {});
  let credential: Awaited<ReturnType<typeof startAuthentication>>;
  try {
    credential = await startAuthentication({ optionsJSON: options as never });
  } catch {
    throw new ApiProblem(0, words.passkeyFailed);
  }
  await call(isSignIn ? 'signInWithPasskey' : 'stepUpWithPasskey', { body: { credential: plainOf(credential) } });
}
