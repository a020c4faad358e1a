import { Link } from '@tanstack/react-router';
import { Plus, Waypoints } from 'lucide-react';
import type { Reply } from '../../../api/client.ts';
import { useRead } from '../../../api/query.ts';
import { useMay } from '../../../session/session.ts';
import { useRemembered } from '../../../session/use-remembered.ts';
import { Badge } from '../../../ui/badge.tsx';
import { ButtonLink } from '../../../ui/button.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { Field, Input } from '../../../ui/field.tsx';
import { Page } from '../../../ui/page.tsx';
import { Loaded } from '../../../ui/problem.tsx';
import { allRows } from '../../../ui/rows.ts';
import { type Column, Table } from '../../../ui/table.tsx';
import { useSorting } from '../../../ui/use-sorting.ts';
import { When } from '../../../ui/when.tsx';
import { words } from '../../../words/drips.ts';
import { STATE_TONES, type State } from '../states.ts';

type Listed = Reply<'listDripCampaigns'>['data'][number];

const COLUMNS: Column<Listed>[] = [
  {
    name: words.columns.name,
    cell: ({ id, attributes }) => (
      <Link
        to="/marketing/drips/$id"
        params={{ id }}
        className="font-medium text-brand underline-offset-2 hover:underline"
      >
        {attributes.name}
      </Link>
    ),
    sort: 'name',
  },
  {
    name: words.columns.state,
    cell: ({ attributes }) => (
      <Badge tone={STATE_TONES[attributes.state as State]}>{words.states[attributes.state as State]}</Badge>
    ),
    sort: 'state',
  },
  {
    name: words.columns.trigger,
    cell: ({ attributes }) => words.triggers[attributes.start_trigger as keyof typeof words.triggers],
    wideOnly: true,
  },
  {
    name: words.columns.list,
    cell: ({ attributes }) => attributes.subscription_list_name,
    sort: 'subscription_list_name',
    wideOnly: true,
  },
  {
    name: words.columns.entered,
    cell: ({ attributes }) => attributes.subscriber_count.toLocaleString('en'),
    sort: 'subscriber_count',
    align: 'right',
  },
  {
    name: words.columns.completed,
    cell: ({ attributes }) => attributes.subscriber_completed_count.toLocaleString('en'),
    sort: 'subscriber_completed_count',
    align: 'right',
    wideOnly: true,
  },
  {
    name: words.columns.updated,
    cell: ({ attributes }) => <When at={attributes.updated_at} />,
    sort: 'updated_at',
    wideOnly: true,
  },
];

const PLACE = '/marketing/drips';

/** All drip campaigns, with their state and how many entered. */
export function DripsPage() {
  const sorting = useSorting(PLACE, { by: 'updated_at', order: 'desc' });
  const [search, setSearch] = useRemembered(PLACE, 'search', '');
  const isEditor = useMay('editor');
  const read = useRead('listDripCampaigns', { query: { order_by: sorting.by, order: sorting.order } }, { keep: true });
  const create = isEditor && (
    <ButtonLink look="primary" icon={Plus} to="/marketing/drips/new">
      {words.create}
    </ButtonLink>
  );
  return (
    <Page title={words.title} lead={words.lead} actions={create} wide>
      <Loaded read={read}>
        {({ data }) => {
          if (data.length === 0) {
            return (
              <Empty icon={Waypoints} title={words.emptyTitle} action={create}>
                {words.empty}
              </Empty>
            );
          }
          const wanted = search.trim().toLowerCase();
          const found = data.filter(({ attributes }) => attributes.name.toLowerCase().includes(wanted));
          return (
            <>
              <Field label={words.search} className="max-w-sm">
                <Input type="search" value={search} onChange={(event) => setSearch(event.target.value)} />
              </Field>
              <Table
                label={words.title}
                columns={COLUMNS}
                rows={allRows(found)}
                keyOf={({ id }) => id}
                sorting={sorting}
                empty={<p className="text-soft">{words.noneFound}</p>}
              />
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}
