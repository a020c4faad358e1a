import { Link } from '@tanstack/react-router';
import { Filter, Plus } from 'lucide-react';
import type { Reply } from '../../api/client.ts';
import { useMay } from '../../session/session.ts';
import { useRemembered } from '../../session/use-remembered.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { usePagedRows } from '../../ui/rows.ts';
import { type Column, Table } from '../../ui/table.tsx';
import { useSorting } from '../../ui/use-sorting.ts';
import { When } from '../../ui/when.tsx';
import { words } from '../../words/segments.ts';
import { words as shared } from '../../words/shared.ts';

type Segment = Reply<'listDynamicLists'>['data'][number];

const COLUMNS: readonly Column<Segment>[] = [
  {
    name: words.columns.name,
    sort: 'name',
    cell: ({ id, attributes }) => (
      <Link to={`/marketing/segments/${id}`} className="font-medium text-brand underline-offset-2 hover:underline">
        {attributes.name}
      </Link>
    ),
  },
  {
    name: words.columns.rule,
    cell: ({ attributes }) => <span className="text-soft">{attributes.rule}</span>,
    wideOnly: true,
  },
  {
    name: words.columns.people,
    align: 'right',
    width: '7rem',
    cell: ({ attributes: { subscriber_count: count } }) => count?.toLocaleString('en') ?? words.notCounted,
  },
  {
    name: words.columns.changed,
    sort: 'updated_at',
    width: '9rem',
    cell: ({ attributes }) => <When at={attributes.updated_at} />,
    wideOnly: true,
  },
];

const SIZE = 50;
const PLACE = '/marketing/segments';

/** All segments with how many people they find. */
export function SegmentsPage() {
  const [search, setSearch] = useRemembered(PLACE, 'search', '');
  const sorting = useSorting(PLACE, { by: 'updated_at', order: 'desc' });
  const mayChange = useMay('editor');
  const rows = usePagedRows({
    op: 'listDynamicLists',
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
    <ButtonLink look="primary" icon={Plus} to="/marketing/segments/new">
      {words.create}
    </ButtonLink>
  );
  return (
    <Page wide title={words.title} lead={words.lead} actions={create}>
      <Field label={words.searchLabel} hideLabel className="max-w-sm">
        <Input
          type="search"
          placeholder={shared.search}
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
          search === '' ? (
            <Empty icon={Filter} title={words.empty} action={create}>
              {words.emptyLead}
            </Empty>
          ) : (
            <Empty icon={Filter} title={words.nothingFits}>
              {words.nothingFitsLead}
            </Empty>
          )
        }
      />
    </Page>
  );
}
