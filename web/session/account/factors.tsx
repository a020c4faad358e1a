import { KeyRound, Smartphone } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Operation, Reply } from '../../api/client.ts';
import { forget, useRead, useWrite } from '../../api/query.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { Card } from '../../ui/page.tsx';
import { Loaded } from '../../ui/problem.tsx';
import { tellProblem } from '../../ui/toast.tsx';
import { When } from '../../ui/when.tsx';
import { words } from '../../words/session.ts';
import { words as shared } from '../../words/shared.ts';
import { AuthenticatorApp } from '../authenticator-app.tsx';
import { canPasskey } from '../can-passkey.ts';
import { makePasskey } from '../make-passkey.ts';
import { RecoveryCodes } from '../recovery-codes.tsx';
import { loadSession, queries } from '../session.ts';

const STALE: Operation[] = ['readFactors'];

async function refresh(): Promise<void> {
  await forget(queries, STALE);
  await loadSession();
}

/** Something that cannot be taken back: what will be lost, and how it is done. */
interface Question {
  title: string;
  lost: string;
  act: string;
  carryOut(): void;
}

/** The second factors of a person: which there are, and changes to them. */
export function Factors() {
  const factors = useRead('readFactors', {});
  const [isAdding, setIsAdding] = useState(false);
  const [question, setQuestion] = useState<Question | null>(null);
  const [codes, setCodes] = useState<readonly string[]>([]);
  const options = { onDone: () => void refresh() };
  const removeTotp = useWrite('removeTotp', options);
  const removePasskey = useWrite('removePasskey', options);
  const makeCodes = useWrite('makeRecoveryCodes', {
    onDone: (reply) => {
      setCodes(reply.recovery_codes);
      void refresh();
    },
  });
  const added = (made: readonly string[]) => {
    setIsAdding(false);
    setCodes(made);
    void refresh();
  };
  const addPasskey = () =>
    void makePasskey(words.passkeyName).then(({ recovery_codes }) => added(recovery_codes ?? []), tellProblem);
  const failed = removeTotp.error ?? removePasskey.error ?? makeCodes.error;
  return (
    <Card title={words.factors} lead={words.factorsLead}>
      <Loaded read={factors}>
        {({ totp, passkeys, recovery_codes }) => (
          <ul className="flex flex-col divide-y">
            <Line
              icon={<Smartphone aria-hidden className="size-5" />}
              name={words.app}
              note={<TotpState totp={totp} />}
            >
              {totp ? (
                <Button onClick={() => setQuestion({ ...words.askTurnOff, carryOut: () => removeTotp.mutate({}) })}>
                  {words.turnOff}
                </Button>
              ) : (
                <Button onClick={() => setIsAdding(true)}>{words.turnOn}</Button>
              )}
            </Line>
            {passkeys.map((passkey) => (
              <Line
                key={passkey.id}
                icon={<KeyRound aria-hidden className="size-5" />}
                name={passkey.name}
                note={<PasskeyUse passkey={passkey} />}
              >
                <Button
                  onClick={() =>
                    setQuestion({
                      ...words.askRemove(passkey.name),
                      carryOut: () => removePasskey.mutate({ params: { id: passkey.id } }),
                    })
                  }
                >
                  {words.remove}
                </Button>
              </Line>
            ))}
            <Line
              icon={<KeyRound aria-hidden className="size-5" />}
              name={words.addPasskey}
              note={canPasskey() ? words.passkeyLead : words.passkeyNeedsHttps}
            >
              <Button disabled={!canPasskey()} onClick={addPasskey}>
                {words.addPasskey}
              </Button>
            </Line>
            <Line
              icon={null}
              name={words.recoveryCodes}
              note={`${words.codesLeft(recovery_codes)} ${words.newCodesHint}`}
            >
              <Button
                onClick={() =>
                  setQuestion({ ...words.askNewCodes(recovery_codes), carryOut: () => makeCodes.mutate({}) })
                }
              >
                {words.newCodes}
              </Button>
            </Line>
          </ul>
        )}
      </Loaded>
      {failed !== null && (
        <p role="alert" className="mt-3 text-sm text-bad">
          {failed.message}
        </p>
      )}
      <Dialog open={isAdding} onClose={() => setIsAdding(false)} title={words.app}>
        <AuthenticatorApp onDone={added} />
      </Dialog>
      {question !== null && <Ask question={question} onClose={() => setQuestion(null)} />}
      <Dialog open={codes.length > 0} firm onClose={() => setCodes([])} title={words.recoveryCodes}>
        <RecoveryCodes codes={codes} onKept={() => setCodes([])} />
      </Dialog>
    </Card>
  );
}

function Ask({ question: { title, lost, act, carryOut }, onClose }: { question: Question; onClose(): void }) {
  return (
    <Dialog open onClose={onClose} title={title}>
      <p>{lost}</p>
      <Actions>
        <Button onClick={onClose}>{shared.cancel}</Button>
        <Button
          look="danger"
          onClick={() => {
            onClose();
            carryOut();
          }}
        >
          {act}
        </Button>
      </Actions>
    </Dialog>
  );
}

function Line({ icon, name, note, children }: { icon: ReactNode; name: string; note: ReactNode; children: ReactNode }) {
  return (
    <li className="flex flex-wrap items-center gap-3 py-3">
      {icon}
      <div className="min-w-0 grow">
        <p className="font-medium">{name}</p>
        <p className="text-sm text-soft">{note}</p>
      </div>
      {children}
    </li>
  );
}

function TotpState({ totp }: { totp: boolean }) {
  return <Badge tone={totp ? 'good' : 'plain'}>{totp ? words.on : words.off}</Badge>;
}

function PasskeyUse({ passkey }: { passkey: Reply<'readFactors'>['passkeys'][number] }) {
  return (
    <>
      {words.lastUsed} <When at={passkey.last_used_at} />
    </>
  );
}
