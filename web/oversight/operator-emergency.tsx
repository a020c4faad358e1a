import { useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useRead, useWrite } from '../api/query.ts';
import { loadSession, queries, useUser } from '../session/session.ts';
import { Button } from '../ui/button.tsx';
import { Page } from '../ui/page.tsx';
import { Loaded } from '../ui/problem.tsx';
import { tell, tellProblem } from '../ui/toast.tsx';
import { words as all } from '../words/oversight.ts';
import { AskForAccess } from './ask-for-access.tsx';
import { type Grant, GrantTable } from './grant-table.tsx';
import { OpenAccess } from './open-access.tsx';

const words = all.emergency;
const POLL_MS = 5_000;

/** Emergency access to customers: asked for, opened, read by and ended here. */
export function OperatorEmergencyPage() {
  const read = useRead('listBreakGlass', {}, { pollMs: POLL_MS });
  const { id: ownId } = useUser();
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const [opening, setOpening] = useState<Grant | null>(null);
  const end = useWrite('endBreakGlass', {
    stale: ['listBreakGlass'],
    onDone: () => tell(words.ended),
    onFail: tellProblem,
  });
  const goIn = async () => {
    queries.clear();
    await loadSession();
    await navigate({ to: '/' });
  };
  const enter = useWrite('enterBreakGlass', {
    onDone: () => void goIn().catch(tellProblem),
    onFail: tellProblem,
  });
  const actions = (grant: Grant) => (
    <span className="flex flex-wrap justify-end gap-1">
      {grant.state === 'asked' && <Button onClick={() => setOpening(grant)}>{words.open}</Button>}
      {grant.state === 'open' && grant.operator.id === ownId && (
        <Button look="primary" busy={enter.isPending} onClick={() => enter.mutate({ params: { id: grant.id } })}>
          {words.enter}
        </Button>
      )}
      {(grant.state === 'asked' || grant.state === 'open') && (
        <Button look="danger" busy={end.isPending} onClick={() => end.mutate({ params: { id: grant.id } })}>
          {words.end}
        </Button>
      )}
    </span>
  );
  const ask = (
    <Button look="primary" icon={Plus} onClick={() => setAsking(true)}>
      {words.ask}
    </Button>
  );
  return (
    <Page title={words.title} lead={words.operatorLead} actions={ask} wide>
      <Loaded read={read}>
        {({ data, codes_left: left }) => (
          <>
            <GrantTable grants={data} who="customer" actions={actions} />
            <p className="text-sm text-soft">{words.codesLeft(left)}</p>
          </>
        )}
      </Loaded>
      {asking && <AskForAccess onClose={() => setAsking(false)} />}
      {opening !== null && (
        <OpenAccess grant={opening} own={opening.operator.id === ownId} onClose={() => setOpening(null)} />
      )}
    </Page>
  );
}
