import { KeyRound, Smartphone } from 'lucide-react';
import { useState } from 'react';
import { ApiProblem, problemOf } from '../api/problem.ts';
import { Button } from '../ui/button.tsx';
import { words } from '../words/session.ts';
import { AuthenticatorApp } from './authenticator-app.tsx';
import { canPasskey } from './can-passkey.ts';
import { makePasskey } from './make-passkey.ts';
import { RecoveryCodes } from './recovery-codes.tsx';

/** Sets up the first second factor: an app or a passkey, and then the recovery codes. */
export function Enrol({ onDone }: { onDone(): void }) {
  const [way, setWay] = useState<'choose' | 'app'>('choose');
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const take = (made: readonly string[]) => (made.length === 0 ? onDone() : setCodes(made));
  if (codes !== null) return <RecoveryCodes codes={codes} onKept={onDone} />;
  if (way === 'app') return <AuthenticatorApp onDone={take} />;
  const passkey = () =>
    void makePasskey(words.passkeyName)
      .then(({ recovery_codes }) => take(recovery_codes ?? []))
      .catch((error: unknown) => setProblem(problemOf(error)));
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-col gap-2">
        <h2 className="font-semibold">{words.app}</h2>
        <Button icon={Smartphone} look="primary" onClick={() => setWay('app')}>
          {words.turnOn}
        </Button>
      </div>
      <div className="flex flex-col gap-2">
        <h2 className="font-semibold">{words.passkey}</h2>
        <p className="text-sm text-soft">{canPasskey() ? words.passkeyLead : words.passkeyNeedsHttps}</p>
        <Button icon={KeyRound} disabled={!canPasskey()} onClick={passkey}>
          {words.passkeyMake}
        </Button>
      </div>
      {problem !== null && (
        <p role="alert" className="text-sm text-bad">
          {problem.message}
        </p>
      )}
    </div>
  );
}
