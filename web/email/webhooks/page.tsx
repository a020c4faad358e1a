import { Link } from '@tanstack/react-router';
import { Plus, Webhook } from 'lucide-react';
import { useState } from 'react';
import type { Reply } from '../../api/client.ts';
import { useMay } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Page } from '../../ui/page.tsx';
import { usePagedRows } from '../../ui/rows.ts';
import { type Column, Table } from '../../ui/table.tsx';
import { When } from '../../ui/when.tsx';
import { words } from '../../words/email/webhooks.ts';
import { AddWebhook } from './add-webhook.tsx';
import { WebhookBadge } from './state-badge.tsx';

type Row = Reply<'listWebhooks'>['data'][number];

const SIZE = 50;

const COLUMNS: Column<Row>[] = [
  {
    name: words.columns.url,
    cell: ({ id, target_url: url }) => (
      <Link
        to="/email/webhooks/$id"
        params={{ id }}
        className="font-medium text-brand underline-offset-2 hover:underline"
      >
        {url}
      </Link>
    ),
  },
  { name: words.columns.state, width: '8rem', cell: (row) => <WebhookBadge {...row} /> },
  { name: words.columns.events, wideOnly: true, cell: ({ events }) => words.eventsCount(events.length) },
  { name: words.columns.since, wideOnly: true, cell: ({ created_at: at }) => <When at={at} /> },
];

/** Where events are sent. */
export function WebhooksPage() {
  const [adding, setAdding] = useState(false);
  const mayEdit = useMay('admin');
  const rows = usePagedRows({
    op: 'listWebhooks',
    input: (page) => ({ query: { page, items: SIZE } }),
    read: ({ data, page_info: { count } }) => ({ rows: data, count }),
    size: SIZE,
  });
  const add = mayEdit ? (
    <Button look="primary" icon={Plus} onClick={() => setAdding(true)}>
      {words.add}
    </Button>
  ) : null;
  return (
    <Page title={words.title} lead={words.lead} actions={add}>
      <Table
        label={words.label}
        columns={COLUMNS}
        rows={rows}
        keyOf={({ id }) => id}
        empty={
          <Empty icon={Webhook} title={words.empty} action={add}>
            {words.emptyLead}
          </Empty>
        }
      />
      {adding && <AddWebhook onClose={() => setAdding(false)} />}
    </Page>
  );
}
