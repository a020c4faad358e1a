import { useEffect, useRef } from 'react';
import type { Reply } from '../../../api/client.ts';
import { useRead } from '../../../api/query.ts';
import { Progress } from '../../../ui/progress.tsx';
import { words } from '../../../words/drips/people.ts';

type Job = Reply<'listBulkJobs'>['data'][number];

const POLL_MS = 1_500;

/** What is under way with many people at once, found again by whoever comes back. */
export function RunningJobs({ onFinished }: { onFinished(): void }) {
  const read = useRead(
    'listBulkJobs',
    { query: { items: '20' } },
    { pollMs: ({ data }) => (data.some(isUnderWay) ? POLL_MS : false) },
  );
  const jobs = (read.data?.data ?? []).filter(isUnderWay);
  const running = jobs.length;
  const before = useRef(0);
  useEffect(() => {
    if (before.current > 0 && running === 0) onFinished();
    before.current = running;
  }, [running]);
  if (running === 0) return null;
  return (
    <div className="flex flex-col gap-3 rounded-lg border bg-surface p-4">
      {jobs.map(({ id, kind, total_jobs: total, pending }) => (
        <Progress key={id} label={words.jobs[kind as keyof typeof words.jobs]} done={total - pending} of={total} />
      ))}
    </div>
  );
}

function isUnderWay({ kind, finished_at: finishedAt }: Job): boolean {
  return kind in words.jobs && finishedAt === null;
}
