import { Link } from '@tanstack/react-router';
import { ChartColumn } from 'lucide-react';
import { useState } from 'react';
import type { Reply } from '../../api/client.ts';
import { useMay } from '../../session/session.ts';
import { Empty } from '../../ui/empty.tsx';
import { Card } from '../../ui/page.tsx';
import { usePagedRows } from '../../ui/rows.ts';
import { type Column, Table } from '../../ui/table.tsx';
import { When } from '../../ui/when.tsx';
import { words } from '../../words/reports.ts';
import { CsvButton } from '../mailings/csv-button.tsx';
import { SendState } from '../mailings/sends/send-state.tsx';
import { CountOrHidden } from './hidden.tsx';
import { periodOf, queryOf, type ReportSearch } from './search.ts';

type Row = Reply<'readSendsTable'>['data'][number];

const SIZE = 50;
const { columns: titles } = words;

/** Every send that was under way in the period, with its rates. */
export function SendsReport({ search }: { search: ReportSearch }) {
  const [by, setBy] = useState('started_at');
  const [order, setOrder] = useState<'asc' | 'desc'>('desc');
  const mayExport = useMay('editor');
  const query = { ...queryOf(search), ...periodOf(search, new Date()) };
  const rows = usePagedRows({
    op: 'readSendsTable',
    size: SIZE,
    input: (page) => ({ query: { ...query, page: String(page), items: String(SIZE), order_by: by, order } }),
    read: (reply) => ({ rows: reply.data, count: reply.page_info.count }),
  });
  const change = (next: string, way: 'asc' | 'desc') => {
    setBy(next);
    setOrder(way);
  };
  return (
    <Card
      title={words.sends}
      actions={mayExport && <CsvButton op="exportSendsTable" input={{ query }} what={words.sendsTable} />}
    >
      <Table
        label={words.sendsTable}
        height="32rem"
        columns={COLUMNS}
        rows={rows}
        keyOf={({ id }) => id}
        sorting={{ by, order, change }}
        empty={
          <Empty icon={ChartColumn} title={words.noSends}>
            {words.noSendsLead}
          </Empty>
        }
      />
    </Card>
  );
}

const COLUMNS: Column<Row>[] = [
  {
    name: titles.name,
    sort: 'subject',
    cell: ({ id, subject }) => (
      <Link
        to="/marketing/mailings/sends/$sendId"
        params={{ sendId: id }}
        className="font-medium text-brand underline-offset-2 hover:underline"
      >
        {subject}
      </Link>
    ),
  },
  { name: titles.to, sort: 'list_name', wideOnly: true, cell: ({ list_name: name }) => name ?? words.toAddresses },
  { name: titles.state, wideOnly: true, cell: ({ state }) => <SendState state={state} /> },
  {
    name: titles.started,
    sort: 'started_at',
    wideOnly: true,
    cell: ({ started_at: at }) => at !== null && <When at={at} />,
  },
  { name: titles.sent, sort: 'sent', align: 'right', cell: ({ sent }) => <CountOrHidden count={sent} /> },
  ...(['delivery_rate', 'view_rate', 'click_rate', 'bounce_rate', 'unsubscribe_rate'] as const).map(
    (name): Column<Row> => ({
      name: titles[name],
      align: 'right',
      wideOnly: name !== 'view_rate',
      cell: (row) => percent(row[name]),
    }),
  ),
];

function percent(rate: number | null): string {
  return rate === null ? '–' : `${(rate * 100).toLocaleString('en', { maximumFractionDigits: 1 })} %`;
}
