import { ListChecks } from 'lucide-react';
import type { Reply } from '../api/client.ts';
import { useRead, useWrite } from '../api/query.ts';
import { Badge, type Tone } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { Page } from '../ui/page.tsx';
import { Loaded } from '../ui/problem.tsx';
import { allRows } from '../ui/rows.ts';
import { type Column, Table } from '../ui/table.tsx';
import { tell, tellProblem } from '../ui/toast.tsx';
import { When } from '../ui/when.tsx';
import { words as all } from '../words/operator.ts';

type Job = Reply<'listSideJobs'>['data'][number];

const words = all.jobs;
const POLL_MS = 5_000;
const TONES: Record<Job['state'], Tone> = { waiting: 'plain', running: 'info', failing: 'warn', given_up: 'bad' };

/** Work in the background. */
export function JobsPage() {
  const read = useRead('listSideJobs', {}, { pollMs: POLL_MS });
  const retry = useWrite('retrySideJob', { stale: ['listSideJobs'] });
  const tryAgain = ({ id, task }: Job) =>
    retry.mutate({ params: { id } }, { onSuccess: () => tell(words.retried(task)), onError: tellProblem });
  return (
    <Page title={words.title} lead={words.lead}>
      <Loaded read={read}>
        {({ data }) => (
          <Table
            label={words.label}
            columns={columnsFor(tryAgain)}
            rows={allRows(data)}
            keyOf={({ id }) => id}
            empty={
              <Empty icon={ListChecks} title={words.empty}>
                {words.emptyLead}
              </Empty>
            }
          />
        )}
      </Loaded>
    </Page>
  );
}

function columnsFor(tryAgain: (job: Job) => void): Column<Job>[] {
  return [
    { name: words.columns.task, cell: ({ task }) => <code className="font-mono text-xs">{task}</code> },
    {
      name: words.columns.state,
      width: '6rem',
      cell: ({ state }) => <Badge tone={TONES[state]}>{words.states[state]}</Badge>,
    },
    {
      name: words.columns.attempts,
      wideOnly: true,
      cell: ({ attempts, max_attempts: most }) => words.of(attempts, most),
    },
    { name: words.columns.error, wideOnly: true, cell: ({ error }) => error },
    {
      name: words.columns.next,
      wideOnly: true,
      cell: ({ run_at: at, state }) => state !== 'given_up' && <When at={at} />,
    },
    {
      name: words.columns.actions,
      width: '9rem',
      align: 'right',
      cell: (job) =>
        (job.state === 'failing' || job.state === 'given_up') && (
          <Button look="quiet" aria-label={words.retryOf(job.task)} onClick={() => tryAgain(job)}>
            {words.retry}
          </Button>
        ),
    },
  ];
}
