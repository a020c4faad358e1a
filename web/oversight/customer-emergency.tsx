import { useRead, useWrite } from '../api/query.ts';
import { loadSession, useMay } from '../session/session.ts';
import { Button } from '../ui/button.tsx';
import { Page } from '../ui/page.tsx';
import { Loaded } from '../ui/problem.tsx';
import { tell, tellProblem } from '../ui/toast.tsx';
import { words as all } from '../words/oversight.ts';
import { Contacts } from './contacts.tsx';
import { type Grant, GrantTable } from './grant-table.tsx';

const words = all.emergency;

/** Who asked to read what this customer keeps: approved, refused or ended here. */
export function CustomerEmergencyPage() {
  const read = useRead('listEmergencyAccess', {});
  const settings = useRead('readOversight', {});
  const stale = ['listEmergencyAccess'] as const;
  const approve = useWrite('approveEmergencyAccess', {
    stale: [...stale],
    onDone: () => {
      tell(words.approved);
      void loadSession();
    },
    onFail: tellProblem,
  });
  const end = useWrite('endEmergencyAccess', {
    stale: [...stale],
    onDone: () => {
      tell(words.ended);
      void loadSession();
    },
    onFail: tellProblem,
  });
  const isOwner = useMay('owner');
  const actions = ({ id, state }: Grant) => (
    <span className="flex flex-wrap justify-end gap-1">
      {state === 'asked' && (
        <Button look="primary" busy={approve.isPending} onClick={() => approve.mutate({ params: { id } })}>
          {words.approve}
        </Button>
      )}
      {(state === 'asked' || state === 'open') && (
        <Button look="danger" busy={end.isPending} onClick={() => end.mutate({ params: { id } })}>
          {state === 'open' ? words.endNow : words.refuse}
        </Button>
      )}
    </span>
  );
  return (
    <Page title={words.title} lead={words.lead} wide>
      <Loaded read={read}>{({ data }) => <GrantTable grants={data} who="operator" actions={actions} />}</Loaded>
      <Loaded read={settings}>{(set) => <Contacts set={set} mayChange={isOwner} />}</Loaded>
    </Page>
  );
}
