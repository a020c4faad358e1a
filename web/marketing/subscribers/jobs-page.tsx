import { Download, ListChecks } from 'lucide-react';
import { useState } from 'react';
import { download, type Reply } from '../../api/client.ts';
import { useRead } from '../../api/query.ts';
import { useMay } from '../../session/session.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Page } from '../../ui/page.tsx';
import { Loaded } from '../../ui/problem.tsx';
import { Progress } from '../../ui/progress.tsx';
import { allRows } from '../../ui/rows.ts';
import { type Column, Table } from '../../ui/table.tsx';
import { tellProblem } from '../../ui/toast.tsx';
import { When } from '../../ui/when.tsx';
import { words } from '../../words/subscribers.ts';
import { SubscriberTabs } from './subscriber-tabs.tsx';

type Job = Reply<'listBulkJobs'>['data'][number];

const TONES: Record<string, Tone> = { done: 'good', finished: 'good', failed: 'bad', running: 'info' };
const POLL_MS = 1_500;
const KEPT_MS = 7 * 24 * 3600_000;
const LATEST = '200';

const isUnderWay = ({ finished_at: at }: Job) => at === null;

const COLUMNS: readonly Column<Job>[] = [
  { name: words.jobColumns.what, cell: ({ kind }) => words.jobKinds[kind] ?? kind },
  { name: words.jobColumns.state, cell: (job) => <State job={job} /> },
  {
    name: words.jobColumns.people,
    align: 'right',
    width: '7rem',
    cell: ({ total_jobs: total }) => total.toLocaleString('en'),
    wideOnly: true,
  },
  {
    name: words.jobColumns.failures,
    align: 'right',
    width: '6rem',
    cell: ({ failures }) => failures.toLocaleString('en'),
    wideOnly: true,
  },
  { name: words.jobColumns.begun, width: '9rem', cell: ({ created_at: at }) => <When at={at} />, wideOnly: true },
  { name: words.jobColumns.file, width: '9rem', cell: (job) => <File job={job} /> },
];

/** Exports and other work on many people, found again whenever one comes back. */
export function JobsPage() {
  const read = useRead(
    'listBulkJobs',
    { query: { items: LATEST } },
    { pollMs: ({ data }) => (data.some(isUnderWay) ? POLL_MS : false) },
  );
  return (
    <Page wide title={words.title} lead={words.jobsLead}>
      <SubscriberTabs />
      <Loaded read={read}>
        {({ data }) => (
          <Table
            label={words.jobsLabel}
            columns={COLUMNS}
            rows={allRows(data)}
            keyOf={({ id }) => id}
            empty={
              <Empty icon={ListChecks} title={words.jobsEmpty}>
                {words.jobsEmptyLead}
              </Empty>
            }
          />
        )}
      </Loaded>
    </Page>
  );
}

function State({ job }: { job: Job }) {
  const { state, total_jobs: total, pending } = job;
  const label = words.jobStates[state] ?? state;
  if (isUnderWay(job) && total > 0)
    return <Progress label={label} done={total - Math.min(pending, total)} of={total} />;
  return <Badge tone={TONES[state] ?? 'plain'}>{label}</Badge>;
}

function File({ job }: { job: Job }) {
  const mayRead = useMay('editor');
  const [isBusy, setBusy] = useState(false);
  if (job.kind !== 'export' || job.finished_at === null || job.state === 'failed' || !mayRead) return null;
  if (Date.now() - Date.parse(job.finished_at) > KEPT_MS) return <span className="text-soft">{words.expired}</span>;
  const fetchFile = async () => {
    setBusy(true);
    await download('readExportFile', { params: { bid: job.id } }, words.fileName).catch(tellProblem);
    setBusy(false);
  };
  return (
    <Button look="quiet" icon={Download} busy={isBusy} onClick={() => void fetchFile()}>
      {words.download}
    </Button>
  );
}
