import { Link } from '@tanstack/react-router';
import { ListIcon, Plus } from 'lucide-react';
import { useState } from 'react';
import type { Reply } from '../../api/client.ts';
import { useMay } from '../../session/session.ts';
import { useRemembered } from '../../session/use-remembered.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { usePagedRows } from '../../ui/rows.ts';
import { type Column, Table } from '../../ui/table.tsx';
import { useSorting } from '../../ui/use-sorting.ts';
import { When } from '../../ui/when.tsx';
import { words } from '../../words/lists.ts';
import { NewListDialog } from './list-dialog.tsx';

export type SubscriptionList = Reply<'listSubscriptionLists'>['data'][number];

const COLUMNS: readonly Column<SubscriptionList>[] = [
  {
    name: words.columns.name,
    sort: 'name',
    cell: ({ id, attributes }) => (
      <span className="inline-flex items-center gap-2">
        <Link to={`/marketing/lists/${id}`} className="font-medium text-brand underline-offset-2 hover:underline">
          {attributes.name}
        </Link>
        {attributes.is_default && <Badge>{words.isDefault}</Badge>}
      </span>
    ),
  },
  {
    name: words.columns.people,
    sort: 'subscriber_count',
    align: 'right',
    width: '8rem',
    cell: ({ attributes }) => attributes.subscriber_count.toLocaleString('en'),
  },
  {
    name: words.columns.confirm,
    width: '9rem',
    cell: ({ attributes }) => (attributes.double_opt_in ? words.confirmed : words.unconfirmed),
    wideOnly: true,
  },
  {
    name: words.columns.created,
    sort: 'created_at',
    width: '9rem',
    cell: ({ attributes }) => <When at={attributes.created_at} />,
    wideOnly: true,
  },
];

const SIZE = 100;
const PLACE = '/marketing/lists';

/** All lists with how many people get what they send. */
export function ListsPage() {
  const mayChange = useMay('editor');
  const [search, setSearch] = useRemembered(PLACE, 'search', '');
  const sorting = useSorting(PLACE, { by: 'name', order: 'asc' });
  const [isNew, setNew] = useState(false);
  const rows = usePagedRows({
    op: 'listSubscriptionLists',
    size: SIZE,
    input: (page) => ({
      query: {
        use_pagination: 'true',
        items: String(SIZE),
        page: String(page),
        order_by: sorting.by,
        order: sorting.order,
        search: search || undefined,
      },
    }),
    read: ({ data, page_info: info }) => ({ rows: data, count: info?.count ?? data.length }),
  });
  const create = mayChange && (
    <Button look="primary" icon={Plus} onClick={() => setNew(true)}>
      {words.create}
    </Button>
  );
  return (
    <Page wide title={words.title} lead={words.lead} actions={create}>
      <Field label={words.search} hideLabel className="max-w-sm">
        <Input
          type="search"
          placeholder={words.search}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      </Field>
      <Table
        label={words.label}
        columns={COLUMNS}
        rows={rows}
        keyOf={({ id }) => id}
        sorting={sorting}
        empty={
          <Empty icon={ListIcon} title={search === '' ? words.empty : words.nothingFits}>
            {search === '' ? words.emptyLead : words.nothingFitsLead}
          </Empty>
        }
      />
      {isNew && <NewListDialog onClose={() => setNew(false)} />}
    </Page>
  );
}
