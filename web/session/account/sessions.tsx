import { useRead, useWrite } from '../../api/query.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/page.tsx';
import { Loaded } from '../../ui/problem.tsx';
import { tell, tellProblem } from '../../ui/toast.tsx';
import { When } from '../../ui/when.tsx';
import { words } from '../../words/session.ts';

/** Where a person is signed in, with a way to end each. */
export function OwnSessions() {
  const sessions = useRead('listOwnSessions', {});
  const end = useWrite('endOwnSession', { stale: ['listOwnSessions'], onFail: tellProblem });
  const endOthers = useWrite('endOtherSessions', {
    stale: ['listOwnSessions'],
    onDone: () => tell(words.othersEnded),
    onFail: tellProblem,
  });
  return (
    <Card title={words.sessions} actions={<Button onClick={() => endOthers.mutate({})}>{words.endOthers}</Button>}>
      <Loaded read={sessions}>
        {({ data }) => (
          <ul className="flex flex-col divide-y">
            {data.map((session) => (
              <li key={session.id} className="flex flex-wrap items-center gap-3 py-3">
                <div className="grow">
                  <p className="font-medium">
                    {session.agent} {session.current && <Badge tone="brand">{words.thisSession}</Badge>}
                  </p>
                  <p className="text-sm text-soft">
                    {words.began} <When at={session.created_at} />, {words.seen} <When at={session.seen_at} />
                  </p>
                </div>
                {!session.current && (
                  <Button onClick={() => end.mutate({ params: { id: session.id } })}>{words.endSession}</Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Card>
  );
}
