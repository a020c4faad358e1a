import type { Reply } from '../api/client.ts';
import { useRead } from '../api/query.ts';
import { Badge } from '../ui/badge.tsx';
import { Page } from '../ui/page.tsx';
import { Loaded } from '../ui/problem.tsx';
import { allRows } from '../ui/rows.ts';
import { type Column, Table } from '../ui/table.tsx';
import { When } from '../ui/when.tsx';
import { words as all } from '../words/operator.ts';

type Queue = Reply<'readQueues'>['data'][number];

const words = all.queues;
const POLL_MS = 5_000;

const COLUMNS: Column<Queue>[] = [
  { name: words.columns.name, cell: ({ name }) => <span className="font-medium">{words.names[name]}</span> },
  {
    name: words.columns.waiting,
    align: 'right',
    cell: ({ waiting, more }) => (more ? words.more(waiting - 1) : waiting.toLocaleString('en')),
  },
  { name: words.columns.due, align: 'right', cell: ({ due }) => due.toLocaleString('en') },
  {
    name: words.columns.held,
    align: 'right',
    wideOnly: true,
    cell: ({ held }) => (held === null ? words.notTold : held.toLocaleString('en')),
  },
  {
    name: words.columns.late,
    align: 'right',
    cell: ({ late }) => (late === 0 ? '0' : <Badge tone="bad">{words.late(late)}</Badge>),
  },
  {
    name: words.columns.oldest,
    wideOnly: true,
    cell: ({ oldest_due_at: at }) =>
      at === null ? <span className="text-soft">{words.nothingDue}</span> : <When at={at} />,
  },
];

/** What waits in every queue. */
export function QueuesPage() {
  const read = useRead('readQueues', {}, { pollMs: POLL_MS });
  return (
    <Page title={words.title} lead={words.lead}>
      <Loaded read={read}>
        {({ data }) => (
          <Table label={words.label} columns={COLUMNS} rows={allRows(data)} keyOf={({ name }) => name} empty={null} />
        )}
      </Loaded>
    </Page>
  );
}
