import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Download, FileUp, UserPlus, Users } from 'lucide-react';
import { useState } from 'react';
import type { Reply } from '../../api/client.ts';
import { useMay } from '../../session/session.ts';
import { useRemembered } from '../../session/use-remembered.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Page } from '../../ui/page.tsx';
import { usePagedRows } from '../../ui/rows.ts';
import { type Column, Table } from '../../ui/table.tsx';
import { useSorting } from '../../ui/use-sorting.ts';
import { When } from '../../ui/when.tsx';
import { words } from '../../words/subscribers.ts';
import { BulkBar, type Selected } from './bulk-bar.tsx';
import { isEverybody, type PeopleChoice, type PeopleSearch, readPeopleSearch, wireOf } from './choice.ts';
import { ExportDialog } from './export-dialog.tsx';
import { PeopleFilters } from './people-filters.tsx';
import { NewPersonDialog } from './person-dialog.tsx';
import { SubscriberTabs } from './subscriber-tabs.tsx';

type Person = Reply<'searchSubscribers'>['data'][number];

const COLUMNS: readonly Column<Person>[] = [
  {
    name: words.columns.email,
    sort: 'email',
    cell: ({ id, attributes: { email, phone_number: phone, unsubscribed } }) => (
      <span className="inline-flex max-w-full items-center gap-2">
        <Link
          to={`/marketing/subscribers/${id}`}
          className="truncate font-medium text-brand underline-offset-2 hover:underline"
        >
          {email ?? phone}
        </Link>
        {unsubscribed && (
          <span className="md:hidden">
            <Badge tone="warn">{words.states.out}</Badge>
          </span>
        )}
      </span>
    ),
  },
  { name: words.columns.first, sort: 'first_name', cell: ({ attributes }) => attributes.first_name, wideOnly: true },
  { name: words.columns.last, sort: 'last_name', cell: ({ attributes }) => attributes.last_name, wideOnly: true },
  {
    name: words.columns.state,
    width: '8rem',
    cell: ({ attributes: { unsubscribed } }) => (
      <Badge tone={unsubscribed ? 'warn' : 'good'}>{unsubscribed ? words.states.out : words.states.in}</Badge>
    ),
    wideOnly: true,
  },
  {
    name: words.columns.added,
    sort: 'created_at',
    width: '9rem',
    cell: ({ attributes }) => <When at={attributes.created_at} />,
    wideOnly: true,
  },
  {
    name: words.columns.changed,
    sort: 'updated_at',
    width: '9rem',
    cell: ({ attributes }) => <When at={attributes.updated_at} />,
    wideOnly: true,
  },
];

const SIZE = 100;
const PLACE = '/marketing/subscribers';
const NOBODY: Selected = { ids: new Set(), everybody: false };

/** Everybody, in a table that stays quick however many they are. */
export function SubscribersPage() {
  const mayChange = useMay('editor');
  const navigate = useNavigate();
  const { list, segment } = readPeopleSearch(useSearch({ strict: false }));
  const [own, setOwn] = useRemembered<Pick<PeopleChoice, 'search' | 'filters'>>(PLACE, 'choice', {
    search: '',
    filters: null,
  });
  const sorting = useSorting(PLACE, { by: 'created_at', order: 'desc' });
  const [selected, setSelected] = useState(NOBODY);
  const [open, setOpen] = useState<'add' | 'export' | null>(null);
  const choice: PeopleChoice = { ...own, list, segment };
  const rows = usePagedRows({
    op: 'searchSubscribers',
    size: SIZE,
    input: (page) => ({ body: { ...wireOf(choice), items: SIZE, page, order_by: sorting.by, order: sorting.order } }),
    read: ({ data, page_info: { count } }) => ({ rows: data, count }),
  });
  const change = (next: PeopleChoice) => {
    setSelected(NOBODY);
    setOwn({ search: next.search, filters: next.filters });
    const search: PeopleSearch = readPeopleSearch({ list: next.list, segment: next.segment });
    if (next.list !== list || next.segment !== segment)
      void navigate({ to: '/marketing/subscribers', search, replace: true });
  };
  return (
    <Page wide title={words.title} lead={words.lead} actions={mayChange && <PageActions onOpen={setOpen} />}>
      <SubscriberTabs />
      <PeopleFilters choice={choice} onChange={change} count={rows.isPending ? null : rows.count} />
      {mayChange && (selected.ids.size > 0 || selected.everybody) && (
        <BulkBar
          choice={choice}
          total={rows.count}
          selected={selected}
          onSelect={setSelected}
          onNone={() => setSelected(NOBODY)}
        />
      )}
      <Table
        label={words.label}
        columns={COLUMNS}
        rows={rows}
        keyOf={({ id }) => id}
        sorting={sorting}
        {...(mayChange && {
          selection: {
            ids: selected.ids,
            idOf: ({ id }: Person) => id,
            change: (ids: ReadonlySet<string>) => setSelected({ ids, everybody: false }),
          },
        })}
        empty={isEverybody(choice) ? <Nobody onAdd={() => setOpen('add')} /> : <NobodyFits />}
      />
      {open === 'add' && <NewPersonDialog onClose={() => setOpen(null)} />}
      {open === 'export' && <ExportDialog choice={choice} onClose={() => setOpen(null)} />}
    </Page>
  );
}

function PageActions({ onOpen }: { onOpen(what: 'add' | 'export'): void }) {
  return (
    <>
      <Button icon={Download} onClick={() => onOpen('export')}>
        {words.export}
      </Button>
      <ButtonLink icon={FileUp} to="/marketing/imports/new">
        {words.import}
      </ButtonLink>
      <Button look="primary" icon={UserPlus} onClick={() => onOpen('add')}>
        {words.add}
      </Button>
    </>
  );
}

function Nobody({ onAdd }: { onAdd(): void }) {
  const action = (
    <>
      <ButtonLink icon={FileUp} to="/marketing/imports/new">
        {words.import}
      </ButtonLink>
      <Button look="primary" icon={UserPlus} onClick={onAdd}>
        {words.add}
      </Button>
    </>
  );
  return (
    <Empty icon={Users} title={words.empty} action={action}>
      {words.emptyLead}
    </Empty>
  );
}

function NobodyFits() {
  return (
    <Empty icon={Users} title={words.nothingFits}>
      {words.nothingFitsLead}
    </Empty>
  );
}
