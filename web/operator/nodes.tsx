import { Server } from 'lucide-react';
import type { Reply } from '../api/client.ts';
import { useRead } from '../api/query.ts';
import { Badge, Notice } from '../ui/badge.tsx';
import { Empty } from '../ui/empty.tsx';
import { Page } from '../ui/page.tsx';
import { Loaded } from '../ui/problem.tsx';
import { allRows } from '../ui/rows.ts';
import { type Column, Table } from '../ui/table.tsx';
import { When } from '../ui/when.tsx';
import { words as all } from '../words/operator.ts';

type Node = Reply<'listNodes'>['data'][number];

const words = all.nodes;
const POLL_MS = 10_000;

const COLUMNS: Column<Node>[] = [
  { name: words.columns.host, cell: ({ host }) => <span className="font-medium">{host}</span> },
  { name: words.columns.roles, cell: ({ roles }) => roles.join(', ') },
  { name: words.columns.version, wideOnly: true, cell: ({ version }) => version },
  { name: words.columns.started, wideOnly: true, cell: ({ started_at: at }) => <When at={at} /> },
  { name: words.columns.seen, wideOnly: true, cell: ({ seen_at: at }) => <When at={at} /> },
  {
    name: words.columns.state,
    width: '6rem',
    cell: ({ state }) => <Badge tone={state === 'there' ? 'good' : 'bad'}>{words.states[state]}</Badge>,
  },
];

/** The processes of the installation. */
export function NodesPage() {
  const read = useRead('listNodes', {}, { pollMs: POLL_MS });
  return (
    <Page title={words.title} lead={words.lead}>
      <Loaded read={read}>
        {({ data }) => (
          <>
            {new Set(data.map(({ version }) => version)).size > 1 && <Notice tone="warn">{words.mixed}</Notice>}
            <Table
              label={words.label}
              columns={COLUMNS}
              rows={allRows(data)}
              keyOf={({ id }) => id}
              empty={
                <Empty icon={Server} title={words.empty}>
                  {words.emptyLead}
                </Empty>
              }
            />
          </>
        )}
      </Loaded>
    </Page>
  );
}
