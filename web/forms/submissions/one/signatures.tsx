import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import type { Operation } from '../../../api/client.ts';
import { useRead, useWrite } from '../../../api/query.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/page.tsx';
import { Loaded } from '../../../ui/problem.tsx';
import { tell, tellProblem } from '../../../ui/toast.tsx';
import { When } from '../../../ui/when.tsx';
import { words } from '../../../words/forms/submission.ts';
import { InviteSigner } from './invite-signer.tsx';
import type { Submission } from './page.tsx';

const STALE: Operation[] = ['listSigners', 'readSubmission'];

/** Who has signed a submission and who is asked to. */
export function Signatures({ submission }: { submission: Submission }) {
  const params = { id: submission.form_id, sid: submission.id };
  const [isInviting, setIsInviting] = useState(false);
  const read = useRead('listSigners', { params });
  const withdraw = useWrite('withdrawSigner', { stale: STALE, onDone: () => tell(words.withdrawn) });
  return (
    <Card title={words.signers}>
      {submission.signatures.length > 0 && (
        <ul className="mb-3 flex flex-col divide-y">
          {submission.signatures.map(({ role, name, signed_at: at, genuine }) => (
            <li key={`${role}${at}`} className="py-2">
              <p className="font-medium">{words.signedBy(role, name)}</p>
              <p className="flex flex-wrap items-center gap-2 text-xs text-soft">
                <When at={at} exact />
                <Badge tone={genuine ? 'good' : 'bad'}>{genuine ? words.genuine : words.notGenuine}</Badge>
              </p>
            </li>
          ))}
        </ul>
      )}
      <Loaded read={read}>
        {({ data }) => (
          <>
            {data.length === 0 && <p className="text-sm text-soft">{words.noSigners}</p>}
            <ul className="flex flex-col divide-y">
              {data.map((signer) => (
                <li key={signer.id} className="flex items-center justify-between gap-3 py-2">
                  <div className="min-w-0">
                    <p className="flex flex-wrap items-center gap-2 font-medium">
                      {signer.role}
                      <Badge tone={signer.state === 'signed' ? 'good' : signer.state === 'waiting' ? 'info' : 'warn'}>
                        {words.signerStates[signer.state] ?? signer.state}
                      </Badge>
                    </p>
                    <p className="truncate text-sm text-soft">{signer.name ?? signer.email}</p>
                  </div>
                  {signer.state !== 'signed' && (
                    <Button
                      busy={withdraw.isPending}
                      onClick={() =>
                        withdraw.mutate({ params: { ...params, signer: signer.id } }, { onError: tellProblem })
                      }
                    >
                      {words.withdraw}
                    </Button>
                  )}
                </li>
              ))}
            </ul>
          </>
        )}
      </Loaded>
      {submission.sealed === null && (
        <Button className="mt-3" icon={UserPlus} onClick={() => setIsInviting(true)}>
          {words.invite}
        </Button>
      )}
      <InviteSigner params={params} open={isInviting} onClose={() => setIsInviting(false)} />
    </Card>
  );
}
