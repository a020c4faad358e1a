import { ShieldCheck } from 'lucide-react';
import type { Reply } from '../../api/client.ts';
import { useRead, useWrite } from '../../api/query.ts';
import { Badge, Notice } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/page.tsx';
import { Loaded } from '../../ui/problem.tsx';
import { Progress } from '../../ui/progress.tsx';
import { tellProblem } from '../../ui/toast.tsx';
import { When } from '../../ui/when.tsx';
import { words } from '../../words/settings/audit.ts';

type State = Reply<'readAuditVerification'>;

const POLL_MS = 1_000;

/** Whether the log is whole, as it was last verified. */
export function Verification() {
  const read = useRead(
    'readAuditVerification',
    {},
    { pollMs: (reply) => (reply.state === 'running' ? POLL_MS : false) },
  );
  const verify = useWrite('verifyAuditLog', { stale: ['readAuditVerification'] });
  const running = read.data?.state === 'running';
  return (
    <Card
      title={words.verification}
      lead={words.verificationLead}
      actions={
        <Button
          icon={ShieldCheck}
          busy={running || verify.isPending}
          onClick={() => verify.mutate({}, { onError: tellProblem })}
        >
          {words.verify}
        </Button>
      }
    >
      <Loaded read={read}>{(state) => <Result state={state} />}</Loaded>
    </Card>
  );
}

function Result({ state }: { state: State }) {
  if (state.state === 'never') return <p className="text-sm text-soft">{words.never}</p>;
  if (state.state === 'running') return <Progress label={words.verifying} done={state.checked} of={state.total} />;
  if (state.state === 'broken')
    return (
      <Notice tone="bad" title={words.broken}>
        <p>{words.brokenLead(state.fault?.row ?? null, state.fault?.reason ?? '')}</p>
        <p>{words.brokenAct}</p>
      </Notice>
    );
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <Badge tone="good">{words.sound}</Badge>
      <span>{words.soundLead(state.checked)}</span>
      <span className="text-soft">
        {words.verifiedAt} <When at={state.finished_at} />
      </span>
    </div>
  );
}
